import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { type Label, LabelCard, PaperChoice, PrintSheet } from '../../ui/print-sheet.tsx';
import { qrSvg } from '../../ui/qr.ts';
import type { Asset } from './api.ts';
import styles from './assets.module.css';

/** A label for each identifier, as it will be printed. */
const LabelsDialog = ({ asset, onClose }: { asset: Asset; onClose: () => void }) => {
  const { t } = useTranslation();
  const labels = asset.identifiers.map(({ kind, value }): Label => ({
    key: `${kind} ${value}`,
    code: qrSvg(value),
    title: value,
    lines: [asset.name],
  }));
  return (
    <Dialog onClose={onClose} title={t('assets.print')}>
      <p>{t('assets.printText')}</p>
      <PaperChoice />
      <div className={styles.labels}>
        {labels.map((label) => (
          <LabelCard key={label.key} label={label} />
        ))}
      </div>
      <PrintSheet labels={labels} />
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
