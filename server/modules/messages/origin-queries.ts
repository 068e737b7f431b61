import { mayBeGone } from '@hatchway/domain/locker.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { MessagesTable } from '../../db/tables/messages.ts';

type Told = Pick<Selectable<MessagesTable>, 'tenant_id' | 'occupation_id' | 'cause' | 'created_at'>;
export type Origin = Pick<Told, 'cause' | 'created_at'>;

const AGAIN = /^again:([0-9a-f-]{36}):\d+$/;

/** What a message was first made for: one that somebody had sent again tells the same incident, deadline or taking out as the first. */
export const originOf = async (tx: Tx, { tenant_id, cause, created_at }: Omit<Told, 'occupation_id'>): Promise<Origin> => {
  const [, first] = AGAIN.exec(cause) ?? [];
  if (first === undefined) return { cause, created_at };
  const row = await tx
    .selectFrom('messages')
    .select(['tenant_id', 'cause', 'created_at'])
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', first)
    .executeTakeFirst();
  return row === undefined ? { cause, created_at } : originOf(tx, row);
};

/** Vacant since that taking out, and not by anything later; or ended so. */
export const isOutSince = (use: { stage: number; stage_at: string; end_reason: string | null }, { created_at }: Origin): boolean =>
  use.stage === STAGES.VACANT ? use.stage_at <= created_at : use.stage >= STAGES.TERMINATED && use.end_reason === 'taken-out';

/** Whether what a `taken-out` tells is so still. */
export const isStillOut = async (tx: Tx, message: Told): Promise<boolean> => {
  const use = await tx
    .selectFrom('occupations')
    .select(['stage', 'stage_at', 'end_reason'])
    .where('tenant_id', '=', message.tenant_id)
    .where('id', '=', message.occupation_id)
    .executeTakeFirst();
  return use !== undefined && isOutSince(use, await originOf(tx, message));
};

/** What it tells its receiver to fetch may not lie there: then it is not sent, however late it goes or how often it is asked for. */
export const isOfDoubt = async (
  tx: Tx,
  { tenant_id, occupation_id, kind }: Pick<Selectable<MessagesTable>, 'tenant_id' | 'occupation_id' | 'kind'>,
): Promise<boolean> => {
  if (kind !== 'ready' && kind !== 'reminder') return false;
  const use = await tx
    .selectFrom('occupations as o')
    .innerJoin('lockers as l', (join) => join.onRef('l.tenant_id', '=', 'o.tenant_id').onRef('l.id', '=', 'o.locker_id'))
    .leftJoin('loans as n', (join) =>
      join.onRef('n.tenant_id', '=', 'o.tenant_id').onRef('n.occupation_id', '=', 'o.id').on('n.returned_at', 'is', null),
    )
    .select(['o.stage', 'o.type', 'l.content', 'n.due_at'])
    .where('o.tenant_id', '=', tenant_id)
    .where('o.id', '=', occupation_id)
    .executeTakeFirst();
  return use !== undefined && use.due_at === null && mayBeGone(use, use.content);
};
