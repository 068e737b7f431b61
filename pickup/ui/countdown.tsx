import { useEffect, useState } from 'react';
import { left } from '../app/when.ts';

/** What is left until `to`, by the server's clock. Spoken once, not every second. */
export function Countdown({ to, offset, text }: { to: string; offset: number; text: (span: string) => string }) {
  const [now, setNow] = useState(() => Date.now() + offset);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() + offset), 500);
    return () => clearInterval(timer);
  }, [offset]);
  return (
    <p className="dim" role="timer">
      {text(left(to, now))}
    </p>
  );
}
