import { sql, type SqlBool } from 'kysely';
import type { OpenOutcome } from '@hatchway/contract/pickup.ts';
import { later, SECRETS_LIVE_ON } from '@hatchway/domain/deadlines.ts';
import { isJam, isStock } from '@hatchway/domain/doors.ts';
import { isAsked, NOT_SEEN, STAGES } from '@hatchway/domain/terms.ts';
import { isPriced } from '@hatchway/domain/price.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Rules, Silences } from '@hatchway/domain/policy.ts';
import type { Occupation, Capacity } from '@hatchway/domain/occupation-types.ts';
import type { Tx } from '../../db/database.ts';
import { Problem } from '../../http/problem.ts';
import { firstIdAt } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { activeNow } from '../../stages.ts';
import { loadRow } from '../occupations/commands.ts';
import { companyFacts, policiesFor, rulesOfRow, type CompanyFacts } from '../occupations/context-queries.ts';
import { unansweredSince } from '../occupations/door-queries.ts';
import { activeOf, takersFacts } from '../occupations/person-queries.ts';
import { lastOpening } from '../lockers/door-commands.ts';
import { doorNow, lockNow } from '../lockers/queries.ts';
import type { LinkUse, Place } from './key.ts';
import { takerOf } from './taker.ts';
import { ANSWER_DUE_MS, outOf, expectedState, toOccupation, wasTakenOut, wasTold, type OccupationRow } from '../occupations/row-queries.ts';

/** `takesOut`: asked for by staff, to take it out. */
type LastOpen = { id: string; at: string; outcome: OpenOutcome | 'pending'; takesOut: boolean };
/** All that is known of one occupation and of where it lies. */
export type PickupFacts = {
  row: OccupationRow;
  o: Occupation;
  rules: Rules;
  activeOfPerson: number;
  unanswered: boolean;
  company: CompanyFacts;
  place: Where;
  lastOpen: LastOpen | null;
  openedUnasked: string | null;
  /** What was asked for lies there, since then; null before. */
  putInAt: string | null;
  /** Whoever holds the key has had their part of a stock since then, and there is nothing more to fetch with it; null where they have not. */
  tookAt: string | null;
  /** It lies in no locker, since staff took it out. */
  takenOut: boolean;
  /** Staff took it out to put it into another locker, where it does not lie yet. */
  moving: boolean;
  /** How the loan ended that it ended with, where its thing did not come back to the locker. */
  loanEnd: 'lost' | 'returned-elsewhere' | null;
  /** Somebody else's use of the same locker has begun. */
  takenSince: boolean;
  /** The access link's use that somebody came in by. */
  by: LinkUse | null;
  /** The access link's use whose claim this is. */
  claimUse: string | null;
  /** What is due is paid by it: of a purchase its own, else the latest by a provider. */
  paying: Paying | null;
  /** Whoever looks came by the key of that purchase. What was borrowed with it they have like any other loan, and come by its own key. */
  isPurchase: boolean;
  /** Who signed in to pay by it for what bears nobody's name. Without a receiver they belong to the company no more. */
  taker: { accountId: string; receiver: Receiver | null } | null;
  /** Of a purchase: the name of the company's shop. */
  shop: string | null;
};
type Paying = NonNullable<Awaited<ReturnType<typeof payingOf>>>;
type Where = NonNullable<Awaited<ReturnType<typeof placeFacts>>>;

/** In whose name somebody acts who is known by a link or code alone. */
export const holder = (
  tenantId: string,
  {
    o,
    by,
    isPurchase = false,
    taker = null,
  }: { o: Pick<Occupation, 'receiver'>; by: LinkUse | null } & Partial<Pick<PickupFacts, 'isPurchase' | 'taker'>>,
  now: string,
): Scope => ({
  tenantId,
  now,
  actor: {
    kind: 'person',
    id: null,
    name: isPurchase ? (taker?.receiver?.name ?? 'Customer') : (by?.name ?? o.receiver?.name ?? 'Link'),
  },
});
/** In which capacity: an access link to fetch with stands in for staff, everything else is the occupation's own key. */
export const capacityOf = ({ by }: { by: LinkUse | null }): Capacity => (by?.purpose === 'pick-up' ? 'link' : 'holder');

const placeFacts = (tx: Tx, tenantId: string, lockerId: string) =>
  tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .innerJoin('sites as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.site_id'))
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'l.tenant_id').onRef('o.locker_id', '=', 'l.id').on(activeNow))
    .select([
      'l.id', 'l.door_tag', 'l.size', 'l.reach', doorNow.as('door'), lockNow.as('lock'), 'l.door_at', 'l.content', 'l.content_at', 'l.content_why', 'l.out_of_service', 'l.cabinet_id', 'c.site_id',
      'c.number', 'c.name', 'c.connection', 'c.session_at', 'c.columns',
      's.name as site_name', 's.address', 's.opening_hours', 's.hours', 's.closed_days', 's.tlf', 's.lat', 's.lng',
      'o.id as current_id',
    ])
    .where('l.tenant_id', '=', tenantId)
    .where('l.id', '=', lockerId)
    .executeTakeFirst(); // prettier-ignore

const OPEN_OUTCOME = {
  opened: 'opened',
  done: 'opened',
  locked: 'opened',
  refused: 'refused',
  'no-answer': 'no-answer',
  offline: 'offline',
} as const;
export const openOutcome = (outcome: keyof typeof OPEN_OUTCOME, code: string | null): OpenOutcome =>
  outcome !== 'refused' ? OPEN_OUTCOME[outcome] : code === NOT_SEEN ? 'not-seen' : isJam(code) ? 'jammed' : 'refused';

/** The door surely stayed shut; of silence nobody knows. */
export const STAYED_SHUT: readonly LastOpen['outcome'][] = ['refused', 'jammed', 'offline'];

const lastOpenOf = async (tx: Tx, o: Occupation, now: string): Promise<LastOpen | null> => {
  const row = await lastOpening(tx, o.tenantId, o.lockerId, o.id);
  if (!row) return null;
  const due = Date.parse(row.issued_at) + ANSWER_DUE_MS <= Date.parse(now);
  return {
    id: row.id,
    at: row.issued_at,
    takesOut: row.takes_out,
    outcome: row.outcome === null ? (due ? 'no-answer' : 'pending') : openOutcome(row.outcome, row.code),
  };
};

/** Forced, or sprung by itself, behind this very use: until a sensor or somebody's word has settled what lies there. */
const openedUnasked = async (tx: Tx, o: Occupation, { content, content_at, content_why }: Where): Promise<string | null> => {
  if (o.stage < STAGES.FILLED || o.stage >= STAGES.TERMINATED) return null;
  if (content !== 'unknown' || content_why !== 'unexpected-opening') return null;
  const row = await tx
    .selectFrom('events')
    .select('at')
    .where('tenant_id', '=', o.tenantId)
    .where('occupation_id', '=', o.id)
    .where('type', '=', 'locker_opened')
    .where(sql<SqlBool>`data ->> 'unexpected' = 'true'`)
    // What was settled before this doubt began is no news when the door is left open later. By id: `at` is the controller's clock.
    .$if(content_at !== null, (query) => query.where('id', '>=', firstIdAt(content_at ?? '')))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
};

/** By the history: `pickupFrom` is since when the time to fetch it runs, and moves with each new deadline. */
const putInAt = async (tx: Tx, o: Occupation): Promise<string | null> => {
  if (!isAsked(o.type) || o.pickupFrom === null) return null;
  const row = await tx
    .selectFrom('events')
    .select('at')
    .where('tenant_id', '=', o.tenantId)
    .where('occupation_id', '=', o.id)
    .where('type', '=', 'occupation_filled')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? o.pickupFrom;
};

/** A key is made for whoever is named. One that is left where nobody is dies with the claim that it was made for, a while after it. */
const claimOverAt = ({ receiver }: Occupation, until: string | null): string | null =>
  receiver === null && until !== null ? later(until, -SECRETS_LIVE_ON) : null;

/** Whom the claim was for that took the last piece: staff let in somebody else than who is named too. */
const lastTookIt = async (tx: Tx, o: Occupation): Promise<boolean> => {
  const row = await tx
    .selectFrom('events')
    .select('data')
    .where('tenant_id', '=', o.tenantId)
    .where('occupation_id', '=', o.id)
    .where('type', '=', 'occupation_assigned')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const name = row?.data['receiver'];
  // What staff named is forgotten with its time: then nobody knows any more.
  return name === undefined ? row?.data['staff'] !== true : name === o.receiver?.name;
};

/** By the history: what is believed of the content since says nothing of who took it, and that staff ended it then takes nothing back. */
const tookAt = async (tx: Tx, o: Occupation, { secrets_until }: OccupationRow): Promise<string | null> => {
  if (!isStock(o.type)) return null;
  const overAt = claimOverAt(o, secrets_until);
  if (overAt !== null) return (await wasTold(tx, o, 'occupation_claimed', overAt)) ? overAt : null;
  if (o.receiver === null || o.stage < STAGES.VACANT || o.quantity > 0) return null;
  const last = await tx
    .selectFrom('events')
    .select(['type', 'at'])
    .where('tenant_id', '=', o.tenantId)
    .where('occupation_id', '=', o.id)
    .where('type', 'in', ['occupation_claimed', 'locker_empty', 'locker_reserved'])
    // What a sensor or somebody's word said of the locker is no part of its use.
    .where(sql<SqlBool>`data ->> 'by' is null`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.type === 'occupation_claimed' && (await lastTookIt(tx, o)) ? last.at : null;
};

const loanEnd = async (tx: Tx, { tenantId, id, type, endedAt }: Occupation): Promise<PickupFacts['loanEnd']> => {
  if (type !== 'lending' || endedAt === null) return null;
  const row = await tx
    .selectFrom('loans')
    .select('end_reason')
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', id)
    .where('returned_at', '=', endedAt)
    .executeTakeFirst();
  return row?.end_reason === 'lost' || row?.end_reason === 'returned-elsewhere' ? row.end_reason : null;
};

/** Of a claim that runs; of one whose door was seen open too, since that does not fail. */
export const claimUseOf = async (tx: Tx, o: Occupation): Promise<string | null> => {
  if (o.stage !== STAGES.CLAIMING || o.claimOpenedAt === null) return null;
  const row = await tx
    .selectFrom('access_link_uses')
    .select('id')
    .where('tenant_id', '=', o.tenantId)
    .where('occupation_id', '=', o.id)
    .where('claimed_at', '=', o.claimOpenedAt)
    .executeTakeFirst();
  return row?.id ?? null;
};

const payingOf = (tx: Tx, { tenantId, id: occupationId, type, receiver }: Occupation, bought: string | undefined) =>
  tx
    .selectFrom('payments as p')
    .select([
      'p.id',
      expectedState.as('state'),
      'p.amount',
      'p.currency',
      'p.quantity',
      'p.approve_url',
      'p.held_until',
      'p.last_error',
      'p.key_sealed',
      'p.find_hash',
      'p.taken_at',
      'p.stayed_shut',
      'p.too_late',
      sql<string | null>`p.payer->>'accountId'`.as('account'),
      sql<boolean>`p.events @> '[{"state":"reserved"}]'`.as('approved'),
    ])
    .where('p.tenant_id', '=', tenantId)
    .where('p.occupation_id', '=', occupationId)
    .where('p.provider', '=', 'vipps')
    // A purchase is nobody's but its buyer's, and a piece of a stock is paid for by whom staff sent the request to: the receiver, by number.
    .where((eb) => (bought === undefined ? eb('p.key_hash', 'is', null) : eb('p.id', '=', bought)))
    .$if(bought === undefined && isStock(type), (query) =>
      query.where((eb) => eb.or([eb('p.pushed', '=', false), eb(sql`p.payer->>'tlf'`, '=', receiver?.tlf ?? null)])),
    )
    // Asked for another piece, they are let in on what is paid.
    .orderBy(sql`${expectedState} = 'reserved'`, 'desc')
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(1)
    .executeTakeFirst();

const shopName = async (tx: Tx, tenantId: string): Promise<string | null> => {
  const found = await tx
    .selectFrom('public_refs')
    .select('ref')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'shop')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return found?.ref ?? null;
};

/** It went out on loan with that purchase, and is out still. */
const isLentOn = ({ loan_out_at: outAt }: OccupationRow, paying: Paying | null): boolean =>
  outAt !== null && outAt === (paying?.taken_at ?? null);

/** What the policies say, for whom it is or who pays for it, and how many that person has already. */
const limitsOf = async (
  tx: Tx,
  row: OccupationRow,
  o: Occupation,
  taker: PickupFacts['taker'],
  silences: Silences | undefined,
): Promise<Pick<PickupFacts, 'rules' | 'activeOfPerson'>> => {
  const { tenantId } = o;
  const policies = await policiesFor(tx, tenantId, [o.lockerId]);
  if (taker === null) {
    const rules = rulesOfRow(policies, row, silences);
    const counted = rules.maxActivePerPerson !== null;
    return { rules, activeOfPerson: counted ? await activeOf(tx, tenantId, { accountId: null, receiver: o.receiver }, o.id) : 0 };
  }
  const [person] = taker.receiver === null ? [] : await takersFacts(tx, tenantId, policies, [taker.accountId]);
  const rules = rulesOfRow(policies, row, silences, person?.groupIds ?? []);
  return { rules: person ? rules : { ...rules, admits: false }, activeOfPerson: person?.activeOfPerson ?? 0 };
};

/** Throws Problem `unknown-link` where its locker is gone, `unavailable` where the company is suspended. */
export const pickupFacts = async (
  tx: Tx,
  { tenantId, occupationId: id, by, bought }: Place,
  now: string,
  silences?: Silences,
): Promise<PickupFacts> => {
  const row = await loadRow(tx, tenantId, id);
  const o = toOccupation(row);
  const place = row.locker_id === null ? undefined : await placeFacts(tx, tenantId, row.locker_id);
  if (!place) throw new Problem('unknown-link');
  const company = await companyFacts(tx, tenantId);
  if (company.suspended) throw new Problem('unavailable', undefined, { retryAfter: 3600 });
  const paying = isPriced(o.price) || bought !== undefined ? ((await payingOf(tx, o, bought)) ?? null) : null;
  const isPurchase = bought !== undefined && !isLentOn(row, paying);
  const taker = isPurchase && paying?.account ? { accountId: paying.account, receiver: await takerOf(tx, tenantId, paying.account) } : null;
  const { rules, activeOfPerson } = await limitsOf(tx, row, o, taker, silences);
  const takenSince = place.current_id !== null && place.current_id !== o.id;
  const claimUse = await claimUseOf(tx, o);
  return {
    row,
    o,
    rules,
    activeOfPerson,
    unanswered: await unansweredSince(tx, tenantId, row),
    company,
    place,
    lastOpen: await lastOpenOf(tx, o, now),
    openedUnasked: await openedUnasked(tx, o, place),
    putInAt: await putInAt(tx, o),
    tookAt: isPurchase ? (paying?.taken_at ?? null) : by === null ? await tookAt(tx, o, row) : null,
    takenOut: await wasTakenOut(tx, row),
    moving: (await outOf(tx, row))?.move === true,
    loanEnd: await loanEnd(tx, o),
    takenSince,
    by,
    claimUse,
    paying,
    isPurchase,
    taker,
    shop: isPurchase && o.type === 'sale' ? await shopName(tx, tenantId) : null,
  };
};
