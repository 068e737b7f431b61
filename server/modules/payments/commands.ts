import type { z } from 'zod';
import type { Payment, payments } from '@hatchway/contract/payments.ts';
import { mayActOnOccupation, maySeeOccupation, type Facts } from '@hatchway/domain/access.ts';
import { HOLD_FOR, later } from '@hatchway/domain/deadlines.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { mayBeGone } from '@hatchway/domain/locker.ts';
import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import {
  fateByClock,
  holdFor,
  keepsHold,
  letGo,
  moveByHand,
  paymentOfOne,
  type PaymentMove,
  type Provider,
} from '@hatchway/domain/payment.ts';
import { isPriced, total } from '@hatchway/domain/price.ts';
import { takesSum } from '@hatchway/domain/provider.ts';
import { STAGES, stageName } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { PaymentStep } from '../../db/tables/occupations.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record, type Change } from '../../events/record.ts';
import { absent, mustBeSeen, Problem, unknownReference, ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import { phoneAt } from '../../phone.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { changeRow, insertRow } from '../../rows.ts';
import { lastOpening } from '../lockers/door-commands.ts';
import { loadRow } from '../occupations/commands.ts';
import { companyFacts } from '../occupations/context-queries.ts';
import { isPayable } from '../integrations/vipps-queries.ts';
import {
  askProvider,
  endPaymentHold,
  eventOf,
  factsOf,
  noteRefused,
  lockPayment,
  paidFor,
  step,
  writeMove,
  type PaymentLocked,
} from '../occupations/payment-commands.ts';
import { lockOccupation, toOccupation, type OccupationRow } from '../occupations/row-queries.ts';
import { onePayment } from './queries.ts';

type BodyOf<P extends string> = z.output<
  Extract<(typeof payments)[number], { path: P; body: z.ZodType }> extends { body: infer B extends z.ZodType } ? B : never
>;

/** How many pieces are promised now; who looks at the occupation sees it. The caller has locked it. */
export const setHeld = async (tx: Tx, scope: Scope, o: Occupation, held: number): Promise<Change[]> => {
  if (held === o.held) return [];
  await changeRow(tx, 'occupations', scope, o.id, { held }).execute();
  return [{ kind: 'occupations', id: o.id, method: 'PUT' }];
};

/** The caller has locked the occupation, so that of two at once the second meets the first. */
const mustBeUnpaid = (o: Occupation, payments: OccupationRow['payments'], except?: string): void => {
  const paymentId = paymentOfOne(o, payments, except);
  if (paymentId !== null) throw new Problem('paid-already', undefined, { data: { paymentId } });
};

type Payer = NonNullable<BodyOf<'/payments'>['payer']>;

/** The payer as it is kept, with the number in E.164. What is not said stays unsaid. */
const payerOf = async (tx: Tx, tenantId: string, payer: Payer | undefined): Promise<Payer> => {
  const typed = payer?.tlf?.trim();
  if (!typed) return { ...payer };
  return { ...payer, tlf: phoneAt(typed, (await companyFacts(tx, tenantId)).country, '/payer/tlf', 'call') };
};

/** Throws `not-connected` (nobody set it up, or one of its keys is missing), `price` (no sum that it takes). */
const mustBeConnected = async (tx: Tx, deps: Deps, tenantId: string, due: { amount: number; currency: string }): Promise<void> => {
  // Nobody disconnects it while a payment is being begun.
  await tx.selectFrom('integrations').select('id').where('tenant_id', '=', tenantId).where('kind', '=', 'vipps').forShare().execute();
  if (!(await isPayable(tx, deps, tenantId))) throw new Problem('not-connected', 'No payment provider is connected');
  if (!takesSum(due)) throw ruled('The payment provider takes no such sum', '/occupationId', 'price');
};

type Begin = {
  row: OccupationRow;
  o: Occupation;
  provider: Provider;
  quantity: number;
  payer: Payer & { accountId?: string };
  /** Its provider asks the payer on their phone, instead of leading them to a page. */
  pushed?: boolean;
  /**
   * A purchase in the shop: what its buyer opens with, and finds it by again. Nothing is set aside for it before it is reserved, or
   * whoever does not pay would keep goods from those who would.
   */
  key?: { hash: Buffer; sealed: Buffer; find: Buffer | null };
};
/**
 * Starts a payment and holds its pieces; the caller has locked the occupation. Throws `price` (it costs nothing, or no sum that the
 * provider takes), `quantity`, `occupation-transition` (not on offer), `sold-out`, `paid-already` (one thing, and somebody paid for it),
 * `locker-in-doubt` (it may be gone), `not-connected` (a provider that nobody set up). Answers its id.
 */
export const beginPayment = async (tx: Tx, deps: Deps, scope: Scope, begin: Begin): Promise<string> => {
  const { tenantId, now } = scope;
  const { row, o, provider, quantity, payer, pushed = false, key } = begin;
  if (!isPriced(o.price)) throw ruled('Nothing is to be paid for it', '/occupationId', 'price');
  const due = total(o.price, quantity);
  if (provider !== 'manual') await mustBeConnected(tx, deps, tenantId, due);
  const hold = holdFor(o, quantity);
  if (!hold.ok) {
    const told = { data: { stage: stageName(o.stage), action: 'pay' } };
    throw new Problem(hold.code === 'not-on-offer' ? 'occupation-transition' : hold.code, undefined, told);
  }
  mustBeUnpaid(o, row.payments);
  if (row.content !== null && mayBeGone(o, row.content)) throw new Problem('locker-in-doubt');
  const id = newId();
  await insertRow(tx, 'payments', scope, id, {
    occupation_id: o.id,
    provider,
    reference: provider === 'manual' ? `M-${id.slice(-12).toUpperCase()}` : `hatchway-${id}`,
    amount: due.amount,
    currency: due.currency,
    state: 'initiated',
    quantity,
    sole: !isStock(o.type),
    held_until: key ? null : later(now, HOLD_FOR),
    payer: jsonb({ ...payer }),
    events: jsonb<PaymentStep[]>([step(scope, 'initiated', due.amount)]),
    pushed,
    ...(key ? { key_hash: key.hash, key_sealed: key.sealed, find_hash: key.find } : {}),
  }).execute();
  const changes = key ? [] : await setHeld(tx, scope, o, hold.held);
  const started = eventOf({ id, currency: due.currency }, 'initiated', due.amount, paidFor(o));
  await record(tx, scope, [started], [{ kind: 'payments', id, method: 'POST' }, ...changes]);
  await deps.jobs.enqueue(tx, { name: 'payment-over', tenantId, paymentId: id }, { at: later(now, HOLD_FOR), key: id });
  if (provider !== 'manual') await askProvider(tx, deps, scope, { id }, { kind: 'create', amount: due.amount });
  return id;
};

/**
 * A payment by the word of staff, or sent by them to the payer's phone. Throws as `beginPayment` does, and `unknown-reference` (no such
 * occupation in their sight), `forbidden`, `rule` (another amount or currency than it costs; a payer's number that is none, or none to
 * send it to; received by a provider's word).
 */
export const createPayment = async (tx: Tx, deps: Deps, scope: Scope, facts: Facts, input: BodyOf<'/payments'>): Promise<Payment> => {
  const { tenantId } = scope;
  if (!(await lockOccupation(tx, tenantId, input.occupationId))) throw unknownReference('/occupationId');
  const row = await loadRow(tx, tenantId, input.occupationId);
  const o = toOccupation(row);
  if (!maySeeOccupation(o, facts)) throw unknownReference('/occupationId');
  if (!mayActOnOccupation(o, facts)) throw new Problem('forbidden');
  if (!isPriced(o.price)) throw ruled('Nothing is to be paid for it', '/occupationId', 'price');
  const due = total(o.price, input.quantity);
  if (input.currency !== undefined && input.currency !== due.currency) throw ruled(`It costs ${due.currency}`, '/currency');
  if (input.amount !== undefined && input.amount !== due.amount) throw ruled(`It costs ${due.amount}`, '/amount');
  const payer = await payerOf(tx, tenantId, input.payer);
  const pushed = input.provider !== 'manual';
  if (pushed && !(await isPayable(tx, deps, tenantId))) throw new Problem('not-connected', 'No payment provider is connected');
  if (pushed && input.received) throw ruled('Its provider says when it is paid', '/received');
  if (pushed && !payer.tlf) throw ruled('A number is needed to send the request to', '/payer/tlf');
  const id = await beginPayment(tx, deps, scope, { row, o, provider: input.provider, quantity: input.quantity, payer, pushed });
  const others = row.payments;
  if (input.received) await moved(tx, deps, scope, { row: await locked(tx, tenantId, id), o, others }, { kind: 'reserve' });
  return onePayment(tx, tenantId, id);
};

const locked = async (tx: Tx, tenantId: string, id: string): Promise<PaymentLocked> => {
  const row = await lockPayment(tx, tenantId, id);
  if (!row) throw absent();
  return row;
};

/** `others`: all payments for the same occupation. */
export type Held = {
  row: PaymentLocked;
  o: Occupation | null;
  others: OccupationRow['payments'];
  content: OccupationRow['content'];
  name: string | null;
};

/** The payment with what it pays for, locked in the one order that everybody keeps: locker, occupation, payment. Throws `not-found`. */
export const holding = async (tx: Tx, tenantId: string, id: string): Promise<Held> => {
  const seen = await tx
    .selectFrom('payments')
    .select('occupation_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(absent);
  const has = seen.occupation_id !== null && (await lockOccupation(tx, tenantId, seen.occupation_id));
  const found = has && seen.occupation_id !== null ? await loadRow(tx, tenantId, seen.occupation_id) : null;
  return {
    row: await locked(tx, tenantId, id),
    o: found && toOccupation(found),
    others: found?.payments ?? [],
    content: found?.content ?? null,
    name: found?.asset_name ?? found?.asset_text ?? null,
  };
};

/** What is set aside for it is on sale again. The claim's own pieces are not the payment's to give. */
export const giveBack = async (tx: Tx, scope: Scope, { row, o }: Pick<Held, 'row' | 'o'>): Promise<Change[]> =>
  o === null || row.held_until === null ? [] : setHeld(tx, scope, o, letGo(o, row.quantity));

/** Throws `payment-transition`, `paid-already` (one thing, and somebody else paid for it) or, for an amount that is none, `rule`. */
const moved = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  { row, o, others }: Omit<Held, 'content' | 'name'>,
  move: PaymentMove,
  reason?: 'time' | 'left' | 'closed',
): Promise<void> => {
  const claimed = o?.claimPaymentId === row.id;
  const asked = moveByHand({ ...factsOf(row), claimed }, move);
  if (!asked.ok && asked.code === 'amount') throw ruled('The amount is more than there is', '/amount');
  if (!asked.ok) {
    const stands = o?.stage === STAGES.CLAIMING ? 'Its customer is being let in' : 'A storage stands on it until it ends';
    const words = claimed && move.kind === 'cancel' ? stands : `${move.kind} is not possible in ${row.state}`;
    throw new Problem('payment-transition', words, { data: { state: row.state, action: move.kind } });
  }
  if (move.kind === 'reserve' && o !== null) mustBeUnpaid(o, others, row.id);
  const changes = keepsHold(move) ? [] : await giveBack(tx, scope, { row, o });
  // Neither the clock nor who walked away takes anything from who has just approved it; staff's word does. Known as reserved, it goes back.
  const more = { changes, unlessReserved: reason !== undefined && row.state === 'initiated', ...(reason === undefined ? {} : { reason }) };
  await writeMove(tx, deps, scope, row, move, o === null ? null : paidFor(o), more);
};

/** Refund, cancel or capture by somebody's word. */
export const movePaymentByHand = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  id: string,
  move: PaymentMove,
  version?: number,
): Promise<Payment> => {
  const held = await holding(tx, scope.tenantId, id);
  // Money that was given back once must not be given back again because the first answer was lost.
  mustBeSeen(held.row, version);
  await moved(tx, deps, scope, held, move);
  return onePayment(tx, scope.tenantId, id);
};

/** Withdraws what nobody has approved; anything else stays as it is. */
export const cancelUnpaid = async (tx: Tx, deps: Deps, scope: Scope, id: string, reason: 'left' | 'closed' = 'left'): Promise<void> => {
  const held = await holding(tx, scope.tenantId, id);
  if (factsOf(held.row).state === 'initiated') await moved(tx, deps, scope, held, { kind: 'cancel' }, reason);
};

/** What people note of a payment. Details are kept whole as they come; `received` is staff's word that the money is there. */
export const updatePayment = async (tx: Tx, deps: Deps, scope: Scope, input: BodyOf<'/payments/update'>): Promise<Payment> => {
  const { tenantId } = scope;
  const held = await holding(tx, tenantId, input._id);
  mustBeSeen(held.row, input.version);
  if (input.received && held.row.provider !== 'manual') throw ruled('Its provider says when it is paid', '/received');
  const { details, payer } = input;
  if (JSON.stringify(details ?? {}).length > 20_000) throw ruled('The details are too long', '/details');
  if (details !== undefined || payer !== undefined) {
    const said = payer === undefined ? {} : { payer: jsonb({ ...held.row.payer, ...(await payerOf(tx, tenantId, payer)) }) };
    await changeRow(tx, 'payments', scope, input._id, {
      ...(details === undefined ? {} : { details: jsonb(details) }),
      ...said,
    }).execute();
    await record(tx, scope, [], [{ kind: 'payments', id: input._id, method: 'PUT' }]);
  }
  if (input.received) await moved(tx, deps, scope, held, { kind: 'reserve' });
  return onePayment(tx, tenantId, input._id);
};

/** Its door was asked to open since, and nobody heard what became of that. */
const mayHaveOpened = async (tx: Tx, o: Occupation, since: string): Promise<boolean> => {
  const last = await lastOpening(tx, o.tenantId, o.lockerId, o.id);
  return last?.outcome === 'no-answer' && last.issued_at > since;
};

/**
 * Its ten minutes are over: unless a claim stands on it, its pieces are on sale again. What nobody paid is cancelled with it; what staff
 * said that they have stays as they said it, and waits for somebody's word. Doing it twice does it once. Says whether it did.
 */
export const endHold = async (deps: Deps, tenantId: string, id: string): Promise<boolean> => {
  const scope = systemScope(tenantId, deps.now().toISOString());
  const ended = await deps.db.tenant(tenantId, async (tx) => {
    const held = await holding(tx, tenantId, id).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not-found') return null;
      throw error;
    });
    if (!held) return false;
    const { provider, state, held_until: until, key_hash: key, created_at: createdAt, open } = held.row;
    if (open.some(({ kind }) => kind === 'cancel')) return false;
    // Nothing is set aside for a purchase before it is paid; its ten minutes run all the same.
    const heldUntil = until ?? (key !== null && state === 'initiated' ? later(createdAt, HOLD_FOR) : null);
    const fate = fateByClock({ provider, state, heldUntil, claimed: held.o?.claimPaymentId === id }, scope.now);
    if (fate === 'cancel' && state === 'reserved' && held.o && (await mayHaveOpened(tx, held.o, createdAt))) {
      await endPaymentHold(tx, scope, id, await giveBack(tx, scope, held));
      await noteRefused(tx, scope, id, 'door-unknown');
    } else if (fate === 'cancel') await moved(tx, deps, scope, held, { kind: 'cancel' }, 'time');
    if (fate === 'let-go') await endPaymentHold(tx, scope, id, await giveBack(tx, scope, held));
    return fate !== 'none';
  });
  deps.outbox.wake();
  return ended;
};
