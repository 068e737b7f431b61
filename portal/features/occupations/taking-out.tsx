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

/** Its controller says that it opened, and no sensor sees it: how that ends nobody but a person can say. */
const isUnseen = (locker: Locker | undefined): boolean =>
  locker?.lastCommand?.outcome === 'opened' && !(locker.door === 'opened' && locker.connection === 'online');

/** With the door open the likely thing is done with the hands: closing it says that it was taken out, and whoever left it inside says so. */
export const TakingOut = ({ one }: { one: Occupation }) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const locker = useQuery(lockerQuery(useApi(), one.lockerId)).data;
  const [busy, setBusy] = useState<'taken' | 'stays' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const tag = one.doorTag;
  const unseen = isUnseen(locker);
  const say = async (word: 'taken' | 'stays') => {
    setBusy(word);
    setError(null);
    try {
      if (word === 'stays') await commands.doubt(one.id, 'stays-inside');
      else if (one.takingOut === 'end') await commands.retrieve(one.id);
      else await commands.act({ action: 'extract', id: one.id });
      toast.ok(t(`occupations.manage.takeOut.${word === 'stays' ? 'stayed' : 'said'}`, { tag }));
    } catch (failure) {
      setError(failure);
    }
    setBusy(null);
  };
  const button = (word: 'taken' | 'stays', variant: 'filled' | 'default') => (
    <Button variant={variant} loading={busy === word} disabled={busy !== null && busy !== word} onClick={() => void say(word)}>
      {t(`occupations.manage.takeOut.${word}`)}
    </Button>
  );
  return (
    <>
      <p className={styles.label}>{t(`occupations.manage.takeOut.${unseen ? 'unseen' : 'hands'}`, { tag })}</p>
      <div className={styles.acts}>
        {unseen && button('taken', 'filled')}
        {button('stays', 'default')}
      </div>
      {error !== null && <ProblemNote error={error} />}
    </>
  );
};
