import { sql } from 'kysely';
import { isPlausible, pauseAfter, type OperationKind, type OperationState } from '@hatchway/domain/provider.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Said } from '../../providers/said.ts';
import type { Payment, PaymentProvider } from '../../providers/vipps.ts';
import { systemScope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';
import { noteAnswer } from '../integrations/vipps-commands.ts';
import { vippsOf } from '../integrations/vipps-queries.ts';
import { endUnsent, hearPayment, noteTrouble } from './provider-commands.ts';
import { noteRefused } from '../occupations/payment-commands.ts';
import { beginOf } from './provider-queries.ts';

type Step = {
  id: string;
  kind: OperationKind;
  amount: number;
  state: OperationState;
  attempts: number;
  updated_at: string;
  unless_reserved: boolean;
};
type Asked = { tenantId: string; id: string; reference: string; amount: number; currency: string };

const DAY = 24 * 60 * 60_000;
/** Longer than a call lasts: what was sent before that was cut off, with the process that sent it. */
const LEASE_MS = 30_000;

/** What was asked first of all that is not answered yet. */
const openStep = (tx: Tx, { tenantId, id }: Asked): Promise<Step | undefined> =>
  tx
    .selectFrom('payment_operations')
    .select(['id', 'kind', 'amount', 'state', 'attempts', 'updated_at', 'unless_reserved'])
    .where('tenant_id', '=', tenantId)
    .where('payment_id', '=', id)
    .where('state', 'in', ['wanted', 'sent', 'unknown'])
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

/** How it went with one. Whoever looks at the payment sees it, under the version that it had: what they were about to do stands. */
const mark = async (
  deps: Deps,
  { tenantId, id: paymentId }: Asked,
  { id }: Step,
  state: OperationState,
  error: string | null,
): Promise<void> => {
  const scope = systemScope(tenantId, deps.now().toISOString());
  await deps.db.tenant(tenantId, async (tx) => {
    await updateRow(tx, 'payments', tenantId, paymentId).set({ updated_at: scope.now }).execute();
    await updateRow(tx, 'payment_operations', tenantId, id).set({ state, error, updated_at: scope.now }).execute();
    await record(tx, scope, [], [{ kind: 'payments', id: paymentId, method: 'PUT' }]);
  });
  deps.outbox.wake();
};

/** Takes it for the length of a call, so that two processes do not ask beside each other. Null: nothing is open, or another one is at it. */
const take = (deps: Deps, asked: Asked): Promise<(Step & { before: OperationState }) | 'busy' | null> =>
  deps.db.tenant(asked.tenantId, async (tx) => {
    const step = await openStep(tx, asked);
    if (!step) return null;
    const now = deps.now();
    if (step.state === 'sent' && now.getTime() - Date.parse(step.updated_at) < LEASE_MS) return 'busy';
    await updateRow(tx, 'payment_operations', asked.tenantId, step.id)
      .set((eb) => ({ state: 'sent', attempts: eb('attempts', '+', 1), updated_at: now.toISOString() }))
      .execute();
    return { ...step, before: step.state };
  });

const send = async (
  deps: Deps,
  provider: PaymentProvider,
  asked: Asked,
  step: Step,
): Promise<Said<{ redirectUrl: string | null } | null>> => {
  const part = { reference: asked.reference, amount: step.amount, currency: asked.currency };
  switch (step.kind) {
    case 'create':
      return provider.create(
        { ...part, ...(await deps.db.tenant(asked.tenantId, (tx) => beginOf(tx, deps, asked.tenantId, asked.id))) },
        step.id,
      );
    case 'capture':
      return provider.capture(part, step.id);
    case 'refund':
      return provider.refund(part, step.id);
    case 'cancel':
      return provider.cancel(asked.reference, step.id, step.unless_reserved);
  }
};

/**
 * Whether a change whose answer was lost was carried out, as the provider tells it: a payment that is there was begun, and every other
 * change stands among its events under our key. What did not happen is sent again, under the same key.
 */
const wasDone = async (provider: PaymentProvider, { reference }: Asked, step: Step): Promise<Said<boolean>> => {
  if (step.kind === 'create') {
    const said = await provider.get(reference);
    if (said.kind === 'refused' && said.status === 404) return { kind: 'ok', value: false };
    return said.kind === 'ok' ? { kind: 'ok', value: true } : said;
  }
  const said = await provider.events(reference);
  return said.kind === 'ok' ? { kind: 'ok', value: said.value.some(({ key, success }) => success && key === step.id) } : said;
};

const paymentOf = async (tx: Tx, tenantId: string, id: string): Promise<Asked | null> => {
  const row = await tx
    .selectFrom('payments')
    .select(['reference', 'amount', 'currency', 'state'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('provider', '=', 'vipps')
    .executeTakeFirst();
  return row ? { tenantId, id, reference: row.reference, amount: row.amount, currency: row.currency } : null;
};

/** The next try of what could not be done now. */
const later = async (deps: Deps, { tenantId, id }: Asked, attempts: number, error: string): Promise<void> => {
  const at = new Date(deps.now().getTime() + pauseAfter(attempts)).toISOString();
  await deps.db.tenant(tenantId, async (tx) => {
    await noteTrouble(tx, systemScope(tenantId, deps.now().toISOString()), id, error, at);
    await deps.jobs.enqueue(tx, { name: 'payment-provider', tenantId, paymentId: id }, { key: `${id}:again`, at });
  });
  deps.outbox.wake();
};

/** One step towards the provider. `wait`: nothing more can be done now. */
const settleStep = async (
  deps: Deps,
  vipps: NonNullable<Awaited<ReturnType<typeof vippsOf>>>,
  asked: Asked,
): Promise<'done' | 'next' | 'wait'> => {
  const { provider, integrationId } = vipps;
  const step = await take(deps, asked);
  if (step === null) return 'done';
  if (step === 'busy') return 'wait';
  if (step.before !== 'wanted') {
    const was = await wasDone(provider, asked, step);
    if (was.kind !== 'ok') {
      await mark(deps, asked, step, 'unknown', was.error);
      await later(deps, asked, step.attempts, was.error);
      return 'wait';
    }
    if (was.value) {
      await mark(deps, asked, step, 'done', null);
      return 'next';
    }
  }
  // Nobody waits for it any more: a request must not come up on a payer's phone an hour late.
  if (step.kind === 'create' && (await endUnsent(deps, asked.tenantId, asked.id))) return 'done';
  const said = await send(deps, provider, asked, step);
  await noteAnswer(deps, asked.tenantId, integrationId, said);
  switch (said.kind) {
    case 'ok':
      await mark(deps, asked, step, 'done', null);
      return 'next';
    case 'refused':
      // Approved meanwhile, it is left alone as we asked: that is no trouble.
      await mark(deps, asked, step, 'refused', step.unless_reserved ? null : said.error);
      return 'next';
    case 'unknown':
    case 'away':
    case 'keys':
      await mark(deps, asked, step, said.kind === 'unknown' ? 'unknown' : 'wanted', said.error);
      await later(deps, asked, step.attempts, said.error);
      return 'wait';
  }
};

/**
 * Brings a payment in line with its provider: what is wanted of it is sent, one after the other, and then the provider says how it
 * stands. Cut off anywhere, the next run goes on; run twice, nothing is done twice. No transaction is open while the provider is asked.
 */
export const settlePayment = async (deps: Deps, tenantId: string, paymentId: string): Promise<void> => {
  const known = await deps.db.tenant(tenantId, async (tx) => ({
    asked: await paymentOf(tx, tenantId, paymentId),
    vipps: await vippsOf(tx, deps, tenantId),
  }));
  const { asked, vipps } = known;
  if (asked === null) return;
  if (vipps === null) {
    // What was never sent has nobody to wait for.
    if (await endUnsent(deps, tenantId, paymentId)) return;
    return later(deps, asked, 10, 'not-connected');
  }
  for (;;) {
    const way = await settleStep(deps, vipps, asked);
    if (way === 'wait') return;
    if (way === 'done') break;
  }
  const askedAt = deps.now().toISOString();
  const said: Said<Payment> = await vipps.provider.get(asked.reference);
  await noteAnswer(deps, tenantId, vipps.integrationId, said);
  const { attempts } = await deps.db.tenant(tenantId, (tx) =>
    tx
      .selectFrom('payment_operations')
      .select(sql<number>`coalesce(max(attempts), 0)::int`.as('attempts'))
      .where('tenant_id', '=', tenantId)
      .where('payment_id', '=', paymentId)
      .executeTakeFirstOrThrow(),
  );
  if (said.kind === 'refused' && said.status === 404) return endUnknown(deps, asked);
  if (said.kind !== 'ok') return later(deps, asked, attempts, said.error);
  if (!isPlausible(said.value, asked.amount)) return later(deps, asked, 10, 'its sums cannot be right');
  await hearPayment(deps, tenantId, paymentId, said.value, askedAt);
};

/** Its provider does not know it: its creation was refused; where it was known before, a person has to see to it, and it is asked for daily. */
const endUnknown = async (deps: Deps, { tenantId, id }: Asked): Promise<void> => {
  if (await endUnsent(deps, tenantId, id, 'refused')) return;
  const now = deps.now();
  await deps.db.tenant(tenantId, async (tx) => {
    await noteTrouble(tx, systemScope(tenantId, now.toISOString()), id, 'unknown-there', new Date(now.getTime() + DAY).toISOString());
    await noteRefused(tx, systemScope(tenantId, now.toISOString()), id, 'unknown-there');
  });
  deps.outbox.wake();
};
