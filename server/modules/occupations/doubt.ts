import type { Facts } from '@hatchway/domain/access.ts';
import { STAGES, stageName } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { setContent } from '../lockers/commands.ts';
import { overTakeOut } from '../lockers/taking-out-commands.ts';
import { apply, loadRow, placed, problemOfRefusal } from './commands.ts';
import { nextBest, type Next } from './fit.ts';
import { lockOccupation, toOccupation, type OccupationRow } from './row-queries.ts';

/** Opened to be taken out, and left where it was after all: nothing has changed, and nobody is told. */
const staysInside = async (tx: Tx, scope: Scope, row: OccupationRow): Promise<null> => {
  const o = toOccupation(row);
  if (row.taking_out === null) throw problemOfRefusal({ code: 'occupation-transition', stage: stageName(o.stage), action: 'extract' });
  await overTakeOut(tx, scope, o.id);
  await setContent(tx, scope, o.lockerId, { kind: 'word', content: 'occupied' });
  await record(tx, scope, [{ ...placed(o), type: 'locker_occupied', cabinetId: row.cabinet_id, data: { by: 'word', settled: false } }], []);
  return null;
};

/**
 * Word of who came to fill: nothing was put inside after all, or something lay inside already. The latter changes no stage; the locker
 * is in doubt from now on, and the next best door is named. Or of who came to take out: it stays inside.
 */
export const doubt = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  id: string,
  kind: 'nothing-inside' | 'not-empty' | 'stays-inside',
  facts: Facts | null,
): Promise<Next | null> => {
  if (kind === 'nothing-inside') {
    await apply(tx, deps, scope, id, { kind: 'nothing-inside' }, { as: 'staff' });
    return null;
  }
  await lockOccupation(tx, scope.tenantId, id);
  const row = await loadRow(tx, scope.tenantId, id);
  const o = toOccupation(row);
  if (kind === 'stays-inside') return staysInside(tx, scope, row);
  const filling = o.stage === STAGES.RESERVED || o.stage === STAGES.INITIATED || o.stage === STAGES.VACANT;
  if (!filling) throw problemOfRefusal({ code: 'occupation-transition', stage: stageName(o.stage), action: 'nothing-inside' });
  await setContent(tx, scope, o.lockerId, { kind: 'not-empty' });
  await record(
    tx,
    scope,
    [{ ...placed(o), type: 'locker_unknown', cabinetId: row.cabinet_id, data: { report: 'not-empty' } }],
    [{ kind: 'occupations', id, method: 'PUT' }],
  );
  const size = await tx
    .selectFrom('lockers')
    .select('size')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', o.lockerId)
    .executeTakeFirst();
  return nextBest(
    tx,
    scope.tenantId,
    { size: size?.size ?? null, service: o.service, cabinetId: row.cabinet_id, not: [o.lockerId] },
    facts,
  );
};
