import type { Selectable } from 'kysely';
import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import { mayBeTakenOut } from '@hatchway/domain/lifecycle.ts';
import type { Tx } from '../../db/database.ts';
import type { CommandsTable, LockersTable } from '../../db/tables/lockers.ts';
import type { Deps } from '../../deps.ts';
import type { Fact } from '../../devices/fact.ts';
import { record } from '../../events/record.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { lockLocker, setContent } from '../lockers/commands.ts';
import { overTakeOut } from '../lockers/taking-out-commands.ts';
import { attempt, load } from '../occupations/commands.ts';
import { lockOccupation } from '../occupations/row-queries.ts';

type Command = Selectable<CommandsTable>;
type Locker = Selectable<LockersTable>;

/** How long whoever stood at a door that no sensor looks behind, or saw move, has to say that they took it out. */
const WORD_DUE_MS = 2 * MINUTE;

/** What is being taken out of this locker, by the last of those who opened it for that. */
const underWay = (tx: Tx, tenantId: string, lockerId: string): Promise<Command | undefined> =>
  tx
    .selectFrom('commands')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('locker_id', '=', lockerId)
    .where('takes_out', '=', true)
    .where('take_out_over_at', 'is', null)
    .where('outcome', '=', 'opened')
    .orderBy('issued_at', 'desc')
    .executeTakeFirst();

/** Nobody says that it was taken, and nobody can say any more that it lies there. What a sensor knows behind a closed door stands. */
const doubt = async (tx: Tx, scope: Scope, locker: Locker, command: Command, why: 'cut-off' | 'silent'): Promise<void> => {
  const { occupation_id: occupationId } = command;
  if (occupationId === null) return;
  await overTakeOut(tx, scope, occupationId);
  const sensed = locker.door === 'closed' && locker.occupancy !== 'unknown';
  if (sensed || locker.content !== 'occupied') return;
  await setContent(tx, scope, locker.id, { kind: 'occupation', content: 'unknown', why: 'aborted' });
  const named = await tx
    .selectFrom('occupations')
    .select('type')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', occupationId)
    .executeTakeFirst();
  const here = { lockerId: locker.id, doorTag: locker.door_tag, cabinetId: command.cabinet_id };
  await record(tx, scope, [{ ...here, type: 'locker_unknown', occupationId, occupationType: named?.type ?? null, data: { why } }], []);
};

/**
 * The door has closed, and the sensor behind it senses nothing since: what staff opened it for is done, and said by who opened it. Not where
 * its cabinet was away meanwhile or the door was left open or forced, since then somebody else may have stood there; and not where it is
 * sensed inside still. Where no sensor knows, or it sensed nothing before either, the closing proves nothing, and somebody's word is waited
 * for. The locker's row is as it was before.
 */
export const endTakeOut = async (
  tx: Tx,
  deps: Deps,
  device: Scope,
  before: Locker,
  { fact, away }: { fact: Pick<Fact & { kind: 'door' }, 'door' | 'occupancy'>; away: boolean },
): Promise<void> => {
  const command = await underWay(tx, device.tenantId, before.id);
  const { occupation_id: occupationId, reason } = command ?? {};
  if (!command || !occupationId) return;
  const now = await lockLocker(tx, device.tenantId, before.id);
  if (away) return doubt(tx, device, now, command, 'silent');
  // Its lock was let go, but the door has not moved yet.
  if (now.door_at === null || now.door_at < command.issued_at) return;
  if (before.alert !== null) return doubt(tx, device, now, command, 'silent');
  if (fact.occupancy === 'occupied') return overTakeOut(tx, device, occupationId);
  const sensed = fact.occupancy === 'empty' && now.sensed_since !== null && now.sensed_since > command.issued_at;
  // In a claim, or past what can be taken out, there is no word to wait for.
  if (!sensed && mayBeTakenOut(await load(tx, device.tenantId, occupationId))) {
    const { tenantId } = device;
    return deps.jobs.enqueue(tx, { name: 'settle-command', tenantId, commandId: command.id }, { at: later(device.now, WORD_DUE_MS) });
  }
  const scope = { ...device, actor: command.actor };
  const more = reason ? { reason } : {};
  // A refusal must not undo what is known of the door.
  const move = command.take_out_moves ? { move: true } : {};
  const taken = await attempt(tx, deps, scope, occupationId, { kind: 'extract', ...more, ...move }, { as: 'staff' });
  if (!taken.ok) return overTakeOut(tx, device, occupationId);
  if (command.take_out_ends) await attempt(tx, deps, scope, occupationId, { kind: 'delete', ...more }, { as: 'staff' });
};

/**
 * Behind every command that was to take something out: the door is shut again, or nobody saw it move, and in two minutes nobody has said
 * that they took it. A door that stands open is waited for.
 */
export const doubtTakeOut = async (deps: Deps, tenantId: string, commandId: string): Promise<void> => {
  const now = deps.now().toISOString();
  await deps.db.tenant(tenantId, async (tx) => {
    const command = await tx
      .selectFrom('commands')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', commandId)
      .where('takes_out', '=', true)
      .where('take_out_over_at', 'is', null)
      .executeTakeFirst();
    if (!command?.locker_id || !command.occupation_id || !(await lockOccupation(tx, tenantId, command.occupation_id))) return;
    const locker = await lockLocker(tx, tenantId, command.locker_id);
    if (locker.door === 'opened') return;
    // Shut after it was opened for that: the time to say so begins then.
    const shut = locker.door === 'closed' && locker.door_at !== null ? locker.door_at : '';
    const due = later(shut > command.issued_at ? shut : command.issued_at, WORD_DUE_MS);
    if (now < due) return deps.jobs.enqueue(tx, { name: 'settle-command', tenantId, commandId }, { at: due });
    await doubt(tx, systemScope(tenantId, now), locker, command, 'cut-off');
  });
  deps.outbox.wake();
};
