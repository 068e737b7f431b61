import type { Command } from '@hatchway/domain/occupation-types.ts';
import type { Tx } from '../../db/database.ts';
import { UNDER_WAY } from '../messages/commands.ts';

/** Texts that call a receiver to the door: what becomes of them moves the occupation's stage. */
export const CALLS: readonly string[] = ['ready', 'request'];

/** Calls to the receiver that have not come to their end yet. */
export const callsUnderWay = (tx: Tx, tenantId: string, occupationId: string) =>
  tx
    .selectFrom('messages')
    .select(['id', 'channel'])
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', occupationId)
    .where('kind', 'in', CALLS)
    .where('state', 'in', UNDER_WAY)
    .execute();

/** The messages of the last call to the receiver, one a channel. */
export const lastCall = async (tx: Tx, tenantId: string, occupationId: string) => {
  const rows = await tx
    .selectFrom('messages')
    .select(['cause', 'state', 'error'])
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', occupationId)
    .where('kind', 'in', CALLS)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(10)
    .execute();
  return rows.filter((row) => row.cause === rows[0]?.cause);
};

/** What became of the last call, as the command that it is to the occupation; null while it is under way. */
export const messageFate = async (tx: Tx, tenantId: string, occupationId: string): Promise<Command | null> => {
  const last = await lastCall(tx, tenantId, occupationId);
  if (last.some((row) => row.state === 'sent' || row.state === 'accepted' || row.state === 'delivered'))
    return { kind: 'message-accepted' };
  const failed = last.length > 0 && last.every((row) => row.state === 'failed');
  return failed ? { kind: 'message-failed', error: last.find((row) => row.error !== null)?.error ?? 'failed' } : null;
};
