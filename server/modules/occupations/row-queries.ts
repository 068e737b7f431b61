import { sql, type RawBuilder } from 'kysely';
import type { Actor, HistoryEventType } from '@hatchway/domain/history.ts';
import type { Occupation, TakenOut } from '@hatchway/domain/occupation-types.ts';
import { MINUTE } from '@hatchway/domain/deadlines.ts';
import type { Provider } from '@hatchway/domain/payment.ts';
import { STAGES, type ContentState, type PaymentState, type Stage } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { RowChange } from '../../db/schema.ts';
import { madeOnce } from '../../db/made-once.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { groupIdsOf } from '../../person-groups.ts';
import { stageNo } from '../../stages.ts';
import { orderCalledOff } from '../integrations/order-queries.ts';
import { isOpenOperation } from './payment-commands.ts';
import { occupancyNow } from '../lockers/queries.ts';

type PaymentRow = {
  id: string;
  state: PaymentState;
  quantity: number;
  provider: Provider;
  account: string | null;
  /** Its pieces are set aside for it. */
  holds: boolean;
  /** Money that was captured and has not gone back. */
  paid: boolean;
};

/** Of a payment `p`, as it will be once what is asked of its provider is done: what is being given back lets nobody in any more. */
export const expectedState = sql<PaymentState>`coalesce((select case q.kind when 'cancel' then 'cancelled' when 'capture' then 'captured' end
  from payment_operations q where q.tenant_id = p.tenant_id and q.payment_id = p.id and q.kind in ('cancel', 'capture') and ${isOpenOperation}
    and p.state in ('initiated', 'reserved') order by q.id limit 1), p.state)`;

/** Who it is for: whoever is named, else whoever has taken it. */
const personGroups = (tenantId: string): RawBuilder<string[]> =>
  sql`case when exists (select from policies where tenant_id = ${tenantId} and group_ids <> '{}') then ${groupIdsOf(tenantId, {
    email: sql`o.receiver_email`,
    tlf: sql`o.receiver_tlf`,
    account: sql`case when o.receiver_name is null and o.claimed_by->>'kind' = 'person' then (substring(o.claimed_by->>'id' from '^[0-9a-f-]{36}$'))::uuid end`,
  })} else '{}'::uuid[] end`;

/** Who claimed it is who it is for, by their account's address or number. */
const claimedForThemselves = sql<boolean>`(o.receiver_name is not null and o.claimed_by->>'kind' = 'person' and exists (select from accounts a
  where a.id = substring(o.claimed_by->>'id' from '^[0-9a-f-]{36}$')::uuid
    and (a.email = o.receiver_email or a.tlf = o.receiver_tlf)))`;

/**
 * Its door was last seen to open in its claim by lock control or an access link, for nobody's use, or to take something out, and not by
 * whoever was let in. By when it was heard, as the claim goes by that too: a controller's clock may be behind, and a cabinet that was away
 * tells late. What was heard while the claim waited to be written counts into it.
 */
const openedAside = sql<boolean>`(o.stage = ${stageNo('CLAIMING')} and coalesce((select (c.takes_out or c.occupation_id is distinct from o.id)
    and not coalesce(c.actor->>'kind' = o.claimed_by->>'kind' and c.actor->>'id' = o.claimed_by->>'id', false)
  from commands c where c.tenant_id = o.tenant_id and c.locker_id = o.locker_id and c.op = 'open'
    and c.seen_at >= least(o.claim_opened_at, o.door_opened_at)
  order by c.seen_at desc limit 1), false))`;

/**
 * What was sensed inside as its door was last seen to open in its claim, where the last command to that door did it: by our own clock both
 * for the command and for the claim, which hears of the opening in the same moment.
 */
const sensedAsOpened = sql<ContentState | null>`(case when o.stage = ${stageNo('CLAIMING')}
    and (l.last_command->>'at')::timestamptz >= o.claim_opened_at and (l.last_command->'seen'->>'at')::timestamptz = o.door_opened_at
  then l.last_command->'seen'->>'inside' end)`;

/** Occupations with all that their rules and their wire shape need of other tables, from one statement. */
export const occupationRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('occupations as o')
    .leftJoin('lockers as l', (join) => join.onRef('l.tenant_id', '=', 'o.tenant_id').onRef('l.id', '=', 'o.locker_id'))
    .leftJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .leftJoin('loans as n', (join) =>
      join.onRef('n.tenant_id', '=', 'o.tenant_id').onRef('n.occupation_id', '=', 'o.id').on('n.returned_at', 'is', null),
    )
    .leftJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 'o.tenant_id').onRef('a.id', '=', 'o.asset_id'))
    .leftJoin('status_labels as s', (join) => join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.id', '=', 'a.status_label_id'))
    .where('o.tenant_id', '=', tenantId)
    .select([
      'o.id',
      'o.tenant_id',
      'o.type',
      'o.service',
      'o.stage',
      'o.resume_stage',
      'o.stage_at',
      'o.version',
      'o.locker_id',
      'o.door_tag',
      'o.asset_id',
      'o.asset_text',
      'o.order_ref',
      'o.external_ref',
      'o.receiver_name',
      'o.receiver_tlf',
      'o.receiver_email',
      'o.quantity',
      'o.held',
      'o.refill_level',
      'o.loan_hours',
      'o.price',
      'o.policy_ref',
      'o.claimed_by',
      'o.claim_quantity',
      'o.claim_payment_id',
      'o.claim_payment_used',
      'o.claim_opened_at',
      'o.claim_due_at',
      'o.claim_replaced',
      'o.door_opened_at',
      'o.door_closed_at',
      'o.opened_by',
      'o.reserved_from',
      'o.reserved_until',
      'o.pickup_from',
      'o.pickup_by',
      'o.overdue',
      'o.contact_error',
      'o.reminded_hours',
      'o.note',
      'o.created_by',
      'o.end_reason',
      'o.continued_by',
      'o.ended_at',
      'o.secrets_until',
      'o.created_at',
      'o.updated_at',
      orderCalledOff.as('order_called_off'),
      sql<boolean>`(o.token_hash is not null)`.as('has_secrets'),
      sql<
        'keep' | 'end' | 'move' | null
      >`(select case when t.take_out_ends then 'end' when t.take_out_moves then 'move' else 'keep' end from commands t
        where t.tenant_id = o.tenant_id and t.occupation_id = o.id and t.takes_out and t.outcome = 'opened'
          and t.take_out_over_at is null
        order by t.issued_at desc limit 1)`.as('taking_out'),
      openedAside.as('opened_aside'),
      sensedAsOpened.as('sensed_as_opened'),
      'l.cabinet_id',
      occupancyNow.as('occupancy'),
      'l.content',
      'l.content_at',
      'l.content_why',
      'l.sensed',
      'l.sensed_since',
      'l.doubted_at',
      'l.said_at',
      'l.size as locker_size',
      'l.out_of_service',
      'l.policy_ref as locker_policy_ref',
      'c.has_sensors',
      'c.connection',
      'n.id as loan_id',
      'n.out_at as loan_out_at',
      'n.due_from as loan_due_from',
      'n.due_at',
      'n.reminded_hours as loan_reminded_hours',
      'a.name as asset_name',
      personGroups(tenantId).as('person_groups'),
      claimedForThemselves.as('claimed_for_themselves'),
      's.type as label_type',
      sql<
        PaymentRow[]
      >`coalesce((select json_agg(json_build_object('id', p.id, 'state', ${expectedState}, 'quantity', p.quantity, 'provider', p.provider,
        'account', p.payer->>'accountId', 'holds', p.held_until is not null, 'paid', p.captured > p.refunded) order by p.created_at, p.id)
        from payments p where p.tenant_id = o.tenant_id and p.occupation_id = o.id), '[]')`.as('payments'),
    ]);
export type OccupationRow = Awaited<ReturnType<ReturnType<typeof occupationRows>['executeTakeFirstOrThrow']>>;

const byId = madeOnce((tx, { tenantId, id }: { tenantId: string; id: string }) =>
  occupationRows(tx, tenantId).where('o.id', '=', id).compile(),
);
export const occupationRow = async (tx: Tx, tenantId: string, id: string): Promise<OccupationRow | undefined> =>
  (await byId(tx, { tenantId, id }))[0];

/** The row as the rules know it. A locker that was deleted since (ended occupations alone) is ''. */
export const toOccupation = (row: OccupationRow): Occupation => ({
  id: row.id,
  tenantId: row.tenant_id,
  type: row.type,
  service: row.service,
  stage: row.stage,
  version: row.version,
  resumeStage: row.resume_stage,
  lockerId: row.locker_id ?? '',
  doorTag: row.door_tag,
  assetId: row.asset_id,
  assetText: row.asset_text,
  orderRef: row.order_ref,
  externalRef: row.external_ref,
  receiver: row.receiver_name === null ? null : { name: row.receiver_name, tlf: row.receiver_tlf, email: row.receiver_email },
  quantity: row.quantity,
  held: row.held,
  refillLevel: row.refill_level,
  loanHours: row.loan_hours,
  price: row.price,
  policyRef: row.policy_ref,
  claimedBy: row.claimed_by,
  claimQuantity: row.claim_quantity,
  claimPaymentId: row.claim_payment_id,
  claimPaymentUsed: row.claim_payment_used,
  claimOpenedAt: row.claim_opened_at,
  claimDueAt: row.claim_due_at,
  claimReplaced: row.claim_replaced,
  doorOpenedAt: row.door_opened_at,
  doorClosedAt: row.door_closed_at,
  reservedUntil: row.reserved_until,
  reservedFrom: row.reserved_from,
  pickupBy: row.pickup_by,
  pickupFrom: row.pickup_from,
  contactError: row.contact_error,
  note: row.note,
  createdBy: row.created_by,
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

/** What a change of the occupation may touch, as columns. */
export const columnsOf = (o: Occupation) =>
  ({
    stage: o.stage,
    version: o.version,
    resume_stage: o.resumeStage,
    locker_id: o.lockerId === '' ? null : o.lockerId,
    door_tag: o.doorTag,
    asset_text: o.assetText,
    order_ref: o.orderRef,
    external_ref: o.externalRef,
    receiver_name: o.receiver?.name ?? null,
    receiver_tlf: o.receiver?.tlf ?? null,
    receiver_email: o.receiver?.email ?? null,
    quantity: o.quantity,
    held: o.held,
    price: o.price === null ? null : jsonb({ ...o.price }),
    policy_ref: o.policyRef,
    claimed_by: o.claimedBy === null ? null : jsonb<Actor>(o.claimedBy),
    claim_quantity: o.claimQuantity,
    claim_payment_id: o.claimPaymentId,
    claim_payment_used: o.claimPaymentUsed,
    claim_opened_at: o.claimOpenedAt,
    claim_due_at: o.claimDueAt,
    claim_replaced: o.claimReplaced === null ? null : jsonb({ ...o.claimReplaced }),
    door_opened_at: o.doorOpenedAt,
    door_closed_at: o.doorClosedAt,
    reserved_from: o.reservedFrom,
    reserved_until: o.reservedUntil,
    pickup_from: o.pickupFrom,
    pickup_by: o.pickupBy,
    contact_error: o.contactError,
    note: o.note,
    ended_at: o.endedAt,
  }) satisfies RowChange<'occupations'>;

/**
 * Locks in the one order that everybody keeps: lockers by id, then the occupation. Answers false where there is no such occupation.
 * Where it moved to another locker between look and lock the transaction starts over: to wait for that locker now, with the occupation
 * held, would be the other order.
 */
export const lockOccupation = async (tx: Tx, tenantId: string, id: string, also: string | null = null): Promise<boolean> => {
  const where = tx.selectFrom('occupations').select('locker_id').where('tenant_id', '=', tenantId).where('id', '=', id);
  const seen = await where.executeTakeFirst();
  if (!seen) return false;
  const lockers = [seen.locker_id, also].filter((one) => one !== null);
  if (lockers.length > 0) {
    await tx
      .selectFrom('lockers')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', lockers)
      .orderBy('id')
      .forUpdate()
      .execute();
  }
  const held = await where.forUpdate().executeTakeFirst();
  if (!held) return false;
  if (held.locker_id !== seen.locker_id && held.locker_id !== null) {
    throw Object.assign(new Error('the occupation moved on while it was being locked'), { code: '40001' });
  }
  return true;
};

/** Whether the history tells this of it for a change that was made at that moment: what became of it then no later word alters. */
export const wasTold = async (
  tx: Tx,
  { tenantId, id }: Pick<Occupation, 'tenantId' | 'id'>,
  type: HistoryEventType,
  at: string,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('events')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', id)
    .where('type', '=', type)
    .where('at', '=', at)
    .executeTakeFirst();
  return row !== undefined;
};

/** Vacant because staff took out what lay there; not lent, used up, or found empty. */
export const wasTakenOut = async (tx: Tx, { tenant_id: tenantId, id, stage, stage_at }: OccupationRow): Promise<boolean> =>
  stage === STAGES.VACANT && (await wasTold(tx, { tenantId, id }, 'occupation_extract', stage_at));

/** What puts it into a locker, beside what takes it out. */
const IN_OR_OUT: readonly HistoryEventType[] = ['occupation_extract', 'occupation_filled', 'occupation_refilled', 'occupation_returned'];
const MAY_BE_OUT: readonly Stage[] = [STAGES.VACANT, STAGES.RESERVED, STAGES.INITIATED];

/** Whether staff took it out and it has not been put in since, and what for. */
export const outOf = async (tx: Tx, { tenant_id: tenantId, id, stage }: OccupationRow): Promise<TakenOut | null> => {
  if (!MAY_BE_OUT.includes(stage)) return null;
  const last = await tx
    .selectFrom('events')
    .select(['type', 'data'])
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', id)
    .where('type', 'in', IN_OR_OUT)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.type === 'occupation_extract' ? { move: last.data['move'] === true, offered: last.data['offered'] === true } : null;
};

/** A command that was asked this long ago and never answered ended as no-answer, whatever its row says yet. */
export const ANSWER_DUE_MS = MINUTE / 4;
