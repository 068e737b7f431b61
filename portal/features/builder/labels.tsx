import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Label, LabelCard, PaperChoice, PrintSheet } from '../../ui/print-sheet.tsx';
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
  const labels = (qr: Qr): Label[] => [
    {
      key: cabinet.id,
      code: qr(new URL(`/c/${cabinet.number}`, config.endUser).href),
      title: String(cabinet.number),
      lines: [cabinet.name, t('builder.labelScan'), place],
    },
    ...doors.map(({ id, doorTag, size, name }) => ({
      key: id,
      code: qr(doorTag),
      title: doorTag,
      lines: [[size, name].filter((word) => word !== '').join(' · '), place, wall],
    })),
  ];
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
          <PaperChoice />
          {labels(draw)
            .slice(0, 1)
            .map((label) => (
              <div key={label.key} className={styles.big}>
                <LabelCard label={label} />
              </div>
            ))}
          <ul className={styles.labels}>
            {labels(draw)
              .slice(1)
              .map((label) => (
                <li key={label.key}>
                  <LabelCard label={label} />
                </li>
              ))}
          </ul>
          <PrintSheet labels={labels(draw)} />
        </>
      )}
    </>
  );
};
