import { mayBeTakenOut } from '@hatchway/domain/lifecycle.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { systemScope } from '../../scope.ts';
import { lockLocker, setContent } from '../lockers/commands.ts';
import { lockOccupation } from '../occupations/row-queries.ts';

/**
 * The door opened for staff to take something out, and the process that would have written that down is gone (or could not): nobody says
 * that it was taken, and nobody can say any more that it lies there. What a sensor knows behind a closed door stands.
 */
export const doubtTakeOut = async (deps: Deps, tenantId: string, commandId: string): Promise<void> => {
  const now = deps.now().toISOString();
  await deps.db.tenant(tenantId, async (tx) => {
    const command = await tx
      .selectFrom('commands')
      .select(['locker_id', 'occupation_id', 'cabinet_id', 'issued_at', 'outcome'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', commandId)
      .where('takes_out', '=', true)
      .executeTakeFirst();
    const { locker_id: lockerId, occupation_id: occupationId } = command ?? {};
    if (command?.outcome !== 'opened' || !lockerId || !occupationId) return;
    if (!(await lockOccupation(tx, tenantId, occupationId))) return;
    const occupation = await tx
      .selectFrom('occupations')
      .select(['type', 'stage', 'locker_id'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', occupationId)
      .executeTakeFirst();
    if (!occupation || occupation.locker_id !== lockerId || !mayBeTakenOut(occupation)) return;
    // written down after all, and put in again since
    const written = await tx
      .selectFrom('events')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('occupation_id', '=', occupationId)
      .where('type', '=', 'occupation_extract')
      .where('at', '>=', command.issued_at)
      .executeTakeFirst();
    const locker = await lockLocker(tx, tenantId, lockerId);
    const sensed = locker.door === 'closed' && locker.occupancy !== 'unknown';
    if (written || sensed || locker.content !== 'occupied') return;
    const scope = systemScope(tenantId, now);
    await setContent(tx, scope, lockerId, { kind: 'occupation', content: 'unknown', why: 'aborted' });
    const about = { occupationId, occupationType: occupation.type };
    await record(
      tx,
      scope,
      [
        {
          type: 'locker_unknown',
          lockerId,
          doorTag: locker.door_tag,
          cabinetId: command.cabinet_id,
          ...about,
          data: { why: 'cut-off' },
        },
      ],
      [{ kind: 'occupations', id: occupationId, method: 'PUT' }],
    );
  });
  deps.outbox.wake();
};
