import { isPriced } from '@hatchway/domain/price.ts';
import { isAsked, STAGES } from '@hatchway/domain/terms.ts';
import { Anchor } from '@mantine/core';
import { IconEyeCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { historyQuery, occupationQuery, type Occupation } from '../../app/queries.ts';
import { useNow } from '../../ui/moment.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import styles from './manage.module.css';

type Facts = Pick<Occupation, 'type' | 'stage' | 'awaitsWord'>;

/** What is to be lent lies inside and is offered to nobody: put in for the first time, or come back where returns are looked at. */
const waits = ({ type, stage }: Facts): boolean => type === 'lending' && stage === STAGES.FILLED;

/** Beside its stage, in every list: it waits for somebody to look, and does not move on by itself. */
export const LookOverBadge = ({ one }: { one: Facts }) => {
  const { t } = useTranslation();
  const word = one.awaitsWord ? 'word' : waits(one) ? 'badge' : null;
  return word === null ? null : <StateBadge icon={IconEyeCheck} tone="warn" word={t(`occupations.lookOver.${word}`)} />;
};

/** On its page: why it waits, what was noted as it came back, and what comes next. Only its history tells what has been out from what never was. */
export const LookOverNote = ({ one }: { one: Occupation }) => {
  const { t } = useTranslation();
  const asked = { q: { occupationId: one.id, type: 'occupation_returned' }, limit: 1 };
  const back = useQuery({ ...historyQuery(useApi(), asked), enabled: waits(one) }).data;
  if (one.continuedBy !== null) return <GoesOn id={one.continuedBy} />;
  if (one.awaitsWord)
    return <p className={styles.label}>{t(`occupations.lookOver.${one.stage === STAGES.INITIATED ? 'unsaidFill' : 'unsaid'}`)}</p>;
  if (one.finishesAt !== null) return <Settling one={one} at={one.finishesAt} />;
  if (!waits(one) || back === undefined) return null;
  const condition = back[0]?.data['condition'];
  return (
    <p className={styles.label}>
      {t(`occupations.lookOver.${back.length > 0 ? 'back' : 'fresh'}`)}
      {typeof condition === 'string' && ` ${t('occupations.lookOver.noted', { condition })}`}
    </p>
  );
};

/** Somebody outside found something in its locker, and brings it behind another door: it has not come to nothing. */
const GoesOn = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const tag = useQuery(occupationQuery(useApi(), id)).data?.doorTag;
  return (
    <p className={styles.label}>
      {t('occupations.manage.goesOn')}{' '}
      {tag !== undefined && (
        <Anchor renderRoot={(props) => <Link to="/services/manageoccupation" search={{ id }} {...props} />}>
          {t('occupations.manage.goesOnAt', { tag })}
        </Anchor>
      )}
    </p>
  );
};

/** Its clock is told to whoever can stop it. Each second is shown, and not spoken. */
const Settling = ({ one, at }: { one: Occupation; at: string }) => {
  const { t } = useTranslation();
  const count = Math.max(0, Math.ceil((Date.parse(at) - useNow()) / 1000));
  const paid = isPriced(one.price) && !isAsked(one.type);
  const how = one.stage === STAGES.INITIATED ? 'filled' : one.stillInside ? 'putBack' : paid ? 'captured' : 'taken';
  return (
    <p className={styles.label}>
      <output>{t(`occupations.lookOver.counts.${how}`, { putBack: t('occupations.manage.action.return') })}</output>{' '}
      <span role="timer">{t('occupations.lookOver.secondsLeft', { count })}</span>
    </p>
  );
};
