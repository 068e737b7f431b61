import { sql, type SqlBool } from 'kysely';
import type { Compared, Comparing } from '@hatchway/contract/payments.ts';
import { compareBooks, type Heard, type OurBooks } from '@hatchway/domain/reconcile.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Listed } from '../../http/list.ts';
import { Problem } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import type { Said } from '../../providers/said.ts';
import type { Payment, PaymentProvider } from '../../providers/vipps.ts';
import { noteAnswer } from '../integrations/vipps-commands.ts';
import { vippsOf } from '../integrations/vipps-queries.ts';
import { settleSoon } from '../occupations/payment-commands.ts';

/** As many as are asked one after the other while somebody waits, and as many at once. */
const PAGE = 100;
const AT_ONCE = 4;
/** Pages of one company, for all who look: the provider takes 120 reads a minute of each payment, and other things read there too. */
const PAGES = { most: 60, seconds: 600 };

type Ours = OurBooks & { id: string; reference: string; currency: string };

const ourRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('payments as p')
    .select(['p.id', 'p.reference', 'p.currency', 'p.amount', 'p.state', 'p.captured', 'p.refunded'])
    .select(
      sql<boolean>`exists (select from payment_operations q where q.tenant_id = p.tenant_id and q.payment_id = p.id
        and q.state in ('wanted', 'sent', 'unknown'))`.as('underWay'),
    )
    .where('p.tenant_id', '=', tenantId)
    .where('p.provider', '=', 'vipps');

/** Begun on that day, moved on it, or last changed on it. */
const ofDay = async (tx: Tx, tenantId: string, now: string, { day, cursor }: Comparing): Promise<Ours[]> => {
  const span = await tx
    .selectFrom('companies')
    .select([
      sql<string>`(coalesce(${day ?? null}::date, (${now}::timestamptz at time zone time_zone)::date))::timestamp at time zone time_zone`.as(
        'from',
      ),
      sql<string>`(coalesce(${day ?? null}::date, (${now}::timestamptz at time zone time_zone)::date) + 1)::timestamp at time zone time_zone`.as(
        'to',
      ),
    ])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const { from, to } = span;
  return ourRows(tx, tenantId)
    .where('p.created_at', '<', to)
    .where('p.updated_at', '>=', from)
    .where(
      sql<SqlBool>`(p.updated_at < ${to} or exists (select from jsonb_array_elements(p.events) e
        where (e->>'at')::timestamptz >= ${from} and (e->>'at')::timestamptz < ${to}))`,
    )
    .$if(cursor !== undefined, (rows) => rows.where('p.id', '>', cursor ?? ''))
    .orderBy('p.id')
    .limit(PAGE + 1)
    .execute();
};

type Answer = { heard: Heard; error: string | null };
const answerOf = (said: Said<Payment>): Answer => {
  if (said.kind === 'ok') return { heard: { kind: 'word', word: said.value }, error: null };
  if (said.kind === 'refused' && said.status === 404) return { heard: { kind: 'absent' }, error: null };
  return { heard: { kind: 'silent' }, error: said.error };
};

/** Asks for each. One that is away, or that takes no keys of ours, is not asked for the rest. */
const askAll = async (
  provider: PaymentProvider,
  rows: readonly Ours[],
): Promise<{ answers: Map<string, Answer>; last: Said<Payment> | null }> => {
  const answers = new Map<string, Answer>();
  const left = rows.values();
  let last: Said<Payment> | null = null;
  let closed: Answer | null = null;
  const asker = async () => {
    for (const { id, reference } of left) {
      if (closed) {
        answers.set(id, closed);
        continue;
      }
      const said = await provider.get(reference);
      const answer = answerOf(said);
      answers.set(id, answer);
      if (said.kind !== 'refused') last = said;
      if (said.kind !== 'refused' && said.kind !== 'ok') closed = answer;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return { answers, last };
};

/**
 * What the provider says of each payment of a day beside what we say, page by page. What differs is asked for anew at once, so that what
 * was only not heard of comes right by itself. No transaction is open while the provider is asked. Throws `not-connected`,
 * `too-many-requests`.
 */
export const reconcile = async (deps: Deps, tenantId: string, asked: Comparing): Promise<Listed<Compared[]>> => {
  const now = deps.now().toISOString();
  await deps.db.open((tx) => limited(tx, { bucket: `reconcile:${tenantId}`, ...PAGES }, now));
  const { vipps, found } = await deps.db.tenant(tenantId, async (tx) => ({
    vipps: await vippsOf(tx, deps, tenantId),
    found: await ofDay(tx, tenantId, now, asked),
  }));
  if (vipps === null) throw new Problem('not-connected', 'No payment provider is connected');
  const before = found.slice(0, PAGE);
  const { answers, last } = await askAll(vipps.provider, before);
  if (last !== null) await noteAnswer(deps, tenantId, vipps.integrationId, last);
  const silent: Answer = { heard: { kind: 'silent' }, error: null };
  const compare = (ours: Ours) => {
    const { heard, error } = answers.get(ours.id) ?? silent;
    return { ours, error, ...compareBooks(ours, heard) };
  };
  const rows = before.map(compare);
  const unlike = rows.flatMap(({ ours, todo }) => (todo === null || todo === 'unread' ? [] : [ours.id]));
  const after = await deps.db.tenant(tenantId, async (tx) => {
    if (unlike.length === 0) return new Map<string, Ours>();
    for (const id of unlike) await settleSoon(tx, deps, tenantId, id);
    const again = await ourRows(tx, tenantId).where('p.id', 'in', unlike).execute();
    return new Map(again.map((ours) => [ours.id, ours]));
  });
  if (unlike.length > 0) deps.outbox.wake();
  return {
    rows: rows.map((row) => {
      // It may have moved while its provider was asked: what agrees with it before or after agrees.
      const moved = after.get(row.ours.id);
      const { ours, theirs, todo, error } = moved ? compare(moved) : row;
      const { id, reference, currency, amount, state, captured, refunded } = ours;
      return { paymentId: id, reference, currency, amount, ours: { state, captured, refunded }, theirs, todo, error };
    }),
    next: found.length > PAGE ? (before.at(-1)?.id ?? null) : null,
    total: null,
  };
};
