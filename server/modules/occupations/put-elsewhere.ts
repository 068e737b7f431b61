import { holdsIt, isOneThing } from '@hatchway/domain/locker.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Job } from '../../jobs/jobs.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { activeNow } from '../../stages.ts';
import { lockLocker, setContent } from '../lockers/commands.ts';
import { loadRow, placed } from './commands.ts';
import { lockOccupation, toOccupation } from './row-queries.ts';

type Put = Omit<Extract<Job, { name: 'doubt-elsewhere' }>, 'name'>;

/** The other uses that the same asset has now, each beside what was put in. */
const usesBeside = (tx: Tx, { tenantId, occupationId }: Put) =>
  tx
    .selectFrom('occupations as put')
    .innerJoin('occupations as o', (join) =>
      join.onRef('o.tenant_id', '=', 'put.tenant_id').onRef('o.asset_id', '=', 'put.asset_id').onRef('o.id', '<>', 'put.id'),
    )
    .select(['o.id', 'put.type', 'put.quantity'])
    .where('put.tenant_id', '=', tenantId)
    .where('put.id', '=', occupationId)
    .where(activeNow)
    .execute();
type Use = Awaited<ReturnType<typeof usesBeside>>[number];

/** What is in doubt already stays so for the reason that came first, and what somebody has looked at since stands. In no person's name: readers of this locker need not see the other one's. */
const doubtOne = async (tx: Tx, scope: Scope, put: Use, at: string): Promise<void> => {
  if (!(await lockOccupation(tx, scope.tenantId, put.id))) return;
  const row = await loadRow(tx, scope.tenantId, put.id);
  const o = toOccupation(row);
  if (!holdsIt(o.stage) || !isOneThing(put, o)) return;
  const { content, content_at: since, content_why: why } = await lockLocker(tx, scope.tenantId, o.lockerId);
  const lookedSince = (why === 'word' || why === 'sensor') && since !== null && Date.parse(since) >= Date.parse(at);
  if (content !== 'occupied' || lookedSince) return;
  await setContent(tx, scope, o.lockerId, { kind: 'put-elsewhere' });
  const data = { why: 'put-elsewhere' };
  await record(tx, scope, [{ ...placed(o), type: 'locker_unknown', cabinetId: row.cabinet_id, data }], []);
};

/**
 * A thing came to lie in one locker: wherever else it lies by the record, that record is contradicted. Each of the others in a transaction
 * of its own, which holds its locker alone. Of two that were filled at once both are in doubt.
 */
export const doubtElsewhere = async (deps: Deps, put: Put): Promise<void> => {
  const scope = systemScope(put.tenantId, deps.now().toISOString());
  const uses = await deps.db.tenant(put.tenantId, (tx) => usesBeside(tx, put));
  for (const use of uses) await deps.db.tenant(put.tenantId, (tx) => doubtOne(tx, scope, use, put.at));
  deps.outbox.wake();
};
