import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { serverNow } from '../app/clock.ts';
import { deadline, fullTime, listed, shortTime } from '../app/dates.ts';
import { onMidnight } from '../app/midnight.ts';

type Props = { at: string | null | undefined; whole?: boolean; row?: boolean; zone?: string | undefined };

/**
 * A time as the specification shows it, with both its parts on hover; at midnight it turns into a date by itself. `whole`: both parts, of a
 * deadline by whose minute something is late. `zone`: the company's, of any deadline. `row`: of a list,
 * whose times all stand by that clock and are kept short.
 */
export const Moment = ({ at, whole = false, row = false, zone }: Props) => {
  // A list's times are of today by the company's clock where that shows another time than the browser's.
  const listedIn = row ? zone : undefined;
  const subscribe = useCallback(
    (tell: () => void) => {
      const offs = [undefined, listedIn].map((one) => onMidnight(tell, one));
      return () => offs.forEach((off) => off());
    },
    [listedIn],
  );
  // The text itself is what is watched: at midnight those alone are drawn again that read otherwise.
  const text = useSyncExternalStore(subscribe, () => (row ? listed(at, zone) : deadline(at, zone, whole ? fullTime : shortTime)));
  if (!at) return <span>–</span>;
  return (
    <time dateTime={at} title={deadline(at, zone)}>
      {text}
    </time>
  );
};

/** The time now, ticking, by the server's clock: for what is said to last. */
export const useNow = (every = 1000): number => {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
};
