import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { STAGES } from '@hatchway/domain/terms.ts';
import { deadline, shortTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { useZone } from '../../app/who.ts';
import type { Occupation } from '../../app/queries.ts';
import { Panel } from '../../ui/panel.tsx';
import { OverdueBadge, UseBadge } from '../../ui/stage-badge.tsx';
import { begunQuery, lateQuery, underWayQuery } from './api.ts';
import { CalledOffBadge } from './called-off.tsx';
import { ContactBadge } from './contact-badge.tsx';
import { DoubtBadge } from './doubt-note.tsx';
import { LookOverBadge } from './look-over.tsx';
import styles from './manage.module.css';
import { PLANS, type FillService } from './plan.ts';
import { goesOnAtDoor, wantsStaff } from './wants-staff.ts';

const SHOWN = 8;
/** As many are read; where there are more, their number is not known here. */
const MOST = 50;

/** What only staff can go on with comes first; then when somebody has to do something about it, soonest first. */
const urgency = (one: Occupation): string => (wantsStaff(one) ? '0' : one.overdue ? '1' : `2${one.dueAt ?? one.pickupBy ?? '9999'}`);
const isLow = (one: Occupation): boolean => one.quantity !== null && one.refillLevel !== null && one.quantity <= one.refillLevel;

type Props = { service: FillService; onGoOn: (one: Occupation) => void };

/** What of this service is out, waits or stands on the shelf now: loans with their due dates, stock with what is left. */
export const UnderWay = ({ service, onGoOn }: Props) => {
  const { t } = useTranslation();
  const { type } = PLANS[service];
  const api = useApi();
  const running = useQuery(underWayQuery(api, type, service));
  const late = useQuery(lateQuery(api, type, service));
  const begun = useQuery(begunQuery(api, type, service));
  const newest = running.data ?? [];
  const all = [...newest, ...(late.data ?? []), ...(begun.data ?? [])];
  const rows = [...new Map(all.map((one) => [one.id, one])).values()].filter(({ stage }) => stage < STAGES.TERMINATED);
  if (rows.length === 0) return null;
  const urgent = rows.toSorted((a, b) => Number(isLow(b)) - Number(isLow(a)) || urgency(a).localeCompare(urgency(b)));
  return (
    <Panel
      title={t(newest.length < MOST ? 'occupations.underWay.title' : 'occupations.underWay.many', { count: rows.length })}
      aside={
        <Anchor renderRoot={(props) => <Link to="/manage/occupations" search={{ service }} {...props} />}>{t('common.showAll')}</Anchor>
      }
    >
      <ul className={styles.found}>
        {urgent.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            {goesOnAtDoor(one) ? (
              <button type="button" className={styles.hit} onClick={() => onGoOn(one)}>
                <Row one={one} />
              </button>
            ) : (
              <Link to="/services/manageoccupation" search={{ id: one.id }} className={styles.hit}>
                <Row one={one} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
};

const Row = ({ one }: { one: Occupation }) => {
  const { t } = useTranslation();
  const zone = useZone();
  return (
    <>
      <b>{one.doorTag}</b>
      <span>
        {one.assetName ?? one.assetText ?? one.receiver?.name ?? t(`terms.type.${one.type}`)} <span>{more(one, zone, t)}</span>
      </span>
      <span>
        <UseBadge one={one} /> <DoubtBadge one={one} /> <CalledOffBadge one={one} /> <ContactBadge one={one} /> <LookOverBadge one={one} />{' '}
        {one.overdue && <OverdueBadge />}
      </span>
    </>
  );
};

const more = (one: Occupation, zone: string | undefined, t: TFunction): string => {
  const person = one.receiver?.name ?? (one.dueAt ? one.claimedBy?.name : undefined);
  const parts = [
    one.assetName === null && one.assetText === null ? undefined : person,
    one.dueAt ? t('occupations.underWay.due', { time: deadline(one.dueAt, zone, shortTime) }) : undefined,
    !one.dueAt && one.pickupBy ? t('occupations.underWay.until', { time: deadline(one.pickupBy, zone, shortTime) }) : undefined,
    one.quantity === null ? undefined : t('occupations.underWay.left', { count: one.quantity }),
    isLow(one) ? t('occupations.underWay.low') : undefined,
  ];
  return parts.filter(Boolean).join(' · ');
};
