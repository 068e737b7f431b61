import { Button, Group } from '@mantine/core';
import { toSVG } from 'bwip-js/browser';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { PrintSheet } from '../../ui/print-sheet.tsx';
import type { Asset } from './api.ts';
import styles from './assets.module.css';

/** As a picture: nothing is drawn that the content policy would have to allow. */
const qrOf = (text: string): string => `data:image/svg+xml,${encodeURIComponent(toSVG({ bcid: 'qrcode', text, scale: 3, padding: 0 }))}`;

/** A label for each identifier, as it will be printed. */
const LabelsDialog = ({ asset, onClose }: { asset: Asset; onClose: () => void }) => {
  const { t } = useTranslation();
  const labels = asset.identifiers.map(({ kind, value }) => (
    <figure key={`${kind} ${value}`} className={styles.qr} style={{ margin: 0 }}>
      <img src={qrOf(value)} alt={`QR ${value}`} />
      <figcaption>
        <strong>{asset.name}</strong>
        <br />
        {value}
      </figcaption>
    </figure>
  ));
  return (
    <Dialog onClose={onClose} title={t('assets.print')}>
      <p>{t('assets.printText')}</p>
      <div className={styles.labels}>{labels}</div>
      <PrintSheet className={styles.sheet ?? ''}>{labels}</PrintSheet>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <Button onClick={() => print()}>{t('assets.printNow')}</Button>
      </Group>
    </Dialog>
  );
};
export default LabelsDialog;
