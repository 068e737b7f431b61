import { sql, type SqlBool } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Payment } from '@hatchway/contract/payments.ts';
import { wantsEnd } from '@hatchway/domain/payment.ts';
import { captureBy, nearsEndSince } from '@hatchway/domain/provider.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isOpenOperation } from '../occupations/payment-commands.ts';
import { page, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';

const CLAIMED = sql<SqlBool>`coalesce(o.claim_payment_id = p.id, false)`;
/** `wantsEnd` of the rules, for the database to look by. */
const WANTS_END = sql<SqlBool>`(case when p.provider = 'manual' then p.state = 'reserved' and p.held_until is null and not ${CLAIMED}
  else p.refused or (p.state = 'reserved' and p.nears_end) end)`;
/** What was asked of its provider and is not answered, in the order in which it was asked. */
const PENDING = sql<
  Payment['pending']
>`coalesce((select json_agg(json_build_object('kind', q.kind, 'amount', q.amount, 'state', case q.state when 'done' then 'sent' else q.state end,
  'at', to_char(q.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'error', q.error) order by q.id) from payment_operations q
  where q.tenant_id = p.tenant_id and q.payment_id = p.id and ${isOpenOperation} and not (q.kind = 'create' and q.state = 'done')), '[]')`;

const paymentRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('payments as p')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.occupation_id'))
    .leftJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 'o.tenant_id').onRef('a.id', '=', 'o.asset_id'))
    .where('p.tenant_id', '=', tenantId)
    .select([
      'p.id', 'p.tenant_id', 'p.occupation_id', 'p.provider', 'p.reference', 'p.amount', 'p.captured', 'p.refunded', 'p.currency',
      'p.state', 'p.quantity', 'p.held_until', 'p.payer', 'p.approve_url', 'p.details', 'p.events', 'p.last_error', 'p.refused', 'p.nears_end', 'p.version',
      'p.created_at', 'p.updated_at', 'o.type as occupation_type', 'o.door_tag',
      sql<string | null>`coalesce(a.name, o.asset_text)`.as('content'),
      sql<boolean>`${CLAIMED}`.as('claimed'),
      PENDING.as('pending'),
    ]); // prettier-ignore
type Row = Awaited<ReturnType<ReturnType<typeof paymentRows>['executeTakeFirstOrThrow']>>;

const word = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const endOf = ({ state, events, currency }: Pick<Row, 'state' | 'events' | 'currency'>): string | null => {
  const reserved = events.findLast((step) => step.state === 'reserved');
  return state === 'reserved' && reserved ? captureBy(reserved.at, currency) : null;
};

const toPayment = (row: Row): Payment => ({
  _id: row.id,
  tenantId: row.tenant_id,
  occupationId: row.occupation_id,
  occupationType: row.occupation_type,
  doorTag: row.door_tag,
  content: row.content,
  provider: row.provider,
  reference: row.reference,
  amount: row.amount,
  captured: row.captured,
  refunded: row.refunded,
  currency: row.currency,
  state: row.state,
  quantity: row.quantity,
  heldUntil: row.held_until,
  claimed: row.claimed,
  wantsEnd: wantsEnd({ ...row, holds: row.held_until !== null, refused: row.refused, nearsEnd: row.nears_end }),
  captureBy: row.provider === 'manual' ? null : endOf(row),
  pending: row.pending,
  payer: { name: word(row.payer['name']), tlf: word(row.payer['tlf']), email: word(row.payer['email']) },
  approveUrl: row.approve_url,
  details: row.details,
  events: row.events,
  lastError: row.last_error,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const LIST: ListSpec = {
  fields: {
    _id: sql.ref('p.id'),
    occupationId: sql.ref('p.occupation_id'),
    state: sql.ref('p.state'),
    provider: sql.ref('p.provider'),
    reference: sql.ref('p.reference'),
    currency: sql.ref('p.currency'),
    amount: sql.ref('p.amount'),
    wantsEnd: WANTS_END,
    createdAt: sql.ref('p.created_at'),
    updatedAt: sql.ref('p.updated_at'),
  },
  sorts: {
    createdAt: { column: sql.ref('p.created_at'), type: 'timestamptz' },
    updatedAt: { column: sql.ref('p.updated_at'), type: 'timestamptz' },
    amount: { column: sql.ref('p.amount'), type: 'int' },
  },
  id: sql.ref('p.id'),
  text: (words) => sql<SqlBool>`p.id in (select search_payments(${words}))`,
};

export const listPayments = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(tx, paymentRows(tx, tenantId), LIST, query, tenantId, toPayment);

export const onePayment = async (tx: Tx, tenantId: string, id: string): Promise<Payment> =>
  toPayment(await paymentRows(tx, tenantId).where('p.id', '=', id).executeTakeFirstOrThrow(absent));

/** How many wait for somebody's word about their money. */
export const countWanting = async (tx: Tx, tenantId: string): Promise<number> => {
  const row = await tx
    .selectFrom('payments as p')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.occupation_id'))
    .select(sql<number>`count(*)::int`.as('count'))
    .where('p.tenant_id', '=', tenantId)
    .where(WANTS_END)
    .executeTakeFirstOrThrow();
  return row.count;
};

/** Payments whose ten minutes are over, oldest first: what the clock's own job did not come to. */
export const paymentsOver = (deps: Deps, { tenantId, now }: Scope, atMost: number): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const rows = await tx
      .selectFrom('payments')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('held_until', '<=', now)
      .orderBy('held_until')
      .limit(atMost)
      .execute();
    return rows.map(({ id }) => id);
  });

/** Reserved with a provider that soon gives it back by itself, and nobody was told. */
export const nearingEnd = (deps: Deps, { tenantId, now }: Scope, atMost: number): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const since = sql`case when p.currency = 'NOK' then ${nearsEndSince(now, 'NOK')}::timestamptz else ${nearsEndSince(now, 'EUR')}::timestamptz end`;
    const rows = await tx
      .selectFrom('payments as p')
      .select('p.id')
      .where('p.tenant_id', '=', tenantId)
      .where('p.state', '=', 'reserved')
      .where('p.provider', '<>', 'manual')
      .where('p.nears_end', '=', false)
      .where(
        sql<SqlBool>`(select max((e->>'at')::timestamptz) from jsonb_array_elements(p.events) e where e->>'state' = 'reserved') <= ${since}`,
      )
      .orderBy('p.created_at')
      .limit(atMost)
      .execute();
    return rows.map(({ id }) => id);
  });
