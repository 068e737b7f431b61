import { quietUntil } from '@hatchway/domain/alerts.ts';
import type { Channel, Effect, Occupation } from '@hatchway/domain/occupation-types.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { alertStaff } from '../messages/alert-commands.ts';
import { queueMessage } from '../messages/commands.ts';
import { companyFacts } from './context-queries.ts';

/** By which ways a receiver is told: those asked for that lead to them, else the number before the address. */
export const channelsFor = (receiver: Receiver, wish: Channel | null): ('sms' | 'mail')[] => {
  const held = [...(receiver.tlf === null ? [] : (['sms'] as const)), ...(receiver.email === null ? [] : (['mail'] as const))];
  if (wish === 'both') return held;
  return wish === null ? held.slice(0, 1) : held.filter((channel) => channel === wish);
};

/** Messages to the receiver. The cause names the version that caused them: the same change never tells twice. */
export const tellReceiver = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  o: Occupation,
  kind: string,
  wish: Channel | null,
  cause = `${kind}:${o.id}:${o.version}`,
): Promise<void> => {
  const { receiver } = o;
  if (receiver === null) return;
  const { locale, settings, timeZone } = await companyFacts(tx, scope.tenantId);
  // A reminder can wait until morning; that something is there, or is gone, cannot: somebody just did it.
  const at = kind === 'reminder' ? quietUntil(settings.quietHours, timeZone, scope.now) : null;
  for (const channel of channelsFor(receiver, wish)) {
    await queueMessage(tx, deps, scope, { occupationId: o.id, kind, cause, channel, receiver, locale, ...(at === null ? {} : { at }) });
  }
};

type StaffReason = Extract<Effect, { kind: 'tell-staff' }>['reason'] | 'report';

/** What its door does changes nothing of the use itself, whose version would call all incidents the same. */
const incidentAt = async (tx: Tx, { tenantId, lockerId }: Occupation): Promise<number> => {
  const locker = await tx
    .selectFrom('lockers')
    .select('incident_at')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', lockerId)
    .executeTakeFirst();
  return Date.parse(locker?.incident_at ?? '') || 0;
};

/** Whoever the company's settings name for such news. */
export const tellStaff = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, reason: StaffReason, cause?: string): Promise<void> => {
  const what = reason === 'unexpected-opening' ? await incidentAt(tx, o) : o.version;
  await alertStaff(tx, deps, scope, { event: reason, cause: cause ?? `staff-${reason}:${o.id}:${what}`, occupationId: o.id });
};
