import type { Channel, Effect, Occupation } from '@hatchway/domain/occupation-types.ts';
import { toE164, type Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
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
  const { locale } = await companyFacts(tx, scope.tenantId);
  for (const channel of channelsFor(receiver, wish)) {
    await queueMessage(tx, deps, scope, { occupationId: o.id, kind, cause, channel, receiver, locale });
  }
};

type StaffReason = Extract<Effect, { kind: 'tell-staff' }>['reason'] | 'report';

/** Whoever the company's settings name for such news. */
export const tellStaff = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  o: Occupation,
  reason: StaffReason,
  cause = `staff-${reason}:${o.id}:${o.version}`,
): Promise<void> => {
  const { locale, settings, country } = await companyFacts(tx, scope.tenantId);
  for (const [place, alert] of (settings.alerts ?? []).entries()) {
    if (alert.event !== reason && alert.event !== 'all') continue;
    const receiver: Receiver =
      alert.channel === 'sms'
        ? { name: '', tlf: toE164(alert.to, country) ?? alert.to, email: null }
        : { name: '', tlf: null, email: alert.to };
    const kind = `staff-${reason}`;
    await queueMessage(tx, deps, scope, { occupationId: o.id, kind, cause: `${cause}:${place}`, channel: alert.channel, receiver, locale });
  }
};
