import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { CommandsTable } from '../../db/tables/lockers.ts';
import { record, type NewEvent } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';
import { lockLocker } from './commands.ts';

type Command = Selectable<CommandsTable>;

/** What became of a command, told in the name of whoever gave it and of the use that it was for. */
export const tellOfCommand = async (
  tx: Tx,
  scope: Scope,
  command: Command,
  locker: { id: string; door_tag: string },
  { type, at, data }: Pick<NewEvent, 'type' | 'data'> & { at: string },
): Promise<void> => {
  const occupation = command.occupation_id
    ? await tx
        .selectFrom('occupations')
        .select(['id', 'type'])
        .where('tenant_id', '=', scope.tenantId)
        .where('id', '=', command.occupation_id)
        .executeTakeFirst()
    : undefined;
  const event: NewEvent = {
    type,
    at,
    cabinetId: command.cabinet_id,
    lockerId: locker.id,
    doorTag: locker.door_tag,
    occupationId: occupation?.id ?? null,
    occupationType: occupation?.type ?? null,
    data: { ...data, ...(command.reason ? { reason: command.reason } : {}) },
  };
  await record(tx, { ...scope, actor: command.actor }, [event], []);
};

/** What the history says where no sensor bears the controller out. */
const SAID = { by: 'controller', seen: false } as const;

/**
 * A door that its controller said it moved, told once. A sensed opening tells itself (`hearDoor`), so of an open command this tells what
 * nobody saw; of a lock it tells all, and whether the lock was sensed.
 */
export const tellSaid = async (tx: Tx, scope: Scope, commandId: string): Promise<void> => {
  const one = () => tx.selectFrom('commands').selectAll().where('tenant_id', '=', scope.tenantId).where('id', '=', commandId);
  const found = await one().executeTakeFirst();
  if (!found?.locker_id) return;
  // Before the command, as everywhere: a state that is being heard of this very door comes first, or waits.
  const locker = await lockLocker(tx, scope.tenantId, found.locker_id);
  const command = await one().forUpdate().executeTakeFirst();
  if (!command || command.told_at !== null || command.answered_at === null) return;
  const { outcome, answered_at: at } = command;
  if (outcome === 'opened' && command.seen_at === null)
    await tellOfCommand(tx, scope, command, locker, { type: 'locker_opened', at, data: SAID });
  else if (outcome === 'locked')
    await tellOfCommand(tx, scope, command, locker, { type: 'locker_locked', at, data: locker.lock_state === 'locked' ? {} : SAID });
  else return;
  await updateRow(tx, 'commands', scope.tenantId, commandId).set({ told_at: scope.now }).execute();
};
