import { isPriced } from '@hatchway/domain/price.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import { absent, Problem } from '../../http/problem.ts';
import { apply, loadRow } from '../occupations/commands.ts';
import { lockOccupation, toOccupation } from '../occupations/row-queries.ts';
import { mineOf, themselves, throwIfSuspended } from './offer-queries.ts';

/**
 * Claims in the caller's own name, so that the occupation's link becomes theirs; what they have already they go on with. Throws Problem
 * `not-found` for what is offered to nobody, and whatever the rule refuses with.
 */
export const take = async (
  tx: Tx,
  deps: Deps,
  caller: Caller,
  { id: occupationId, quantity }: { id: string; quantity?: number | undefined },
  now: string,
): Promise<{ token: string }> => {
  const { tenantId, accountId } = caller;
  if (tenantId === '') throw absent();
  if (!(await lockOccupation(tx, tenantId, occupationId))) throw absent();
  await throwIfSuspended(tx, tenantId);
  const row = await loadRow(tx, tenantId, occupationId);
  if (mineOf(row, accountId) === null) {
    const o = toOccupation(row);
    if ((o.type !== 'lending' && o.type !== 'consumable') || isPriced(o.price)) throw absent();
    // Somebody is at it, or has it: theirs, and nobody's business.
    if (o.stage === STAGES.CLAIMING) throw new Problem('in-use');
    if (o.receiver !== null) throw absent();
    if (row.connection === 'offline') throw new Problem('cabinet-offline');
    if (row.out_of_service !== null) throw new Problem('out-of-service');
    const receiver = await themselves(tx, caller);
    const claim = { kind: 'claim', receiver, ...(quantity === undefined ? {} : { quantity }) } as const;
    await apply(tx, deps, scopeOf(caller, now), occupationId, claim, { as: 'holder' });
  }
  const given = await tx
    .selectFrom('occupations')
    .select('token_sealed')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', occupationId)
    .executeTakeFirst();
  if (!given?.token_sealed) throw new Problem('in-use');
  const token = deps.seal.open(given.token_sealed);
  if (token === null) throw new Problem('in-use');
  return { token };
};
