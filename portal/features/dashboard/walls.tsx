import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery, wallQuery, type Cabinet } from '../../app/queries.ts';
import { useAccess } from '../../app/who.ts';
import { Panel, Placeholder } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { DoorIcon } from '../../ui/wall/door-icon.tsx';
import { countLooks, DOOR_LOOKS, type DoorLook, type Doors } from '../../ui/wall/model.ts';
import { useNear } from '../../ui/wall/near.ts';
import { SmallWall } from '../../ui/wall/small-wall.tsx';
import { doorsOf } from '../lockers/door-view.ts';
import { MayLead } from './may-lead.tsx';
import styles from './walls.module.css';
import { WALLS_HIGH } from './walls-high.ts';

/** So many stand in one row: a company of many cabinets has the rest a press away. */
const FEW = 4;
/** What somebody may want to look into: said under its wall, in words. */
const ASK: ReadonlySet<DoorLook> = new Set(['open', 'not-locked', 'overdue', 'failing', 'unknown', 'inDoubt', 'out-of-service']);
const NO_DOORS: Doors = {};

/** Each cabinet as it stands now, drawn small; pressed, it leads to its doors. */
export const Walls = () => {
  const { t } = useTranslation();
  const { builds } = useAccess();
  const cabinets = useQuery(cabinetsQuery(useApi()));
  const [all, setAll] = useState(false);
  const some = useMemo(() => (cabinets.data ?? []).filter((cabinet) => cabinet.columns.length > 0), [cabinets.data]);
  const shown = all ? some : some.slice(0, FEW);
  return (
    <Panel
      title={t('dashboard.walls')}
      aside={
        some.length > FEW && (
          <button type="button" className={styles.all} aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('dashboard.fewWalls') : t('dashboard.allWalls', { count: some.length })}
          </button>
        )
      }
    >
      {cabinets.isPending && <Placeholder height={WALLS_HIGH} />}
      {cabinets.isError && !cabinets.data && <ProblemNote error={cabinets.error} onRetry={() => void cabinets.refetch()} />}
      {cabinets.data && some.length === 0 && (
        <p className={styles.none}>
          {t('lockers.wall.noneText')}{' '}
          {builds && (
            <Link to="/manage/lockers" search={{}} className={styles.link}>
              {t('lockers.wall.setUp')}
            </Link>
          )}
        </p>
      )}
      {shown.length > 0 && (
        <ul className={styles.walls}>
          {shown.map((cabinet, at) => (
            <CabinetNow key={cabinet.id} cabinet={cabinet} later={at >= FEW} />
          ))}
        </ul>
      )}
    </Panel>
  );
};

/** `later`: its doors are asked for when it comes into sight. */
const CabinetNow = ({ cabinet, later }: { cabinet: Cabinet; later: boolean }) => {
  const { t } = useTranslation();
  const tile = useRef<HTMLLIElement>(null);
  const near = useNear(tile, later);
  const wall = useQuery({ ...wallQuery(useApi(), cabinet.id), enabled: near });
  const doors = useMemo(() => (wall.data ? doorsOf(wall.data) : NO_DOORS), [wall.data]);
  const counts = useMemo(() => countLooks(Object.values(doors)), [doors]);
  const looks = DOOR_LOOKS.filter((look) => counts.has(look));
  const to: LinkProps | null = useAccess().may('lock-control') ? { to: '/services/lock-control', search: { cabinet: cabinet.id } } : null;
  return (
    <li ref={tile} aria-busy={wall.isPending || undefined}>
      {/* What was known before a call failed is not what is known now. */}
      {wall.isError ? (
        <div className={styles.failed}>
          <b>{cabinet.name}</b>
          <ProblemNote error={wall.error} title={t('lockers.wall.failed')} onRetry={() => void wall.refetch()} />
        </div>
      ) : (
        <MayLead to={to} className={styles.wall}>
          <SmallWall
            name={cabinet.name}
            detail={cabinet.siteName}
            online={cabinet.connection === 'online'}
            layout={cabinet.columns}
            doors={doors}
          />{' '}
          <span className={styles.counts}>
            {wall.isPending && t('common.loading')}
            {looks.map((look) => (
              // What needs nobody is drawn, and said to whoever does not see it.
              <span key={look} className={ASK.has(look) ? styles.count : 'hw-spoken'}>
                <DoorIcon look={look} size={13} />
                {`${counts.get(look)} ${t(`terms.lockerState.${look}`)}`}
                <span className="hw-spoken">, </span>
              </span>
            ))}
          </span>
        </MayLead>
      )}
    </li>
  );
};
