import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../app/portal.ts';
import styles from './connection.module.css';

/** A cut shorter than this is not worth a word: the client is back in two seconds. */
const PATIENCE = 3_000;

/** Quiet while live; says so, in words too, when what is shown may be old. */
export const Connection = () => {
  const { t } = useTranslation();
  const { live } = usePortal();
  // Trying and failing by turns is one cut, not many short ones.
  const open = useSyncExternalStore(live.onState, live.state) === 'open';
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (open) return undefined;
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [open]);
  const label = t(open ? 'frame.live' : late ? 'frame.notLive' : 'frame.connecting');
  return (
    <output className={styles.connection} data-state={open ? 'open' : late ? 'cut' : 'waiting'} aria-label={label} title={label}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.word} aria-hidden>
        {late ? t('frame.connecting') : t('frame.live')}
      </span>
    </output>
  );
};
