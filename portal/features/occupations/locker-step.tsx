import { SegmentedControl } from '@mantine/core';
import { mayBuild } from '@hatchway/domain/access.ts';
import { SIZES, type Service } from '@hatchway/domain/terms.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useFacts } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Legend } from '../../ui/wall/legend.tsx';
import { countLooks } from '../../ui/wall/model.ts';
import { Wall } from '../../ui/wall/wall.tsx';
import { tagQuery } from '../lockers/api.ts';
import { doorsFor } from '../lockers/door-view.ts';
import { NO_DOOR } from '../lockers/fit.ts';
import { CabinetSelect } from './cabinet-select.tsx';
import type { DoorChoice } from './choice.ts';
import type { Draft } from './draft.ts';
import { chosenWord, fitWords } from './fit-words.ts';
import { NotOpened, PassedOver } from './passed-over.tsx';
import { useScanner } from './scanner.ts';
import styles from './service.module.css';
import { Placeholder } from '../../ui/panel.tsx';

type Props = { draft: Draft; service: Service; choice: DoorChoice; onChange: (patch: Partial<Draft>) => void };

/** What stands over and under the wall on this screen: bar, title, steps, what the fills mean, plate, buttons. */
const BESIDE = 384;

/** The live wall, with the best door chosen already; picking another is one press, an arrow walk or a scan of its tag. */
export const LockerStep = ({ draft, service, choice, onChange }: Props) => {
  const { t } = useTranslation();
  const { api, queryClient } = usePortal();
  const facts = useFacts();
  const [said, setSaid] = useState('');
  const { walls } = choice;
  const shownId = choice.locker?.cabinetId ?? choice.cabinetId;
  const cabinet = walls.cabinets.find((one) => one.id === shownId) ?? walls.cabinets[0];
  const here = useMemo(() => walls.lockers.filter((locker) => locker.cabinetId === cabinet?.id), [walls.lockers, cabinet?.id]);
  const doors = useMemo(() => doorsFor(here, service, t), [here, service, t]);
  // A low door has no room for its word: what its icon means is said of those that cannot be picked, too.
  const looks = useMemo(() => {
    const { back = [], counts = [] } = Object.groupBy(Object.values(doors), (door) => (door.faint === true ? 'back' : 'counts'));
    return { counts: countLooks(counts), back: countLooks(back) };
  }, [doors]);
  const selected = useMemo(() => new Set(choice.locker === null ? [] : [choice.locker.id]), [choice.locker]);

  // Whoever scanned a door looks at it and not at the screen: it is brought into sight. Otherwise the page stays where it is read.
  const hall = useRef<HTMLDivElement>(null);
  const [read, setRead] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (read === null) return;
    hall.current?.querySelector(`[data-door="${CSS.escape(read.id)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [read]);

  const pick = (lockerId: string) => {
    setSaid('');
    onChange({ lockerId, cabinetId: walls.lockers.find((locker) => locker.id === lockerId)?.cabinetId ?? draft.cabinetId });
  };
  const refuse = (id: string, why: string) => {
    const tag = doors[id]?.tag ?? '';
    // Who cannot settle a doubt is told who can.
    const ask = doors[id]?.look === 'inDoubt' && !mayBuild([id], facts);
    setSaid([t('occupations.locker.refused', { tag, why }), ...(ask ? [t('occupations.manage.doubtAsk', { tag })] : [])].join(' '));
  };

  useScanner((text) => {
    const tag = text.trim().toUpperCase();
    // Whoever scans stands at that door: the one that was chosen before is not theirs any more.
    const none = (why: string) => {
      setSaid(why);
      onChange({ lockerId: NO_DOOR });
    };
    const take = (locker: Locker | null) => {
      if (locker === null) return none(t('occupations.locker.noScan', { tag }));
      const blocked = doorsFor([locker], service, t)[locker.id]?.blocked;
      if (blocked !== undefined) return none(t('occupations.locker.refused', { tag: locker.doorTag, why: blocked }));
      setSaid('');
      setRead({ id: locker.id });
      onChange({ lockerId: locker.id, cabinetId: locker.cabinetId });
      return undefined;
    };
    const known = walls.lockers.find((one) => one.doorTag.toUpperCase() === tag);
    if (known !== undefined || walls.unread === 0) return take(known ?? null);
    // It may be a door of a wall that is not read.
    void queryClient.fetchQuery({ ...tagQuery(api, tag), staleTime: 0 }).then(take, toast.fail);
    return undefined;
  });

  if (walls.error !== null && here.length === 0)
    return <ProblemNote error={walls.error} title={t('lockers.wall.failed')} onRetry={walls.retry} />;
  if (walls.pending && here.length === 0) return <Placeholder height={420} />;
  if (cabinet === undefined) return <Notice level={2} title={t('lockers.wall.none')} text={t('lockers.wall.noneText')} />;

  return (
    <div className={styles.picking}>
      <div className={styles.choosing}>
        <div className={styles.chosen}>
          <span className={styles.plate} data-none={choice.locker === null || undefined}>
            {choice.locker?.doorTag ?? '–'}
            {choice.locker !== null && <small>{choice.locker.size}</small>}
          </span>
          <p className={styles.why} aria-live="polite">
            <b>{chosenWord(choice, t)}</b>
            {fitWords(choice, t)} <PassedOver choice={choice} /> <NotOpened locker={choice.locker} />
          </p>
        </div>
        <div>
          <span className={styles.label} id="wanted-size">
            {t('occupations.locker.size')}
          </span>
          <SegmentedControl
            aria-labelledby="wanted-size"
            value={draft.size ?? ''}
            onChange={(size) => onChange({ size: size === '' ? null : size, lockerId: null })}
            data={[{ value: '', label: t('occupations.locker.anySize') }, ...SIZES.map((size) => ({ value: size, label: size }))]}
          />
        </div>
        <CabinetSelect service={service} choice={choice} onChange={onChange} />
        {said !== '' && (
          <p className={styles.quiet} role="alert">
            {said}
          </p>
        )}
      </div>
      <div className={styles.hall} ref={hall}>
        <Legend counts={looks.counts} back={looks.back} />
        <Wall
          name={cabinet.name}
          detail={`${cabinet.siteName} · ${t('lockers.wall.number', { number: cabinet.number })}`}
          online={cabinet.connection === 'online'}
          layout={cabinet.columns}
          doors={doors}
          selected={selected}
          {...(choice.locker !== null && choice.why !== 'by-hand' ? { suggested: choice.locker.id } : {})}
          beside={BESIDE}
          onPick={pick}
          onBlocked={refuse}
        />
      </div>
    </div>
  );
};
