import { isOverdue } from '@hatchway/domain/deadlines.ts';
import { movedDeadline, type Actor } from '@hatchway/domain/history.ts';
import { newAddress } from '@hatchway/domain/change.ts';
import { mayBeTakenOut } from '@hatchway/domain/lifecycle.ts';
import { holdsIt } from '@hatchway/domain/locker.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { transition } from '@hatchway/domain/transition.ts';
import type { Changed, Command, Context, DomainEvent, Effect, Occupation, Refusal, Capacity } from '@hatchway/domain/occupation-types.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { isActive, STAGES, type EndReason, type Stage } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record, type Change, type NewEvent } from '../../events/record.ts';
import { absent, Problem, unknownReference } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';
import { overTakeOut } from '../lockers/taking-out-commands.ts';
import { takeBackStale } from '../messages/waiting-commands.ts';
import { endPaymentHold } from './payment-commands.ts';
import { companyFacts, contextOf, policiesFor, rulesOfRow, targetOf } from './context-queries.ts';
import { openingUntil, unansweredSince } from './door-queries.ts';
import { outagesOf } from './outage-queries.ts';
import { activeOf, groupsOf, lockPerson, type Person } from './person-queries.ts';
import { tellIfCalledOff } from '../integrations/order-commands.ts';
import { shopSoon } from '../integrations/shop-commands.ts';
import { toolSoon } from '../integrations/tool-commands.ts';
import { tellTool } from '../integrations/tool-telling-commands.ts';
import { writeBack } from '../integrations/write-back-commands.ts';
import { runEffect } from './effects.ts';
import { messageFate } from './message-fate.ts';
import { columnsOf, lockOccupation, occupationRow, outOf, toOccupation, wasTakenOut, type OccupationRow } from './row-queries.ts';

export type ApplyOptions = {
  as: Capacity;
  /** The version that the caller saw. */
  expectedVersion?: number | undefined;
  /** Its cabinet fell silent after the door was seen open. */
  wasSilent?: boolean;
  /** The payment that a claim is to stand on, where several wait. */
  paymentId?: string;
  /** Who opened it, where that is not who the command runs as. */
  openedBy?: Actor;
  /** What is told of the door's opening, where the change tells of it. */
  opening?: Readonly<Record<string, unknown>>;
};
type Applied = {
  occupation: Occupation;
  before: Occupation;
  /** What was written to the history, by this order. */
  events: readonly DomainEvent[];
  effects: readonly Effect[];
};
export type Tried = ({ ok: true } & Applied) | { ok: false; refusal: Refusal; occupation: Occupation };

/** The row with its context, not locked. Throws `not-found`. */
export const loadRow = async (tx: Tx, tenantId: string, id: string): Promise<OccupationRow> => {
  const row = await occupationRow(tx, tenantId, id);
  if (!row) throw absent();
  return row;
};
export const load = async (tx: Tx, tenantId: string, id: string): Promise<Occupation> => toOccupation(await loadRow(tx, tenantId, id));

/** What a refusal is on the wire: its code, with stage and action named. */
export const problemOfRefusal = ({ code, stage, action }: Refusal, more: Record<string, unknown> = {}): Problem => {
  const words = code === 'occupation-transition' && stage !== null ? `${action} is not possible in ${stage}` : undefined;
  return new Problem(code, words, { data: { stage, action, ...more } });
};

/** The locker that it is said to go to. */
export const goalOf = (command: Command): string | null =>
  command.kind === 'fill' || command.kind === 'return' || command.kind === 'reset' ? (command.lockerId ?? null) : null;

const moveOf = (o: Occupation, command: Command): string | null => (goalOf(command) === o.lockerId ? null : goalOf(command));

/** Whom a claim is for: who is named with it or was before, else who makes it. */
const takerOf = (o: Occupation, named: Receiver | null, actor: Actor): Person => {
  const receiver = named ?? o.receiver;
  return { receiver, accountId: receiver === null && actor.kind === 'person' ? actor.id : null };
};

/** Customers' payments for pieces of one stock, beside each other: whose goods go out is chosen by nobody else than who lets them in. */
const paidBySeveral = ({ type, stage, payments }: OccupationRow): boolean =>
  isStock(type) && stage !== STAGES.CLAIMING && payments.filter(({ state }) => state === 'reserved').length > 1;
const whosePayment = (): Problem =>
  new Problem('whose-payment', undefined, { errors: [{ pointer: '/paymentId', detail: 'several are reserved' }] });

/** What sets a locker aside for it again, puts it in, or ends it. */
const ASKS_OUT: readonly Command['kind'][] = ['reset', 'fill', 'delete', 'expire-reservation'];

/** Reads, with the locks already held, everything that the rules ask for this command. */
const contextFor = async (
  tx: Tx,
  { pace }: Deps,
  scope: Scope,
  row: OccupationRow,
  command: Command,
  options: ApplyOptions,
): Promise<Context> => {
  const { tenantId } = scope;
  const policies = await policiesFor(tx, tenantId, row.locker_id === null ? [] : [row.locker_id]);
  const o = toOccupation(row);
  const claiming = command.kind === 'claim';
  const taker = claiming ? takerOf(o, command.receiver ?? null, scope.actor) : null;
  const rules = rulesOfRow(policies, row, pace, taker === null ? row.person_groups : await groupsOf(tx, tenantId, policies, taker));
  const asksClock = command.kind === 'expire-reservation';
  if (options.paymentId !== undefined && !row.payments.some((payment) => payment.id === options.paymentId))
    throw unknownReference('/paymentId');
  if (claiming && options.as === 'staff' && options.paymentId === undefined && paidBySeveral(row)) throw whosePayment();
  const goal = moveOf(o, command);
  const target = goal === null ? null : await targetOf(tx, tenantId, goal);
  if (goal !== null && target === null) throw unknownReference('/lockerId');
  const person = {
    accountId: options.as === 'holder' ? scope.actor.id : null,
    receiver: (claiming ? command.receiver : null) ?? o.receiver,
  };
  const counted = claiming && rules.maxActivePerPerson !== null;
  if (counted) await lockPerson(tx, tenantId, person);
  return contextOf(row, scope, options.as, options.expectedVersion ?? null, claiming, {
    rules,
    target,
    wasSilent: options.wasSilent ?? false,
    ...(options.paymentId === undefined ? {} : { paymentId: options.paymentId }),
    unanswered:
      asksClock ||
      command.kind === 'delete' ||
      command.kind === 'reset' ||
      command.kind === 'claim-failed' ||
      command.kind === 'finnish' ||
      goal !== null
        ? await unansweredSince(tx, tenantId, row)
        : false,
    opening:
      (claiming || (command.kind === 'claim-failed' && command.why === 'time')) &&
      (await openingUntil(tx, scope, row, claiming ? 'unanswered' : 'unseen')) !== null,
    activeOfPerson: counted ? await activeOf(tx, tenantId, person, o.id) : 0,
    out: ASKS_OUT.includes(command.kind) ? await outOf(tx, row) : null,
    offline: asksClock ? await outagesOf(tx, tenantId, row.cabinet_id, row.reserved_from) : [],
    ...(command.kind === 'archive' ? { retentionDays: (await companyFacts(tx, tenantId)).settings.retentionDays ?? 90 } : {}),
  });
};

/**
 * One command on one occupation, in the caller's transaction: locks (lockers by id, then the occupation), asks the rule, saves, carries
 * out what follows, writes the history. Answers a refusal instead of throwing it; nothing has changed then.
 */
export const attempt = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  occupationId: string,
  command: Command,
  options: ApplyOptions,
): Promise<Tried> => {
  if (!(await lockOccupation(tx, scope.tenantId, occupationId, goalOf(command)))) throw absent();
  const row = await loadRow(tx, scope.tenantId, occupationId);
  const before = toOccupation(row);
  const answer = transition(before, command, await contextFor(tx, deps, scope, row, command, options));
  if (!answer.ok) return { ok: false, refusal: answer.refusal, occupation: before };
  await settle(tx, deps, scope, row, before, command, answer, options);
  if (answer.effects.some((effect) => effect.kind === 'call-there')) {
    const called = await attempt(tx, deps, scope, occupationId, { kind: 'send' }, { as: 'server' });
    // What lies there may be in doubt: then nobody is sent to it before somebody has looked.
    return called.ok ? { ...called, before, events: [...answer.events, ...called.events] } : { ...answer, before };
  }
  const fate = answer.effects.some((effect) => effect.kind === 'settle-message')
    ? await messageFate(tx, scope.tenantId, occupationId)
    : null;
  if (fate === null) return { ...answer, before };
  const settled = await attempt(tx, deps, scope, occupationId, fate, { as: 'server' });
  return settled.ok ? { ...settled, before, events: [...answer.events, ...settled.events] } : { ...answer, before };
};

/** The same, refusals thrown as problems. */
export const apply = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  occupationId: string,
  command: Command,
  options: ApplyOptions,
): Promise<Applied> => {
  const tried = await attempt(tx, deps, scope, occupationId, command, options);
  if (!tried.ok) throw problemOfRefusal(tried.refusal);
  return tried;
};

/** What is vacant was taken out by staff, unless it is lent, its pieces were all taken, or staff found it empty. */
const endReason = async (tx: Tx, row: OccupationRow, { kind }: Command): Promise<EndReason> => {
  if (kind === 'finnish') return 'taken';
  return (await wasTakenOut(tx, row)) || (await outOf(tx, row))?.move ? 'taken-out' : 'cancelled';
};

/** Where a door is opened to put something in. */
const PUTS_IN: readonly Stage[] = [STAGES.INITIATED, STAGES.VACANT];

const settle = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  row: OccupationRow,
  before: Occupation,
  command: Command,
  { occupation: after, events, effects }: Changed,
  options: ApplyOptions,
): Promise<void> => {
  const { tenantId, now } = scope;
  if (after.version !== before.version) {
    const moved = after.stage !== before.stage;
    // Of several openings it is the last that says whose word counts on what was put in.
    const opened = command.kind === 'door-opened' && command.unexpected !== true && PUTS_IN.includes(after.stage);
    const dueAt = await dueAfter(row, effects);
    const offline =
      after.pickupBy === null && after.stage !== STAGES.INITIATED ? [] : await outagesOf(tx, tenantId, row.cabinet_id, row.reserved_from);
    await tx
      .updateTable('occupations')
      .set({
        ...columnsOf(after),
        updated_at: now,
        overdue: isOverdue({ ...after, dueAt }, offline, now),
        ...(moved ? { stage_at: now } : {}),
        ...(moved || opened
          ? { opened_by: opened || after.stage === STAGES.INITIATED ? jsonb(options.openedBy ?? scope.actor) : null }
          : {}),
        ...(after.stage === STAGES.TERMINATED && moved ? { end_reason: await endReason(tx, row, command) } : {}),
        ...(after.stage === STAGES.ARCHIVED && moved ? { archived_at: now, receiver_account_id: null } : {}),
        ...(after.pickupBy === before.pickupBy ? {} : { reminded_hours: null }),
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', after.id)
      .execute();
    if (row.taking_out !== null && (command.kind === 'fill' || !mayBeTakenOut(after))) await overTakeOut(tx, scope, after.id);
    // Other lockers are looked at after the commit: to lock them now would be the other order.
    if (after.assetId !== null && holdsIt(after.stage) && !holdsIt(before.stage))
      await deps.jobs.enqueue(tx, { name: 'doubt-elsewhere', tenantId, occupationId: after.id, at: now });
    if (after.claimPaymentId !== null && after.claimPaymentId !== before.claimPaymentId)
      await endPaymentHold(tx, scope, after.claimPaymentId);
  }
  const told = events.map((event) => eventOf(after, toldInFull(event, row, options.opening)));
  for (const effect of effects) {
    const doubt = await runEffect(tx, deps, scope, after, effect);
    // of the door that it stood at: what moved on is known to lie where it was put
    if (doubt) told.push({ ...eventOf(before, doubt), cabinetId: row.cabinet_id });
  }
  if (
    await writeBack(
      tx,
      scope,
      after,
      events.map(({ type }) => type),
    )
  )
    await shopSoon(tx, deps, tenantId);
  if (after.orderRef !== null && events.some(({ type }) => type === 'occupation_filled'))
    await tellIfCalledOff(tx, deps, scope, after.orderRef);
  const tool = await tellTool(tx, scope, { before, after, events, effects });
  if (tool !== null) await toolSoon(tx, deps, tenantId, tool);
  const corrected = after.receiver !== null && newAddress(before.receiver, after.receiver);
  if (isActive(before.stage) && (corrected || after.stage !== before.stage || effects.some(({ kind }) => kind === 'notify')))
    await takeBackStale(tx, deps, scope, after.id);
  await tell(tx, scope, before, after, told);
};

/** With what its rule does not know: how a door came to open, and which deadline was moved. */
const toldInFull = (event: DomainEvent, row: OccupationRow, opening: ApplyOptions['opening']): DomainEvent => {
  if (event.type === 'locker_opened') return { ...event, data: opening ?? {} };
  if (movedDeadline(event) === null) return event;
  return { ...event, data: { ...event.data, was: event.data?.['dueAt'] === undefined ? row.pickup_by : row.due_at } };
};

/** When what is lent is due, after the change. */
const dueAfter = async (row: OccupationRow, effects: readonly Effect[]): Promise<string | null> => {
  if (effects.some((effect) => effect.kind === 'close-loan')) return null;
  const moved = effects.find((effect) => effect.kind === 'open-loan' || effect.kind === 'amend-loan');
  return moved?.dueAt ?? row.due_at;
};

/** History and live changes. The wall shows the occupation's stage, so its lockers are new rows too. */
const tell = async (tx: Tx, scope: Scope, before: Occupation, after: Occupation, events: readonly NewEvent[]): Promise<void> => {
  if (after.version === before.version && events.length === 0) return;
  const lockers = [...new Set([before.lockerId, after.lockerId])].filter((id) => id !== '').toSorted();
  if (lockers.length > 0) {
    await tx
      .updateTable('lockers')
      .set((eb) => ({ updated_at: scope.now, version: eb('version', '+', 1) }))
      .where('tenant_id', '=', scope.tenantId)
      .where('id', 'in', lockers)
      .execute();
  }
  await record(tx, scope, events, [
    { kind: 'occupations', id: after.id, method: 'PUT' },
    ...lockers.map((id): Change => ({ kind: 'lockers', id, method: 'PUT' })),
  ]);
};

const eventOf = (o: Occupation, { type, data }: DomainEvent): NewEvent => ({ ...placed(o), type, ...(data ? { data } : {}) });

/** Where an event of an occupation belongs. */
export const placed = (o: Occupation) => ({
  lockerId: o.lockerId === '' ? null : o.lockerId,
  doorTag: o.doorTag,
  occupationId: o.id,
  occupationType: o.type,
  assetId: o.assetId,
});
