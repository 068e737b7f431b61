import type { Command } from '@hatchway/domain/occupation-types.ts';
import type { Tx } from '../../db/database.ts';

/** What became of the last message to the receiver, as the command that it is to the occupation; null while it is under way. */
export const messageFate = async (tx: Tx, tenantId: string, occupationId: string): Promise<Command | null> => {
  const rows = await tx
    .selectFrom('messages')
    .select(['cause', 'state', 'error'])
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', occupationId)
    .where('kind', 'in', ['ready', 'request'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(10)
    .execute();
  const last = rows.filter((row) => row.cause === rows[0]?.cause);
  if (last.some((row) => row.state === 'sent' || row.state === 'accepted' || row.state === 'delivered'))
    return { kind: 'message-accepted' };
  const failed = last.length > 0 && last.every((row) => row.state === 'failed');
  return failed ? { kind: 'message-failed', error: last.find((row) => row.error !== null)?.error ?? 'failed' } : null;
};
