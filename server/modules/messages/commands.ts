import { sql, type Selectable } from 'kysely';
import type { Message } from '@hatchway/contract/history.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { isActive, NOT_NEEDED, STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { MessagesTable } from '../../db/tables/messages.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { roomFor } from './new-addresses.ts';
import { isOfDoubt, isStillOut } from './origin-queries.ts';
import { oneMessage } from './queries.ts';
import type { Body } from './texts.ts';

type QueuedMessage = {
  occupationId: string | null;
  /** Which text: ready, request, taken-out, reminder, invitation, staff-…. */
  kind: string;
  /** Unique with the channel: one message for one cause. */
  cause: string;
  channel: 'sms' | 'mail';
  receiver: Receiver;
  locale: 'en' | 'nb';
  /** Where nothing else knows what it says (an invitation's link is kept nowhere, nor which door was forced); others are written at each try. */
  body?: Body;
  /** ISO; not before then (quiet hours). */
  at?: string;
  /** One that was no longer needed when its turn came is needed again: nothing of it has gone out. */
  anew?: boolean;
};

/** A message about an occupation that was accepted, or has failed for good. */
export type Fate = { occupationId: string; kind: string; cause: string; state: 'accepted' | 'failed'; error: string };
/** Hears of it in the transaction that writes it down. Handed in, since occupations send messages and not the other way. */
export type Hearing = (tx: Tx, deps: Deps, scope: Scope, fate: Fate) => Promise<void>;

/**
 * Calls the receiver anew by the occupation's own rules; false where it calls nobody now, thrown where one is being called already.
 * Handed in for the same reason.
 */
export type Calling = (tx: Tx, deps: Deps, scope: Scope, occupationId: string, channel: 'sms' | 'mail') => Promise<boolean>;

/** Staff's news and an invitation stay as they were written; what tells a receiver how it stands with a use is written as it stands. */
export const keepsWords = ({ occupation_id, kind }: Pick<Queued, 'occupation_id' | 'kind'>): boolean =>
  occupation_id === null || kind.startsWith('staff-');

export type Addressee = { to: string; name: string };
const masked = (to: string): string =>
  to.includes('@') ? `${to.slice(0, 1)}…${to.slice(to.indexOf('@'))}` : `${to.slice(0, 3)}…${to.slice(-2)}`;

type Queued = Pick<
  Selectable<MessagesTable>,
  'occupation_id' | 'cause' | 'kind' | 'channel' | 'locale' | 'to_masked' | 'to_sealed' | 'body_sealed'
>;
const addressed = (deps: Deps, { to, name }: Addressee): Pick<Queued, 'to_masked' | 'to_sealed'> => ({
  to_masked: masked(to),
  to_sealed: deps.seal.close(JSON.stringify({ to, name })),
});

/** One job waits for a message at a time, so that whoever finds it lying about may ask again. */
export const enqueueSending = (tx: Tx, deps: Deps, tenantId: string, messageId: string, at?: string): Promise<void> =>
  deps.jobs.enqueue(tx, { name: 'message', tenantId, messageId }, { key: messageId, ...(at === undefined ? {} : { at }) });

/** Answers the id of the message that goes out, or null where its cause has one already. */
const put = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  message: Queued,
  { at, anew = false }: Pick<QueuedMessage, 'at' | 'anew'> = {},
): Promise<string | null> => {
  const id = newId();
  const made = await tx
    .insertInto('messages')
    .values({
      ...message,
      tenant_id: scope.tenantId,
      id,
      // Fixed from the beginning: however often it is tried, it is one message.
      message_id: `<${id}@${new URL(deps.config.publicUrl).hostname}>`,
      state: 'queued',
      not_before: at ?? null,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .onConflict((conflict) =>
      anew
        ? conflict
            .constraint('messages_cause')
            .doUpdateSet((eb) => ({
              state: 'queued',
              error: null,
              attempts: 0,
              body_sealed: message.body_sealed,
              not_before: at ?? null,
              version: eb('messages.version', '+', 1),
              updated_at: scope.now,
            }))
            .where('messages.state', '=', 'failed')
            .where('messages.error', '=', NOT_NEEDED)
        : conflict.constraint('messages_cause').doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!made) return null;
  await enqueueSending(tx, deps, scope.tenantId, made.id, at);
  await record(tx, scope, [], [{ kind: 'messages', id: made.id, method: made.id === id ? 'POST' : 'PUT' }]);
  return made.id;
};

/** A deadline that was moved is reminded of anew; `hours` around it tell its reminders apart (once their place in a list did, without the `h`). */
export const reminderCause = (occupationId: string, deadline: string, hours: number): string =>
  `${remindersOf(occupationId, deadline)}${hours}h`;
/** What all reminders of one deadline begin their cause with. */
export const remindersOf = (occupationId: string, deadline: string): string => `reminder:${occupationId}:${deadline}:`;

/** Writes the message down and enqueues its sending. The same cause on the same channel is one message, whoever asks again. */
export const queueMessage = async (tx: Tx, deps: Deps, scope: Scope, message: QueuedMessage): Promise<void> => {
  const to = message.channel === 'sms' ? message.receiver.tlf : message.receiver.email;
  if (to === null) return;
  const room = message.kind.startsWith('staff-') ? null : await roomFor(tx, deps, scope, to);
  const at = [room, message.at].filter((one) => typeof one === 'string').toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  await put(
    tx,
    deps,
    scope,
    {
      occupation_id: message.occupationId,
      cause: message.cause,
      kind: message.kind,
      channel: message.channel,
      locale: message.locale,
      ...addressed(deps, { to, name: message.receiver.name }),
      body_sealed: message.body ? deps.seal.close(JSON.stringify(message.body)) : null,
    },
    { ...(at === undefined ? {} : { at }), ...(message.anew === undefined ? {} : { anew: message.anew }) },
  );
};

export const UNDER_WAY: readonly MessagesTable['state'][] = ['queued', 'sent'];

/** Whether one of that kind about that use goes out, or waits to. */
export const isUnderWay = async (tx: Tx, tenantId: string, occupationId: string, kind: string): Promise<boolean> => {
  const found = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', occupationId)
    .where('kind', '=', kind)
    .where('state', 'in', UNDER_WAY)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/**
 * Where a message to a receiver goes now: what it tells opens a door, and whoever had it before a correction must not get it again.
 * Null: to where it went before (staff, a borrower who is known by their account, somebody invited).
 */
const receiverNow = async (tx: Tx, tenantId: string, first: Queued): Promise<Addressee | null> => {
  if (first.occupation_id === null || first.kind.startsWith('staff-')) return null;
  const row = await tx
    .selectFrom('occupations')
    .select(['receiver_name', 'receiver_tlf', 'receiver_email'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', first.occupation_id)
    .executeTakeFirst();
  if (!row || row.receiver_name === null) return null;
  const to = first.channel === 'sms' ? row.receiver_tlf : row.receiver_email;
  if (to === null) throw new Problem('message-not-sendable', 'The receiver is not reached that way any more');
  return { to, name: row.receiver_name };
};

/** The call to the receiver that was made last, by this channel. */
const newestCall = (tx: Tx, tenantId: string, { occupation_id, kind, channel }: Queued) =>
  tx
    .selectFrom('messages')
    .select(['id', 'state'])
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', occupation_id)
    .where('kind', '=', kind)
    .where('channel', '=', channel)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();

/**
 * A person's word that it shall be sent once more: a new message with a cause and a Message-ID of its own, to whoever is the receiver
 * now. That something waits is told as Send tells it, so that its fate counts. While the last one is under way there is nothing to
 * repeat: 409 `message-not-sendable`, as for one whose occupation has ended.
 */
export const sendAgain = async (tx: Tx, deps: Deps, scope: Scope, facts: Facts, id: string, call: Calling): Promise<Message> => {
  await oneMessage(tx, scope.tenantId, facts, id);
  const first = await tx
    .selectFrom('messages')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // The link in it may have been replaced: whoever invites sends the invitation anew, which makes another.
  if (first.kind === 'invitation') throw new Problem('message-not-sendable', 'Send the invitation anew instead');
  const again = await tx
    .selectFrom('messages')
    .select('state')
    .where('tenant_id', '=', scope.tenantId)
    .where(sql<boolean>`starts_with(cause, ${`again:${id}:`})`)
    .where('channel', '=', first.channel)
    .execute();
  const calls = first.kind === 'ready' && first.occupation_id !== null;
  if ([first, ...again].some(({ state }) => UNDER_WAY.includes(state)))
    throw new Problem('message-not-sendable', 'The message is under way already');
  if (first.occupation_id !== null && first.kind !== 'taken-out') {
    const occupation = await tx
      .selectFrom('occupations')
      .select('stage')
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', first.occupation_id)
      .executeTakeFirst();
    if (!occupation || !isActive(occupation.stage)) throw new Problem('message-not-sendable', 'What the message is about has ended');
    if (first.kind === 'request' && occupation.stage > STAGES.INITIATED)
      throw new Problem('message-not-sendable', 'What it asks for is awaited no more');
  }
  if (first.kind === 'taken-out' && !(await isStillOut(tx, first)))
    throw new Problem('message-not-sendable', 'What was taken out is not out any more');
  if (await isOfDoubt(tx, first)) throw new Problem('locker-in-doubt');
  const now = await receiverNow(tx, scope.tenantId, first);
  if (calls && first.occupation_id !== null && (await call(tx, deps, scope, first.occupation_id, first.channel))) {
    const called = await newestCall(tx, scope.tenantId, first);
    return oneMessage(tx, scope.tenantId, facts, called?.id ?? id);
  }
  const made = await put(tx, deps, scope, {
    occupation_id: first.occupation_id,
    cause: `again:${id}:${again.length + 1}`,
    kind: first.kind,
    channel: first.channel,
    locale: first.locale,
    ...(now ? addressed(deps, now) : { to_masked: first.to_masked, to_sealed: first.to_sealed }),
    // What its occupation can tell is told as it is now; only what nobody else knows is repeated.
    body_sealed: keepsWords(first) ? first.body_sealed : null,
  });
  if (!made) throw new Problem('message-not-sendable');
  return oneMessage(tx, scope.tenantId, facts, made);
};
