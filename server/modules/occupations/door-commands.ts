import { claimAfterOutage } from '@hatchway/domain/transition.ts';
import type { Command } from '@hatchway/domain/occupation-types.ts';
import type { HistoryEventType } from '@hatchway/domain/history.ts';
import { STAGES, type DoorState } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { apply, attempt, load } from './commands.ts';
import { lookAgain } from './effects.ts';
import { tellStaff } from './telling-commands.ts';

type DoorCommand = Extract<Command, { kind: 'door-opened' | 'door-closed' }>;

/** What a door does, told to the occupation on it. Never refused. Answers the history events that were written for it, and whether it did so unasked. */
export const tellDoor = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  occupationId: string,
  command: DoorCommand,
  { opening = {}, wasSilent = false }: { opening?: Readonly<Record<string, unknown>>; wasSilent?: boolean } = {},
): Promise<{ written: HistoryEventType[]; unexpected: boolean }> => {
  const { events, effects } = await apply(tx, deps, scope, occupationId, command, { as: 'server', opening, wasSilent });
  return {
    written: events.map((event) => event.type),
    unexpected: effects.some((effect) => effect.kind === 'content' && effect.why === 'unexpected-opening'),
  };
};

/** Its door is open once more though nobody opened it anew: what was to come of its shutting waits until it is shut again. */
export const keepOpen = async (tx: Tx, { tenantId, now }: Scope, occupationId: string): Promise<void> => {
  await tx
    .updateTable('occupations')
    .set((eb) => ({ door_closed_at: null, updated_at: now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', occupationId)
    .where('door_closed_at', 'is not', null)
    .execute();
};

/** Staff hear of a door that was tampered with, or stands open, while something is in use there. It changes no stage. */
export const tellAlert = async (tx: Tx, deps: Deps, scope: Scope, occupationId: string): Promise<void> =>
  tellStaff(tx, deps, scope, await load(tx, scope.tenantId, occupationId), 'unexpected-opening');

/** A sensor that makes up its mind behind the closed door may settle what the clock waits for: the rule is asked once more. */
export const lookAfterSensing = async (tx: Tx, deps: Deps, scope: Scope, occupationId: string): Promise<void> => {
  const { stage } = await load(tx, scope.tenantId, occupationId);
  const command = stage === STAGES.INITIATED ? 'fill' : stage === STAGES.CLAIMING ? 'finnish' : null;
  if (command === null) return;
  await lookAgain(tx, deps, scope, occupationId, command, scope.now);
  // Whether it waits for somebody's word hangs on what is sensed.
  await record(tx, scope, [], [{ kind: 'occupations', id: occupationId, method: 'PUT' }]);
};

/** A cabinet that was away until `backAt` says where the door is: a claim from before is ended, has failed, or waits. */
export const settleAfterOutage = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  occupationId: string,
  { door, backAt }: { door: DoorState; backAt: string | null },
): Promise<void> => {
  const command = claimAfterOutage(await load(tx, scope.tenantId, occupationId), door, backAt);
  // Refused where who was let in found nothing inside, staff have looked, or it is still sensed: then it goes on as without an outage.
  if (command) await attempt(tx, deps, scope, occupationId, command, { as: 'server', wasSilent: true });
};
