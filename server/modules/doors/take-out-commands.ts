import type { Selectable } from 'kysely';
import { MINUTE } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { CommandsTable, LockersTable } from '../../db/tables/lockers.ts';
import type { Deps } from '../../deps.ts';
import type { Fact } from '../../devices/fact.ts';
import { record } from '../../events/record.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { lockLocker, setContent } from '../lockers/commands.ts';
import { overTakeOut } from '../lockers/taking-out-commands.ts';
import { attempt } from '../occupations/commands.ts';
import { lockOccupation } from '../occupations/row-queries.ts';

type Command = Selectable<CommandsTable>;
type Locker = Selectable<LockersTable>;

/** How long whoever opened a door that no sensor saw move has to say that they took it out. */
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
 * The door has closed: what staff opened it for is done, and said by who opened it. Not where its cabinet was away meanwhile or the door
 * was left open or forced, since then somebody else may have stood there; and not where a sensor senses it inside still. The locker's row
 * is as it was before.
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
  if (away || before.alert !== null) return doubt(tx, device, now, command, 'silent');
  if (fact.occupancy === 'occupied') return overTakeOut(tx, device, occupationId);
  const scope = { ...device, actor: command.actor };
  const more = reason ? { reason } : {};
  // A refusal must not undo what is known of the door.
  const taken = await attempt(tx, deps, scope, occupationId, { kind: 'extract', ...more }, { as: 'staff' });
  if (!taken.ok) return overTakeOut(tx, device, occupationId);
  if (command.take_out_ends) await attempt(tx, deps, scope, occupationId, { kind: 'delete', ...more }, { as: 'staff' });
};

/**
 * Behind every command that was to take something out: the controller said that the door opened, nobody saw it close, and nobody has said
 * in two minutes that they took it. A door that stands open is waited for.
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
    const due = new Date(Date.parse(command.issued_at) + WORD_DUE_MS).toISOString();
    if (now < due) return deps.jobs.enqueue(tx, { name: 'settle-command', tenantId, commandId }, { at: due });
    await doubt(tx, systemScope(tenantId, now), locker, command, 'cut-off');
  });
  deps.outbox.wake();
};
