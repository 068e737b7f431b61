import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Cabinet, Site } from './api.ts';
import styles from './labels.module.css';
import { WallsButton } from './walls-button.tsx';
import { Placeholder } from '../../ui/panel.tsx';

type Qr = (text: string) => string;

/** Draws QR codes; loaded when somebody prints. */
const useQr = (): Qr | null => {
  const [qr, setQr] = useState<{ draw: Qr } | null>(null);
  useEffect(() => {
    let there = true;
    void import('../../ui/qr.ts').then(({ qrSvg }) => there && setQr({ draw: qrSvg }));
    return () => {
      there = false;
    };
  }, []);
  return qr?.draw ?? null;
};

type Props = { cabinet: Cabinet; site: Site | undefined; lockers: readonly Locker[] };

/** What is cut out and put on the steel: one label a door, and the cabinet's own with its number. Each says where it belongs. */
export const Labels = ({ cabinet, site, lockers }: Props) => {
  const { t } = useTranslation();
  const { config } = usePortal();
  const draw = useQr();
  const order = new Map(cabinet.columns.flatMap(({ doors }) => doors).map(({ lockerId }, at) => [lockerId, at]));
  const place = site ? [site.name, site.address.trim()].filter(Boolean).join(', ') : '';
  const wall = `${cabinet.name} · ${t('builder.cabinetNumber', { number: cabinet.number })}`;
  const doors = lockers.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return (
    <>
      <PageHeader
        title={`${t('builder.labels')} · ${cabinet.name}`}
        intro={t('builder.labelsIntro')}
        actions={
          <>
            <WallsButton search={{ cabinet: cabinet.id }} variant="default">
              {t('common.back')}
            </WallsButton>
            <Button leftSection={<IconPrinter size={18} aria-hidden />} disabled={draw === null} onClick={() => globalThis.print()}>
              {t('builder.print')}
            </Button>
          </>
        }
      />
      {draw === null ? (
        <Placeholder height={240} />
      ) : (
        <>
          <div className={`${styles.label} ${styles.big}`}>
            <Code svg={draw(new URL(`/c/${cabinet.number}`, config.endUser).href)} />
            <span>
              <b>{cabinet.number}</b>
              <small>{cabinet.name}</small>
              <br />
              <small>{t('builder.labelScan')}</small>
            </span>
            <Belongs lines={[place]} />
          </div>
          <ul className={styles.labels}>
            {doors.map((locker) => (
              <li key={locker.id} className={styles.label}>
                <Code svg={draw(locker.doorTag)} />
                <span>
                  <b>{locker.doorTag}</b>
                  <small>{[locker.size, locker.name].filter((word) => word !== '').join(' · ')}</small>
                </span>
                <Belongs lines={[place, wall]} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};

/** The drawing comes from our own code alone: digits, letters and an address of ours. */
const Code = ({ svg }: { svg: string }) => <span aria-hidden dangerouslySetInnerHTML={{ __html: svg }} />;

/** Where a label that was found belongs: small, below the code and the tag, and no longer than the label has room for. */
const Belongs = ({ lines }: { lines: readonly string[] }) => (
  <span className={styles.belongs}>
    {lines
      .filter((line) => line !== '')
      .map((line) => (
        <small key={line}>{line}</small>
      ))}
  </span>
);
