import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Locker, type Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useOccupationCommands } from './api.ts';
import styles from './manage.module.css';

/** Shut again, or seen by no sensor since its controller said that it opened: what came of it nobody but a person can say. */
const isOver = ({ lastCommand, door, connection }: Locker): boolean =>
  lastCommand !== null && lastCommand.outcome !== 'pending' && !(door === 'opened' && connection === 'online');

/**
 * With the door open the likely thing is done with the hands, and whoever left it inside says so. A door that is shut says nothing of what
 * lies behind it: where no sensor does either, whoever stood there is asked, and one answer is as likely as the other.
 */
export const TakingOut = ({ one }: { one: Occupation }) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const locker = useQuery(lockerQuery(useApi(), one.lockerId)).data;
  const [busy, setBusy] = useState<'taken' | 'stays' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const tag = one.doorTag;
  const over = locker !== undefined && isOver(locker);
  const say = async (word: 'taken' | 'stays') => {
    setBusy(word);
    setError(null);
    try {
      if (word === 'stays') await commands.doubt(one.id, 'stays-inside');
      else if (one.takingOut === 'end') await commands.retrieve(one.id);
      else await commands.act({ action: 'extract', id: one.id, ...(one.takingOut === 'move' ? { move: true } : {}) });
      toast.ok(t(`occupations.manage.takeOut.${word === 'stays' ? 'stayed' : 'said'}`, { tag }));
    } catch (failure) {
      setError(failure);
    }
    setBusy(null);
  };
  const button = (word: 'taken' | 'stays') => (
    <Button variant="default" loading={busy === word} disabled={busy !== null && busy !== word} onClick={() => void say(word)}>
      {t(`occupations.manage.takeOut.${word}`)}
    </Button>
  );
  return (
    <>
      <p className={styles.label} aria-live="polite">
        {t(`occupations.manage.takeOut.${over ? 'unseen' : 'hands'}`, { tag })}
      </p>
      <div className={styles.acts}>
        {over && button('taken')}
        {button('stays')}
      </div>
      {error !== null && <ProblemNote error={error} />}
    </>
  );
};
