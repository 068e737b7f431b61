import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';

export type QueuedMessage = {
  occupationId: string | null;
  /** Which text: ready, request, taken-out, reminder, staff-…. */
  kind: string;
  /** Unique with the channel: one message for one cause. */
  cause: string;
  channel: 'sms' | 'mail';
  receiver: Receiver;
  locale: 'en' | 'nb';
};

const masked = (to: string): string =>
  to.includes('@') ? `${to.slice(0, 1)}…${to.slice(to.indexOf('@'))}` : `${to.slice(0, 3)}…${to.slice(-2)}`;

/** Writes the message down and enqueues its sending. The same cause on the same channel is one message, whoever asks again. */
export const queueMessage = async (tx: Tx, deps: Deps, scope: Scope, message: QueuedMessage): Promise<void> => {
  const to = message.channel === 'sms' ? message.receiver.tlf : message.receiver.email;
  if (to === null) return;
  const id = newId();
  const made = await tx
    .insertInto('messages')
    .values({
      tenant_id: scope.tenantId,
      id,
      occupation_id: message.occupationId,
      cause: message.cause,
      kind: message.kind,
      channel: message.channel,
      to_masked: masked(to),
      to_sealed: deps.seal.close(JSON.stringify({ to, name: message.receiver.name })),
      message_id: id,
      locale: message.locale,
      state: 'queued',
      created_at: scope.now,
      updated_at: scope.now,
    })
    .onConflict((conflict) => conflict.constraint('messages_cause').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return;
  await deps.jobs.enqueue(tx, { name: 'message', tenantId: scope.tenantId, messageId: id });
  await record(tx, scope, [], [{ kind: 'messages', id, method: 'POST' }]);
};
