/** What can go wrong at the phone company or the mail server, to be tried out on purpose. */
const SMS_FAULTS = ['refuse', 'accept-then-fail', 'answer-lost', 'slow', 'away', 'busy', 'broken', 'malformed', 'forged'] as const;
const MAIL_FAULTS = ['temporary', 'permanent', 'answer-lost', 'slow'] as const;
type SmsFault = (typeof SMS_FAULTS)[number];
type MailFault = (typeof MAIL_FAULTS)[number];

export type Fault = {
  channel: 'sms' | 'mail';
  kind: SmsFault | MailFault;
  /** How many more messages it hits; null until cleared. */
  times: number | null;
  /** Only messages to this number or address; null hits every one. */
  to: string | null;
  /** For `slow`: how long the answer waits. */
  ms: number;
};

/** Reads a fault from untrusted JSON; null where it is none. */
export function readFault(value: unknown): Fault | null {
  if (typeof value !== 'object' || value === null) return null;
  const { channel, kind, times, to, ms } = value as Record<string, unknown>;
  if (channel !== 'sms' && channel !== 'mail') return null;
  const kinds: readonly string[] = channel === 'sms' ? SMS_FAULTS : MAIL_FAULTS;
  if (typeof kind !== 'string' || !kinds.includes(kind)) return null;
  return {
    channel,
    kind: kind as Fault['kind'],
    times: times === undefined ? 1 : typeof times === 'number' && Number.isInteger(times) && times > 0 ? times : null,
    to: typeof to === 'string' && to !== '' ? to : null,
    ms: typeof ms === 'number' && ms >= 0 ? Math.min(ms, 60_000) : 3000,
  };
}
