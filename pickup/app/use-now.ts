import { useEffect, useState } from 'react';

/** The server's time, fresh every `every` milliseconds. */
export function useNow(offset: number, every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now + offset;
}
