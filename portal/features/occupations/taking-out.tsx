import { STAGES } from '@hatchway/domain/terms.ts';
import { IconDoorExit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Locker, type Occupation } from '../../app/queries.ts';
import { StageBadge } from '../../ui/stage-badge.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';

type Door = Pick<Locker, 'door' | 'contentWhy' | 'contentSince' | 'lastCommand'>;

/** Written down as taken out because its door opened for that, and the door has not closed since: whether it is empty nobody knows yet. */
export const isTakingOut = ({ stage }: Pick<Occupation, 'stage'>, locker: Door | undefined): boolean => {
  if (stage !== STAGES.VACANT || locker?.door !== 'opened' || locker.contentWhy !== 'taken-out') return false;
  const { lastCommand, contentSince } = locker;
  // Opened once more since, it is open for something else; not by a command, somebody said that they hold it in their hands.
  return lastCommand?.outcome === 'opened' && contentSince !== null && Date.parse(lastCommand.at) <= Date.parse(contentSince);
};

export const useTakingOut = (one: Pick<Occupation, 'stage' | 'lockerId'>): boolean =>
  isTakingOut(one, useQuery(lockerQuery(useApi(), one.lockerId)).data);

/** Its stage, save where that would say of an open door what is behind it. */
export const SeenStage = ({ one }: { one: Occupation }) => {
  const { t } = useTranslation();
  const takingOut = useTakingOut(one);
  if (!takingOut) return <StageBadge stage={one.stage} lent={Boolean(one.dueAt)} />;
  return <StateBadge icon={IconDoorExit} tone="accent" word={t('occupations.manage.takeOut.under')} />;
};
