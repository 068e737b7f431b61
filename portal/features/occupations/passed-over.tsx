import { isFailing } from '@hatchway/domain/locker.ts';
import { useTranslation } from 'react-i18next';
import { fullTime, shortTime } from '../../app/dates.ts';
import { isLinked, type LockerFacts } from '../lockers/door-view.ts';
import type { DoorChoice } from './choice.ts';
import { endOfCommand } from './running.ts';

/** Why the door that one would expect is not the one: in a line, since the wall shows no more of it than any other free door. */
export const PassedOver = ({ choice: { passed } }: { choice: DoorChoice }) => {
  const { t } = useTranslation();
  if (passed === null) return null;
  const { locker, why } = passed;
  const last = locker.lastCommand;
  const how = why === 'failing' ? (endOfCommand(last?.outcome, last?.code) ?? 'refused') : why;
  return <span>{t(`lockers.fit.passed.${how}`, { tag: locker.doorTag, time: shortTime(last?.at) })}</span>;
};

/**
 * What is offered, where nothing else is free or somebody chose it, though it did not open when it was last asked to, or somebody else can
 * open it by a link.
 */
export const NotOpened = ({ locker }: { locker: LockerFacts | null }) => {
  const { t } = useTranslation();
  if (locker === null) return null;
  const { doorTag: tag, openLinkUntil } = locker;
  return (
    <>
      <DidNotOpen locker={locker} />
      {isLinked(locker) && <strong>{t('lockers.fit.linked', { tag, time: fullTime(openLinkUntil) })}</strong>}
    </>
  );
};

const DidNotOpen = ({ locker }: { locker: LockerFacts }) => {
  const { t } = useTranslation();
  const last = locker.lastCommand;
  if (last === null || !isFailing(last)) return null;
  const how = last.outcome === 'no-answer' ? 'no-answer' : endOfCommand(last.outcome, last.code) === 'not-seen' ? 'not-seen' : 'refused';
  return <strong>{t(`lockers.fit.failing.${how}`, { tag: locker.doorTag, time: shortTime(last.at) })}</strong>;
};
