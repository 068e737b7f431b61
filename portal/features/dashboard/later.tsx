import { type ReactNode, useEffect, useState } from 'react';
import styles from './dashboard.module.css';

/** A frame after the one that shows what asks. */
export const painted = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** The turn of the last part. */
const LAST = 3;
/** Once it was all drawn, the screen is drawn at once whenever somebody comes back to it. */
let seen = false;

/** A part below the first screenful: at the first look each `turn` is drawn by itself once those before it are painted, and a press is heard in between. */
export const Later = ({ turn, children }: { turn: number; children: ReactNode }) => {
  const [drawn, setDrawn] = useState(seen);
  useEffect(() => {
    if (drawn) return undefined;
    let gone = false;
    const wait = async (): Promise<void> => {
      for (let passed = 0; passed < turn; passed++) await painted();
      if (gone) return;
      seen ||= turn === LAST;
      setDrawn(true);
    };
    void wait();
    return () => {
      gone = true;
    };
  }, [drawn, turn]);
  return drawn ? children : <div className={styles.later} />;
};
