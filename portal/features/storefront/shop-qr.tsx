import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCompanyName } from '../../app/who.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LabelCard, PaperChoice, PrintSheet } from '../../ui/print-sheet.tsx';

/** The square code for the wall: it leads whoever stands there to the shop. */
export const ShopQr = ({ url, onClose }: { url: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const title = useCompanyName();
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    let there = true;
    void import('../../ui/qr.ts').then(({ qrSvg }) => there && setCode(qrSvg(url)));
    return () => {
      there = false;
    };
  }, [url]);
  const label = code === null ? null : { key: url, code, title, lines: [t('storefront.qrLine'), url] };
  return (
    <Dialog title={t('storefront.qr')} onClose={onClose}>
      {label && <LabelCard label={label} />}
      {label && <PrintSheet labels={[label]} />}
      <PaperChoice />
      <Button mt="md" leftSection={<IconPrinter size={18} aria-hidden />} disabled={label === null} onClick={() => globalThis.print()}>
        {t('storefront.qrPrint')}
      </Button>
    </Dialog>
  );
};
