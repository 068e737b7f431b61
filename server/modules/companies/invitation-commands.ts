import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';

type Sender = (invitations: ExpressionBuilder<Database, 'invitations'>) => Expression<SqlBool>;
const withdrawSent = async (tx: Tx, scope: Scope, by: Sender): Promise<void> => {
  const rows = await tx
    .updateTable('invitations')
    .set((eb) => ({ state: 'withdrawn', updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('state', 'in', ['pending', 'expired'])
    .where(by)
    .returning('id')
    .execute();
  await record(
    tx,
    scope,
    [],
    rows.map(({ id }) => ({ kind: 'invitations', id, method: 'PUT' })),
  );
};

/** Those that the operator sent and nobody took: one that went to a wrong address must not stay good beside the next. */
export const withdrawOperators = (tx: Tx, scope: Scope): Promise<void> =>
  withdrawSent(tx, scope, (eb) => eb('invited_by_kind', '=', 'system'));

/**
 * Those that this person sent, or a key that they made: they may invite no more, so nobody may come in by their word. The link asks for
 * their right too, when it is followed; this is what the list tells.
 */
export const withdrawPersons = (tx: Tx, scope: Scope, accountId: string): Promise<void> =>
  withdrawSent(tx, scope, (eb) =>
    eb.or([
      eb('invited_by', '=', accountId),
      eb(
        'invited_by',
        'in',
        eb.selectFrom('api_keys as k').select('k.id').where('k.tenant_id', '=', scope.tenantId).where('k.created_by', '=', accountId),
      ),
    ]),
  );

/** Those that went out by this key, which is revoked. */
export const withdrawKeys = (tx: Tx, scope: Scope, keyId: string): Promise<void> =>
  withdrawSent(tx, scope, (eb) => eb('invited_by', '=', keyId));
