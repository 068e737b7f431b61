import { readScan } from '@hatchway/domain/codes.ts';
import type { Scanned } from '@hatchway/domain/scanned.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Sent, takeSent } from '../../app/scans.ts';
import { Panel } from '../../ui/panel.tsx';
import styles from './account.module.css';

/** What cannot be seen is shown by its number. */
const visible = (raw: string): string =>
  // oxlint-disable-next-line no-control-regex -- those are the ones
  raw.replaceAll(/[\u0000-\u001f]/g, (one) => `<${one.charCodeAt(0)}>`).replaceAll(' ', '␣');

/** Scanned here, nothing happens but that one reads what the scanner sent and what is understood of it. */
export const ScannerTrial = () => {
  const { t } = useTranslation();
  const [last, setLast] = useState<{ scan: Scanned; sent: Sent } | null>(null);
  useEffect(
    () =>
      takeSent((scan, sent) => {
        setLast({ scan, sent });
        return true;
      }, 'screen'),
    [],
  );
  return (
    <Panel title={t('account.scanner.title')}>
      <p>{t('account.scanner.text')}</p>
      <output aria-label={t('account.scanner.title')}>
        {last !== null && (
          <dl className={styles.scanned}>
            <dt>{t('account.scanner.sent')}</dt>
            <dd>
              <code>{visible(last.sent.raw)}</code>
            </dd>
            <dt>{t('account.scanner.ending')}</dt>
            <dd>{last.sent.ending ?? t('account.scanner.noEnding')}</dd>
            <dt>{t('account.scanner.slowest')}</dt>
            <dd>{t('account.scanner.ms', { ms: Math.round(last.sent.slowest) })}</dd>
            <dt>{t('account.scanner.read')}</dt>
            <dd>
              <code>{last.scan.text}</code>
            </dd>
            <dt>{t('account.scanner.means')}</dt>
            <dd>{t(`account.scanner.kinds.${readScan(last.scan.text).kind}`)}</dd>
            {(last.scan.unread ?? last.scan.mended) !== null && (
              <>
                <dt>{t('account.scanner.note')}</dt>
                <dd>{t(last.scan.unread === null ? `account.scanner.mended.${last.scan.mended ?? 'prefix'}` : 'frame.wrongKeyboard')}</dd>
              </>
            )}
          </dl>
        )}
      </output>
    </Panel>
  );
};
