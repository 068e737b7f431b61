import { useNow } from '../app/use-now.ts';
import { left } from '../app/when.ts';

/** What is left until `to`, by the server's clock. A timer is not spoken at every second. */
export function Countdown({ to, offset, text }: { to: string; offset: number; text: (span: string) => string }) {
  const now = useNow(offset, 500);
  return (
    <p className="dim" role="timer">
      {text(left(to, now))}
    </p>
  );
}
