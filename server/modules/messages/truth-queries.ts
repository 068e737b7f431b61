import { OFFERED } from '@hatchway/domain/lifecycle.ts';
import { normalEmail } from '@hatchway/domain/receiver.ts';
import { isActive, letsOut, type Stage, STAGES } from '@hatchway/domain/terms.ts';
import { sql, type Selectable, type SqlBool } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { MessagesTable } from '../../db/tables/messages.ts';
import { alertHolds } from './alert-queries.ts';
import { remindersOf } from './commands.ts';
import { invitationCause } from './invitation-commands.ts';
import { isOutSince, originOf } from './origin-queries.ts';

type Row = Selectable<MessagesTable>;

/** Offered to its receiver, or just being fetched. */
const LIES_READY: readonly number[] = [...OFFERED, STAGES.CLAIMING];
/** Not brought yet. */
const IS_AWAITED: readonly number[] = [STAGES.RESERVED, STAGES.INITIATED];

/** Of these the last one is what a receiver is to know: what waits is not said after what was to be said later. */
const WORDS: readonly string[] = ['ready', 'request', 'taken-out'];
const REMINDERS: readonly string[] = ['reminder'];
/** All that tells a receiver how it stands with a use. */
export const TO_RECEIVERS: readonly string[] = [...WORDS, ...REMINDERS];

/** Neither withdrawn nor accepted, and not sent anew since: then another link is the right one. */
const invitationHolds = async (tx: Tx, tenantId: string, cause: string): Promise<boolean> => {
  const rows = await tx
    .selectFrom('invitations')
    .select(['id', 'version'])
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'pending')
    .where(sql<SqlBool>`starts_with(${cause}, 'invitation:' || id || ':')`)
    .execute();
  return rows.some(({ id, version }) => invitationCause(id, version) === cause);
};

/** Something else was said of the same use since. What somebody had sent again by one channel takes nothing from the other. */
const isFollowed = async (tx: Tx, { tenant_id, id, occupation_id, kind, channel, cause, created_at }: Row): Promise<boolean> => {
  const later = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('occupation_id', '=', occupation_id)
    .where('kind', 'in', REMINDERS.includes(kind) ? REMINDERS : WORDS)
    .where('cause', '<>', cause)
    .where((eb) => eb.or([eb('channel', '=', channel), sql<SqlBool>`not starts_with(cause, 'again:')`]))
    .where(sql<SqlBool>`(created_at, id) > (${created_at}::timestamptz, ${id}::uuid)`)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
};

type Use = {
  stage: Stage;
  stage_at: string;
  end_reason: string | null;
  receiver_name: string | null;
  receiver_tlf: string | null;
  receiver_email: string | null;
  pickup_by: string | null;
  due_at: string | null;
  type: string;
  label_type: string | null;
};
const useOf = (tx: Tx, { tenant_id, occupation_id }: Row): Promise<Use | undefined> =>
  tx
    .selectFrom('occupations as o')
    .leftJoin('loans as n', (join) =>
      join.onRef('n.tenant_id', '=', 'o.tenant_id').onRef('n.occupation_id', '=', 'o.id').on('n.returned_at', 'is', null),
    )
    .leftJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 'o.tenant_id').onRef('a.id', '=', 'o.asset_id'))
    .leftJoin('status_labels as s', (join) => join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.id', '=', 'a.status_label_id'))
    .select([
      'o.type',
      's.type as label_type',
      'o.stage',
      'o.stage_at',
      'o.end_reason',
      'o.receiver_name',
      'o.receiver_tlf',
      'o.receiver_email',
      'o.pickup_by',
      'n.due_at',
    ])
    .where('o.tenant_id', '=', tenant_id)
    .where('o.id', '=', occupation_id)
    .executeTakeFirst();

/** What was queued before addresses had one form may hold capitals still. Whoever borrowed by their account alone is only reminded. */
const isFor = (use: Use, { kind, channel }: Row, to: string): boolean => {
  if (use.receiver_name === null) return kind === 'reminder' && use.due_at !== null;
  return channel === 'sms' ? to === use.receiver_tlf : normalEmail(to) === use.receiver_email;
};

/** It lies there for them, and its status label keeps it in. */
const isKeptIn = ({ type, due_at: due, label_type: label }: Use): boolean => type === 'lending' && due === null && !letsOut(label);

/** The deadline stands in the cause: brought back, fetched or put off meanwhile, there is nothing to be reminded of. */
const isDeadline = (deadline: string | null, { occupation_id }: Row, cause: string): boolean =>
  deadline !== null && cause.startsWith(remindersOf(occupation_id ?? '', deadline));

/**
 * Whether what it says still holds, and for whom: nobody is called to a locker that has nothing for them any more, nor told that it was
 * taken out once it lies there again, and a key that was made for a corrected receiver does not go to the one before.
 */
export const stillTrue = async (tx: Tx, row: Row, to: string): Promise<boolean> => {
  const { tenant_id, occupation_id, kind } = row;
  if (kind === 'invitation') return invitationHolds(tx, tenant_id, row.cause);
  const origin = await originOf(tx, row);
  if (kind.startsWith('staff-')) return alertHolds(tx, tenant_id, origin.cause);
  if (occupation_id === null) return !TO_RECEIVERS.includes(kind);
  const use = await useOf(tx, row);
  if (use === undefined || !isFor(use, row, to)) return false;
  if (kind === 'taken-out') return isOutSince(use, origin) && !(await isFollowed(tx, row));
  if (!isActive(use.stage)) return false;
  const lies = LIES_READY.includes(use.stage);
  if (isKeptIn(use)) return false;
  if (kind === 'ready' && !lies) return false;
  if (kind === 'request' && !IS_AWAITED.includes(use.stage)) return false;
  if (kind === 'reminder' && !isDeadline(use.due_at ?? (lies ? use.pickup_by : null), row, origin.cause)) return false;
  return !(await isFollowed(tx, row));
};

/** A reminder of a deadline that the use keeps while it is out (a storage's): once it lies there again, it holds again. */
export const mayHoldAgain = async (tx: Tx, row: Row): Promise<boolean> => {
  if (row.kind !== 'reminder') return false;
  const use = await useOf(tx, row);
  if (use === undefined || !isActive(use.stage)) return false;
  return isDeadline(use.due_at ?? use.pickup_by, row, (await originOf(tx, row)).cause);
};
