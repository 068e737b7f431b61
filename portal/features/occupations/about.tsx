import { formatPrice } from '@hatchway/domain/price.ts';
import { isAsked } from '@hatchway/domain/terms.ts';
import { IconAlertTriangle, IconDoor, IconLockOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../app/language.ts';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Occupation } from '../../app/queries.ts';
import { useZone } from '../../app/who.ts';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { connectionWord, doorWord, notLocked } from '../lockers/door-view.ts';
import { useClosedDay } from './closed-day.ts';
import styles from './manage.module.css';
import { usePlace } from './place.ts';
import { serviceOf } from './plan.ts';
import { spanWords } from './span-select.tsx';

/** What lies inside, by name: the asset's, or what was written. */
export const useContent = (one: Occupation): string => {
  const { t } = useTranslation();
  return one.assetName ?? one.assetText ?? t(`terms.type.${one.type}`);
};

/** Each part stands whole on its line; an address that is longer than that is parted before its @. */
const Person = ({ parts }: { parts: readonly string[] }) =>
  parts.map((part, index) => {
    const [before, ...domain] = part.split('@');
    return (
      <Fragment key={part}>
        {index > 0 && ' · '}
        <span className={styles.part}>
          {before}
          {domain.length > 0 && (
            <>
              <wbr />@{domain.join('@')}
            </>
          )}
        </span>
      </Fragment>
    );
  });

/** What is known of it: what, for whom, where, until when. */
export const About = ({ one }: { one: Occupation }) => {
  const { t, i18n } = useTranslation();
  const api = useApi();
  const locker = useQuery(lockerQuery(api, one.lockerId)).data;
  const content = useContent(one);
  const { place } = usePlace(one);
  const person = [one.receiver?.name, one.receiver?.tlf, one.receiver?.email].flatMap((part) => (part ? [part] : []));
  const zone = useZone();
  const closedDay = useClosedDay(one.lockerId);
  const until = (at: string | null | undefined) => (
    <>
      <Moment at={at} whole zone={zone} /> {closedDay(at)}
    </>
  );
  const lent = Boolean(one.dueAt);
  const asked = isAsked(one.type);
  const row = (name: string, value: ReactNode, shown = true): (readonly [string, ReactNode])[] => (shown ? [[name, value]] : []);
  const locale = localeOf(i18n.language);
  return (
    <Panel title={t('terms.occupation')}>
      <Facts
        rows={[
          ...row(t('occupations.manage.service'), t(`terms.service.${serviceOf(one)}`)),
          ...row(t('occupations.manage.what'), content),
          ...row(
            t('occupations.stock.quantity'),
            [
              t('occupations.stock.pieces', { count: one.quantity ?? 0 }),
              ...(one.held > 0 ? [t('occupations.manage.held', { count: one.held })] : []),
              ...(one.refillLevel === null ? [] : [t('occupations.stock.refillAt', { level: one.refillLevel })]),
            ].join(' · '),
            one.quantity !== null,
          ),
          ...row(t('occupations.stock.price'), one.price === null ? '' : formatPrice(one.price, locale), one.price !== null),
          ...row(
            t(`occupations.manage.${lent ? 'borrower' : asked ? 'person' : one.type === 'storage' ? 'owner' : 'receiver'}`),
            person.length === 0 ? lent ? (one.claimedBy?.name ?? '–') : '–' : <Person parts={person} />,
            person.length > 0 || lent || one.type === 'delivery',
          ),
          ...row(t('occupations.manage.dueAt'), until(one.dueAt), lent),
          ...row(t('occupations.span.loan'), spanWords(one.loanHours ?? 0, t), one.loanHours !== null && !lent),
          ...row(
            t('occupations.manage.locker'),
            locker === undefined ? one.doorTag : `${place} (${locker.size}) · ${connectionWord(locker, t)} · ${doorWord(locker, t)}`,
          ),
          ...row(t('occupations.manage.since'), <Moment at={one.updatedAt} />),
          ...row(
            t('occupations.manage.reservedUntil'),
            <Moment at={one.reservedUntil} zone={zone} />,
            one.reservedUntil !== null && one.stage <= 1,
          ),
          ...row(t(`occupations.manage.${one.type === 'storage' ? 'keptUntil' : 'pickupBy'}`), until(one.pickupBy), one.pickupBy !== null),
          ...row(t('occupations.manage.order'), one.orderRef, one.orderRef !== null),
          ...row(t('occupations.manage.external'), one.externalRef, one.externalRef !== null),
          ...row(t('occupations.manage.note'), one.note, one.note !== null),
          ...row(t('occupations.manage.by'), one.createdBy.name),
        ]}
      />
    </Panel>
  );
};

/** Beside the stage, which says what lies inside: a door that stands open or whose lock did not catch, and that it is to be checked; why, its note says. */
export const DoorBadges = ({ lockerId }: { lockerId: string }) => {
  const { t } = useTranslation();
  const locker = useQuery(lockerQuery(useApi(), lockerId)).data;
  if (locker === undefined) return null;
  return (
    <>
      {locker.door === 'opened' && <StateBadge icon={IconDoor} tone="warn" word={t('occupations.manage.doorOpen')} />}
      {notLocked(locker) && <StateBadge icon={IconLockOpen} tone="warn" word={t('terms.lockerState.not-locked')} />}
      {locker.inDoubt && <StateBadge icon={IconAlertTriangle} tone="warn" word={t('terms.lockerState.inDoubt')} />}
    </>
  );
};
