import { HOLD_FOR, later } from '@hatchway/domain/deadlines.ts';
import { mayBeGone } from '@hatchway/domain/locker.ts';
import { holdFor, isPaymentTrouble, paymentOfOne } from '@hatchway/domain/payment.ts';
import {
  captureBy,
  hearProvider,
  isBehind,
  nextLook,
  remainderOf,
  type OperationKind,
  type ProviderWord,
} from '@hatchway/domain/provider.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { PaymentStep } from '../../db/tables/occupations.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record, type Change } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, updateRow } from '../../rows.ts';
import { tellCaptureEnds } from '../messages/admin-mail-commands.ts';
import { sendReceipt, tellBought, tellNotTaken } from '../messages/payer-commands.ts';
import { askProvider, eventOf, heardFacts, lockPayment, paidFor, settleSoon, step } from '../occupations/payment-commands.ts';
import { overdueLooks, purchaseCode } from './provider-queries.ts';
import { giveBack, holding, setHeld, type Held } from './commands.ts';

/** An answer that was overtaken is asked for anew after this. */
const AGAIN_MS = 2_000;

/** In whose name the provider's word is written down. */
const providerScope = (tenantId: string, now: string): Scope => ({
  tenantId,
  now,
  actor: { kind: 'system', id: null, name: 'Vipps MobilePay' },
});

type Fit = { goods: true; held: number } | { goods: false; paidByOther: boolean };

/** Whether what was paid for is there still: set aside for this payment, or to be had anew where the payment came late. */
const fitOf = ({ row, o, others, content }: Held): Fit => {
  if (o === null) return { goods: false, paidByOther: false };
  const paidByOther = paymentOfOne(o, others, row.id) !== null;
  if (paidByOther || (content !== null && mayBeGone(o, content))) return { goods: false, paidByOther };
  if (row.held_until !== null || o.claimPaymentId === row.id) return { goods: true, held: o.held };
  const hold = holdFor(o, row.quantity);
  return hold.ok ? { goods: true, held: hold.held } : { goods: false, paidByOther: false };
};

const word = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** Who paid, as far as it is known: by the payment itself, else by whom its goods are for. */
const payerOf = ({ row, o }: Held): Receiver => ({
  name: word(row.payer['name']) ?? o?.receiver?.name ?? '',
  tlf: word(row.payer['tlf']) ?? o?.receiver?.tlf ?? null,
  email: word(row.payer['email']) ?? o?.receiver?.email ?? null,
});

const paidOf = ({ row, name }: Held) => ({
  id: row.id,
  reference: row.reference,
  amount: row.amount,
  currency: row.currency,
  content: row.quantity > 1 && name !== null ? `${row.quantity} × ${name}` : name,
});
/** A buyer hears that it waits for them, save who signs in at its cabinet and finds it there, and gets a receipt where an address is known. */
const tellBuyer = async (tx: Tx, deps: Deps, scope: Scope, held: Held, entered: boolean, captured: boolean): Promise<void> => {
  const purchase = held.row.key_sealed === null ? null : deps.seal.open(held.row.key_sealed);
  if (purchase === null) return;
  const key = { link: `${deps.config.publicUrl}/b/${purchase}`, code: purchaseCode(deps, purchase) };
  if (entered && word(held.row.payer['accountId']) === null) await tellBought(tx, deps, scope, paidOf(held), payerOf(held), key);
  if (captured) await sendReceipt(tx, deps, scope, paidOf(held), payerOf(held));
};

const ASKED: Readonly<Partial<Record<PaymentStep['state'], OperationKind>>> = {
  captured: 'capture',
  refunded: 'refund',
  cancelled: 'cancel',
};
/** Whose word brought a step about that the provider tells; null: nobody's here. */
const askedBy = async (tx: Tx, tenantId: string, paymentId: string, state: PaymentStep['state']): Promise<string | null> => {
  const kind = ASKED[state];
  if (kind === undefined) return null;
  const row = await tx
    .selectFrom('payment_operations')
    .select('asked_by')
    .where('tenant_id', '=', tenantId)
    .where('payment_id', '=', paymentId)
    .where('kind', '=', kind)
    .where('state', 'in', ['done', 'sent', 'unknown'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.asked_by ?? null;
};

/** What staff have to see to: the latest thing asked for, where the provider refused it. */
const troubleOf = async (tx: Tx, tenantId: string, paymentId: string): Promise<string | null> => {
  const last = await tx
    .selectFrom('payment_operations')
    .select(['state', 'error'])
    .where('tenant_id', '=', tenantId)
    .where('payment_id', '=', paymentId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.state === 'refused' ? last.error : null;
};

/**
 * Writes down what the provider says of a payment. One that its payer approved takes the goods where they are still to be had, else the
 * reservation is given back and the payer told. What they held is on sale again once it is cancelled.
 */
export const hearPayment = async (
  deps: Deps,
  tenantId: string,
  id: string,
  word: ProviderWord & { redirectUrl: string | null },
  /** When the provider was asked: of answers that come beside each other the latest asked for holds. */
  askedAt: string,
): Promise<void> => {
  const now = deps.now().toISOString();
  const scope = providerScope(tenantId, now);
  await deps.db.tenant(tenantId, async (tx) => {
    const found = await holding(tx, tenantId, id);
    const again = () =>
      deps.jobs.enqueue(tx, { name: 'payment-provider', tenantId, paymentId: id }, { key: `${id}:look`, at: later(now, AGAIN_MS) });
    if ((found.row.heard_at !== null && askedAt < found.row.heard_at) || isBehind(heardFacts(found.row), word)) return again();
    await tx
      .updateTable('payment_operations')
      .set({ heard: true })
      .where('tenant_id', '=', tenantId)
      .where('payment_id', '=', id)
      .where('state', '=', 'done')
      .where('updated_at', '<=', askedAt)
      .execute();
    const held = { ...found, row: (await lockPayment(tx, tenantId, id)) ?? found.row };
    const { row, o } = held;
    const news = hearProvider(heardFacts(row), word);
    const entered = news.payment.state === 'reserved' && news.steps.length > 0;
    // While it is being given back nobody knows yet whether that comes too late.
    if (entered && row.open.some(({ kind }) => kind === 'cancel')) return again();
    const ended = news.payment.state === 'cancelled' && row.state !== 'cancelled';
    const fit = entered ? fitOf(held) : null;
    const claimed = o?.claimPaymentId === id;
    let heldUntil = row.held_until;
    let changes: Change[] = [];
    if (fit?.goods && o !== null && !claimed) {
      changes = await setHeld(tx, scope, o, fit.held);
      heldUntil = later(now, HOLD_FOR);
      await deps.jobs.enqueue(tx, { name: 'payment-over', tenantId, paymentId: id }, { at: heldUntil, key: `${id}:reserved` });
    }
    if (ended || fit?.goods === false) {
      if (!claimed) changes = await giveBack(tx, scope, held);
      heldUntil = null;
    }
    if (fit?.goods === false) {
      await askProvider(tx, deps, scope, row, { kind: 'cancel', amount: row.amount });
      await tellNotTaken(tx, deps, scope, paidOf(held), payerOf(held));
    }
    if (ended && row.state === 'reserved') await tellNotTaken(tx, deps, scope, paidOf(held), payerOf(held));
    await tellBuyer(
      tx,
      deps,
      scope,
      held,
      fit?.goods === true,
      news.steps.some(({ state }) => state === 'captured'),
    );
    const rest = remainderOf(word);
    if (rest > 0 && row.open.length === 0 && !row.refused) await askProvider(tx, deps, scope, row, { kind: 'cancel', amount: rest });
    const { state } = news.payment;
    // A person's trouble stays until what it is about is over.
    const lost = ended && claimed ? ('released' as const) : null;
    const refusal =
      lost ??
      (await troubleOf(tx, tenantId, id)) ??
      (row.refused && isPaymentTrouble(row.last_error ?? '') && state === row.state ? row.last_error : null);
    const approveUrl = state === 'initiated' ? (word.redirectUrl ?? row.approve_url) : null;
    const told: PaymentStep[] = [];
    for (const one of news.steps) {
      const own = step(scope, one.state, one.amount);
      told.push({ ...own, by: (await askedBy(tx, tenantId, id, one.state)) ?? own.by });
    }
    const changed = news.steps.length > 0 || refusal !== row.last_error || approveUrl !== row.approve_url;
    const isScheduled = row.look_at !== null && row.look_at > now && news.steps.length === 0;
    const lookAt = isScheduled
      ? row.look_at
      : nextLook({ state, since: state === 'initiated' ? row.created_at : changed ? now : row.updated_at, now });
    await updateRow(tx, 'payments', tenantId, id)
      .set((eb) => ({
        look_at: lookAt,
        heard_at: askedAt,
        ...(changed
          ? {
              state,
              captured: news.payment.captured,
              refunded: news.payment.refunded,
              events: jsonb<PaymentStep[]>([...row.events, ...told]),
              held_until: heldUntil,
              approve_url: approveUrl,
              last_error: refusal,
              refused: refusal !== null,
              // One thing is paid for once: a second payment for it is given back, and stands beside the first until then.
              ...(fit?.goods === false && fit.paidByOther ? { sole: false } : {}),
              ...(entered ? { nears_end: false, too_late: fit?.goods === false } : {}),
              updated_at: now,
              version: eb('version', '+', 1),
            }
          : {}),
      }))
      .execute();
    if (lookAt !== null && !isScheduled)
      await deps.jobs.enqueue(tx, { name: 'payment-provider', tenantId, paymentId: id }, { key: `${id}:look`, at: lookAt });
    if (!changed) return;
    const about = o === null ? null : paidFor(o);
    const events = news.steps.map((one) =>
      eventOf(row, one.state, one.amount, about, one.state === 'cancelled' ? (news.end ?? undefined) : undefined),
    );
    await record(tx, scope, events, [{ kind: 'payments', id, method: 'PUT' }, ...changes]);
  });
  deps.outbox.wake();
};

/**
 * Ends a payment that its provider does not know: its creation was refused, or nobody waits for it any more before it was sent
 * (`unsent`, which does nothing while somebody does). Says whether it did.
 */
export const endUnsent = async (deps: Deps, tenantId: string, id: string, why: 'unsent' | 'refused' = 'unsent'): Promise<boolean> => {
  const now = deps.now().toISOString();
  const scope = providerScope(tenantId, now);
  const did = await deps.db.tenant(tenantId, async (tx) => {
    const held = await holding(tx, tenantId, id);
    const { row, o } = held;
    if (row.state !== 'initiated') return false;
    const isOld = Date.parse(now) - Date.parse(row.created_at) >= HOLD_FOR;
    if (why === 'unsent' && !isOld && !row.open.some(({ kind }) => kind === 'cancel')) return false;
    const changes = await giveBack(tx, scope, held);
    await tx
      .updateTable('payment_operations')
      .set({ state: 'refused', updated_at: now })
      .where('tenant_id', '=', tenantId)
      .where('payment_id', '=', id)
      .where('state', 'in', ['wanted', 'sent', 'unknown'])
      .execute();
    const trouble = why === 'refused' ? await troubleOf(tx, tenantId, id) : null;
    await changeRow(tx, 'payments', scope, id, {
      state: 'cancelled',
      events: jsonb<PaymentStep[]>([...row.events, step(scope, 'cancelled', row.amount)]),
      held_until: null,
      approve_url: null,
      look_at: null,
      last_error: trouble,
    }).execute();
    const event = eventOf(row, 'cancelled', row.amount, o === null ? null : paidFor(o), why === 'refused' ? 'refused' : 'time');
    await record(tx, scope, [event], [{ kind: 'payments', id, method: 'PUT' }, ...changes]);
    return true;
  });
  deps.outbox.wake();
  return did;
};

/** Why its provider could not be asked now; asked again, it goes. */
export const noteTrouble = async (tx: Tx, scope: Scope, id: string, error: string, lookAt: string): Promise<void> => {
  await updateRow(tx, 'payments', scope.tenantId, id).set({ look_at: lookAt }).execute();
  const { numUpdatedRows } = await changeRow(tx, 'payments', scope, id, { last_error: error })
    .where((eb) => eb('last_error', 'is distinct from', error))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await record(tx, scope, [], [{ kind: 'payments', id, method: 'PUT' }]);
};

/** Payments whose provider was to be asked a while ago, and whose job is gone, are asked now. */
export const askLeft = async (deps: Deps, scope: Scope, atMost: number): Promise<void> => {
  const left = await overdueLooks(deps, scope, atMost);
  if (left.length === 0) return;
  await deps.db.tenant(scope.tenantId, async (tx) => {
    for (const id of left) await settleSoon(tx, deps, scope.tenantId, id);
  });
};

/** Staff are told once that a reservation ends in a few days, and it waits for somebody's word from then on. Says whether it did. */
export const noteNearEnd = async (deps: Deps, scope: Scope, id: string): Promise<boolean> => {
  const { tenantId, now } = scope;
  const noted = await deps.db.tenant(tenantId, async (tx) => {
    const row = await lockPayment(tx, tenantId, id);
    const reserved = row?.events.findLast(({ state }) => state === 'reserved');
    if (!row || !reserved || row.state !== 'reserved' || row.nears_end) return false;
    await changeRow(tx, 'payments', scope, id, { nears_end: true }).execute();
    await record(tx, scope, [], [{ kind: 'payments', id, method: 'PUT' }]);
    await tellCaptureEnds(tx, deps, { tenantId, paymentId: id, price: row, until: captureBy(reserved.at, row.currency) }, now);
    return true;
  });
  deps.outbox.wake();
  return noted;
};
