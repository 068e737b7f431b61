import { useTranslation } from 'react-i18next';
import { shortTime } from '../../app/dates.ts';
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
