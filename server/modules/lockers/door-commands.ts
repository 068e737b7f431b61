import type { ProblemCode } from '@hatchway/contract/problems.ts';
import { doorMayOpen } from '@hatchway/domain/doors.ts';
import { mayBeTakenOut } from '@hatchway/domain/lifecycle.ts';
import { STAGES, stageName, type CommandOutcome } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { LastCommand } from '../../db/tables/lockers.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { absent, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { changeRow, updateRow } from '../../rows.ts';
import { lockLocker } from './commands.ts';
import { tellTakeOut } from './taking-out-commands.ts';
import { tellOfCommand, tellSaid } from './told-commands.ts';

type Op = 'open' | 'lock';
type Request = {
  lockerId: string;
  occupationId?: string | null;
  /** It has ended, and its link opens once more, while nobody else has the locker. */ onceMore?: boolean;
  /** Opens also where the locker is out of service. */ reason?: string | null;
  /** Staff take out what the named occupation holds, in a stage that keeps the door shut for everything else; `end` ends it with that. */
  takeOut?: 'keep' | 'end' | 'move' | undefined;
  /** The last opening for the occupation that whoever asks has seen, null for none: where another came meanwhile, they were `Overtaken`. */
  lastOpen?: string | null;
  /** When the claim began that whoever asks was let in by: over by now, the door is not theirs to open. */
  claimedAt?: string | null;
  /** Whether whoever asks may still, with the locker held: they may have waited for it. Throws where not. */
  mayStill?: (tx: Tx) => Promise<void>;
};

/** Another press came first, after whoever asks had looked: the door was asked already. */
export class Overtaken extends Error {
  readonly commandId: string;
  constructor(commandId: string) {
    super();
    this.commandId = commandId;
  }
}

/** The command of the last opening that was asked for this occupation at this door. */
export const lastOpening = (tx: Tx, tenantId: string, lockerId: string, occupationId: string) =>
  tx
    .selectFrom('commands')
    .select(['id', 'issued_at', 'expires_at', 'outcome', 'code', 'takes_out', 'actor'])
    .where('tenant_id', '=', tenantId)
    .where('locker_id', '=', lockerId)
    .where('occupation_id', '=', occupationId)
    .where('op', '=', 'open')
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst();
type DoorAnswer = { outcome: CommandOutcome; code: string | null; at: string };

type Ask = { commandId: string; controllerId: string; compartment: number; expiresAt: string; paired: boolean };

/**
 * Who asks was let in by a look that is over by now. With the locker held nothing moves in or out of it: what was named must still lie
 * here and call for an open door, or it is somebody else's door that would open.
 */
const stillCalls = async (tx: Tx, tenantId: string, lockerId: string, occupationId: string, request: Request): Promise<void> => {
  const { onceMore = false, takeOut, claimedAt } = request;
  const rows = await tx
    .selectFrom('occupations')
    .select(['id', 'type', 'stage', 'locker_id', 'claim_opened_at'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('id', '=', occupationId), eb.and([eb('locker_id', '=', lockerId), eb('stage', '<', STAGES.TERMINATED)])]))
    .execute();
  const named = rows.find(({ id }) => id === occupationId);
  const others = rows.some(({ id }) => id !== occupationId);
  const isOver = claimedAt != null && (named?.stage !== STAGES.CLAIMING || named.claim_opened_at !== claimedAt);
  if (named && !isOver && named.locker_id === lockerId && ((takeOut ? mayBeTakenOut(named) : doorMayOpen(named)) || (onceMore && !others)))
    return;
  const stage = named ? stageName(named.stage) : null;
  const why = named && named.locker_id !== lockerId ? 'It lies behind another door by now' : `The door stays shut in ${stage}`;
  throw new Problem('occupation-transition', why, { data: { stage, action: 'open' } });
};

/** Writes down what is asked of the door before it is asked: a process killed in between leaves a command that ends as no-answer. */
const ask = async (tx: Tx, deps: Deps, scope: Scope, request: Request, op: Op): Promise<Ask> => {
  const locker = await lockLocker(tx, scope.tenantId, request.lockerId);
  await request.mayStill?.(tx);
  if (op === 'open' && request.occupationId) {
    const { occupationId, lastOpen } = request;
    const last = lastOpen === undefined ? undefined : await lastOpening(tx, scope.tenantId, locker.id, occupationId);
    await stillCalls(tx, scope.tenantId, locker.id, occupationId, request);
    if (last !== undefined && last.id !== lastOpen) {
      const { kind, id } = last.actor;
      // Somebody else's is none of theirs to walk in by.
      throw !last.takes_out && kind === scope.actor.kind && id === scope.actor.id ? new Overtaken(last.id) : new Problem('in-use');
    }
  }
  const cabinet = await tx
    .selectFrom('cabinets')
    .select(['id', 'controller_id', 'can_lock', 'credential_hash'])
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', locker.cabinet_id)
    .executeTakeFirstOrThrow(absent);
  if (op === 'lock' && !cabinet.can_lock) throw new Problem('cannot-lock');
  if (op === 'open' && locker.out_of_service && !request.reason) throw new Problem('out-of-service', locker.out_of_service.reason);
  const commandId = newId();
  const issued = deps.now();
  const expiresAt = new Date(issued.getTime() + deps.pace.commandMs).toISOString();
  await tx
    .insertInto('commands')
    .values({
      tenant_id: scope.tenantId,
      id: commandId,
      cabinet_id: cabinet.id,
      controller_id: cabinet.controller_id ?? cabinet.id,
      locker_id: locker.id,
      compartment: locker.compartment,
      op,
      occupation_id: request.occupationId ?? null,
      takes_out: request.takeOut !== undefined,
      take_out_ends: request.takeOut === 'end',
      take_out_moves: request.takeOut === 'move',
      actor: jsonb(scope.actor),
      reason: request.reason ?? null,
      issued_at: issued.toISOString(),
      expires_at: expiresAt,
    })
    .execute();
  await setLastCommand(tx, scope, locker.id, {
    id: commandId,
    op,
    at: issued.toISOString(),
    by: scope.actor,
    outcome: 'pending',
    code: null,
  });
  await deps.jobs.enqueue(
    tx,
    { name: 'settle-command', tenantId: scope.tenantId, commandId },
    { at: new Date(Date.parse(expiresAt) + 4_000).toISOString() },
  );
  const paired = cabinet.credential_hash !== null;
  return { commandId, controllerId: cabinet.controller_id ?? cabinet.id, compartment: locker.compartment, expiresAt, paired };
};

const setLastCommand = async (tx: Tx, scope: Scope, lockerId: string, command: LastCommand): Promise<void> => {
  await changeRow(tx, 'lockers', scope, lockerId, { last_command: jsonb(command) }).execute();
  await record(tx, scope, [], [{ kind: 'lockers', id: lockerId, method: 'PUT' }]);
};

const refusedOf = (op: string) => (op === 'lock' ? 'locker_lock_refused' : 'locker_open_refused');

/** How a command ended, once: the first word counts, whoever brings it. Answers the outcome that stands. */
export const settle = async (tx: Tx, scope: Scope, commandId: string, answer: DoorAnswer): Promise<DoorAnswer> => {
  const found = await tx
    .selectFrom('commands')
    .select('locker_id')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', commandId)
    .executeTakeFirst();
  const locker = found?.locker_id ? await lockLocker(tx, scope.tenantId, found.locker_id) : null;
  const command = await tx
    .selectFrom('commands')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', commandId)
    .forUpdate()
    .executeTakeFirstOrThrow(absent);
  if (command.outcome !== null)
    return { outcome: command.outcome === 'done' ? 'locked' : command.outcome, code: command.code, at: command.answered_at ?? scope.now };
  await updateRow(tx, 'commands', scope.tenantId, commandId)
    .set({
      outcome: answer.outcome,
      code: answer.code,
      answered_at: answer.at,
      ...(answer.outcome === 'opened' ? {} : { take_out_over_at: scope.now }),
    })
    .execute();
  if (command.takes_out && command.occupation_id !== null && answer.outcome === 'opened')
    await tellTakeOut(tx, scope, command.occupation_id);
  if (!locker) return answer;
  // A newer command may stand there by now: its outcome is not ours to write.
  if (locker.last_command?.id === commandId)
    await setLastCommand(tx, scope, locker.id, { ...locker.last_command, outcome: answer.outcome, code: answer.code });
  if (answer.outcome === 'opened' || answer.outcome === 'locked') return answer;
  await tellOfCommand(tx, scope, command, locker, {
    type: answer.outcome === 'refused' ? refusedOf(command.op) : 'locker_no_answer',
    at: answer.at,
    data: { op: command.op, outcome: answer.outcome, ...(answer.code ? { code: answer.code } : {}) },
  });
  return answer;
};

/**
 * Asks the controller and waits for its word (PACE.answerMs at most). Opens no transaction around the wait. `opened` was said by the controller;
 * what the door is now, its sensor says. Throws `not-found`, `out-of-service` (without a reason), `cannot-lock`, and
 * `occupation-transition` where the occupation that was named left this door or calls for it no more.
 */
const moveDoor = async (deps: Deps, scope: Scope, request: Request, op: Op): Promise<DoorAnswer> => {
  const { db, devices, metrics, outbox } = deps;
  const asked = await db.tenant(scope.tenantId, (tx) => ask(tx, deps, scope, request, op));
  outbox.wake();
  const command = {
    tenantId: scope.tenantId,
    controllerId: asked.controllerId,
    compartment: asked.compartment,
    commandId: asked.commandId,
    expiresAt: asked.expiresAt,
  };
  // A controller whose credential was withdrawn is sent nothing, also where a broker outside still lets it listen.
  const { doors } = devices;
  const { outcome, code, at } = asked.paired
    ? await (op === 'lock' ? doors.lock(command) : doors.open(command))
    : { outcome: 'offline' as const, code: 'unpaired', at: deps.now().toISOString() };
  const answer: DoorAnswer = { outcome: outcome === 'done' ? 'locked' : outcome, code: code ?? null, at };
  metrics.commands.inc({ op, outcome: answer.outcome });
  const stood = await db.tenant(scope.tenantId, (tx) => settle(tx, { ...scope, now: deps.now().toISOString() }, asked.commandId, answer));
  if (stood.outcome === 'opened' || stood.outcome === 'locked') await sensed(deps, scope.tenantId, asked.commandId, request.lockerId);
  if (stood.outcome === 'locked')
    await db.tenant(scope.tenantId, (tx) => tellSaid(tx, { ...scope, now: deps.now().toISOString() }, asked.commandId));
  outbox.wake();
  return stood;
};

const SENSED_TRIES = 40;
const SENSED_PAUSE_MS = 25;
/** The ack and the door's state come one after the other: waits until the state is stored too, so that who asked reads both. */
const sensed = async (deps: Deps, tenantId: string, commandId: string, lockerId: string): Promise<void> => {
  for (let attempt = 0; attempt < SENSED_TRIES; attempt++) {
    const row = await deps.db.tenant(tenantId, (tx) =>
      tx
        .selectFrom('lockers')
        .select(['last_command', 'lock_state'])
        .where('tenant_id', '=', tenantId)
        .where('id', '=', lockerId)
        .executeTakeFirst(),
    );
    if (row?.last_command?.id !== commandId) return;
    if (row.last_command.op === 'lock' ? row.lock_state === 'locked' : row.last_command.seen) return;
    await new Promise((resolve) => setTimeout(resolve, SENSED_PAUSE_MS));
  }
};

const SHUT_OUT: readonly ProblemCode[] = ['unknown-link', 'gone', 'suspended', 'out-of-service', 'forbidden', 'unauthenticated'];
/** Refused before the door was asked, and the next press would be: whoever was let in by it comes in no more. */
export const isShutOut = (error: unknown): boolean => error instanceof Problem && SHUT_OUT.includes(error.code);

/**
 * The job behind every command: one that nobody answered, because the process that asked is gone, ends as no-answer. Where the controller
 * said that it opened, and no sensor has seen it by now, the history tells just that.
 */
export const settleCommand = async (deps: Deps, tenantId: string, commandId: string): Promise<void> => {
  const now = deps.now().toISOString();
  await deps.db.tenant(tenantId, async (tx) => {
    const asked = await tx
      .selectFrom('commands')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', commandId)
      .executeTakeFirst();
    // Its company was deleted meanwhile: there is nothing to settle.
    if (!asked) return;
    await settle(tx, systemScope(tenantId, now), commandId, { outcome: 'no-answer', code: 'cut-off', at: now });
    await tellSaid(tx, systemScope(tenantId, now), commandId);
  });
  deps.outbox.wake();
};

export const openDoor = (deps: Deps, scope: Scope, request: Request): Promise<DoorAnswer> => moveDoor(deps, scope, request, 'open');
export const lockDoor = (deps: Deps, scope: Scope, request: Request): Promise<DoorAnswer> => moveDoor(deps, scope, request, 'lock');

const PROBLEM_OF = { refused: 'door-refused', 'no-answer': 'no-answer', offline: 'cabinet-offline' } as const;
/** What a caller of the API is told when the door did not move. */
export const throwUnlessMoved = (answer: DoorAnswer): void => {
  if (answer.outcome === 'opened' || answer.outcome === 'locked') return;
  const why = answer.code === 'broker-away' ? 'Doors cannot be commanded now, at any cabinet' : undefined;
  throw new Problem(PROBLEM_OF[answer.outcome], why, { data: { code: answer.code } });
};
