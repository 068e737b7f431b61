import { createHash } from 'node:crypto';
import type { Pickup, PickupAct, PickupHold } from '@hatchway/contract/pickup.ts';
import { isClosedDay } from '@hatchway/domain/hours.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { OFFERED } from '@hatchway/domain/lifecycle.ts';
import { isPriced } from '@hatchway/domain/price.ts';
import { transition } from '@hatchway/domain/transition.ts';
import type { Command, RefusalCode } from '@hatchway/domain/occupation-types.ts';
import { isAsked, STAGES, stageName, type Stage } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isPayable } from '../integrations/vipps-queries.ts';
import { purchaseCode } from '../payments/provider-queries.ts';
import { contextOf, heardOf, openedByHolder, shownCompany } from '../occupations/context-queries.ts';
import { settling } from '../occupations/queries.ts';
import { holder, pickupFacts, capacityOf, STAYED_SHUT, type PickupFacts } from './facts.ts';
import type { Place } from './key.ts';

/** Who came to put something in; with an access link to fetch with, they come to take it. */
export const isPutIn = ({ o, by }: Pick<PickupFacts, 'o' | 'by'>): boolean => isAsked(o.type) && by?.purpose !== 'pick-up';
export const isOffered = (stage: Stage): boolean => OFFERED.includes(stage);

/** A purchase stands on its own payment, and so does who pays for a piece on its page: other customers' for the same stock lie beside it. */
export const paymentNamed = ({ isPurchase, paying, o }: Pick<PickupFacts, 'isPurchase' | 'paying' | 'o'>): string | undefined =>
  isPurchase || (isStock(o.type) && paying?.state === 'reserved') ? paying?.id : undefined;

/** Why the rules refuse the holder this command now; null where they accept it. */
export const refusalOf = (facts: PickupFacts, command: Command, now: string): RefusalCode | null => {
  const { row, o, rules, activeOfPerson, unanswered } = facts;
  const named = paymentNamed(facts);
  const context = contextOf(row, holder(o.tenantId, facts, now), capacityOf(facts), null, command.kind === 'claim', {
    rules,
    activeOfPerson,
    unanswered,
    ...(named === undefined ? {} : { paymentId: named }),
  });
  const answer = transition(o, command, context);
  return answer.ok ? null : answer.refusal.code;
};

const purposeOf = (facts: PickupFacts): Pickup['purpose'] => {
  const { o, row, by, isPurchase } = facts;
  if (isPutIn(facts)) return 'put-in';
  if (by !== null) return 'take';
  if (o.type === 'storage') return 'own';
  if (o.type === 'lending') return o.stage === STAGES.VACANT && row.loan_id !== null && !isPurchase ? 'bring-back' : 'borrow';
  return 'take';
};

/**
 * Whoever looks is who claimed it: with the occupation's own key whoever came by it, or who signed in and claimed for themselves, and no
 * access link; with an access link that very use, with a purchase the claim that stands on it.
 */
export const claimedByHolder = ({ o, row, by, claimUse, isPurchase, paying }: PickupFacts): boolean =>
  isPurchase
    ? o.claimPaymentId !== null && o.claimPaymentId === paying?.id
    : by === null
      ? o.claimedBy?.kind === 'person' && (o.claimedBy.id === null || row.claimed_for_themselves) && claimUse === null
      : claimUse === by.useId;

/** Somebody else was let in to it, or has it on loan: theirs to say what became of it. */
export const isAnothers = (facts: PickupFacts): boolean =>
  facts.o.stage === STAGES.CLAIMING
    ? !claimedByHolder(facts)
    : facts.isPurchase && facts.o.stage === STAGES.VACANT && facts.row.loan_id !== null;

/** The door was opened for whoever looks: a claim's is the claimer's, any other is whose word last opened it. */
export const isOpenedForThem = ({ o, row }: PickupFacts): boolean => o.stage === STAGES.CLAIMING || openedByHolder(row);

/** Whoever bought something stands at its door, or stood there; whoever did not, has nothing to say of it. */
export const mayReport = ({ isPurchase, tookAt, paying }: PickupFacts): boolean =>
  !isPurchase || tookAt !== null || paying?.state === 'reserved' || paying?.state === 'captured';

/** Of a purchase: it took the last piece, with which all ended. Anybody else's end is none of theirs. */
export const tookLast = ({ isPurchase, tookAt, o }: PickupFacts): boolean => !isPurchase || (tookAt !== null && tookAt === o.endedAt);

/** After the end the door opens once more, for what was forgotten: as long as nobody else has it and it has not been opened since. */
const openAgain = (facts: PickupFacts, now: string): string | null => {
  const { o, row, takenSince, lastOpen } = facts;
  const until = row.secrets_until;
  if (o.stage < STAGES.TERMINATED || row.end_reason !== 'taken' || isPutIn(facts) || takenSince) return null;
  if (!tookLast(facts)) return null;
  if (until === null || until <= now || o.endedAt === null) return null;
  const used = lastOpen !== null && lastOpen.at > o.endedAt && !STAYED_SHUT.includes(lastOpen.outcome);
  return used ? null : until;
};

/** The end of it for whoever holds the key. After a claim on a stock what is left there bears nobody's name, and goes on without them. */
export const endOf = (facts: PickupFacts): Pickup['ended'] => {
  const { o, row, putInAt, tookAt } = facts;
  if (isPutIn(facts) && putInAt !== null) return { how: 'put-in', at: putInAt };
  if (tookAt !== null) return { how: 'taken', at: tookAt };
  if (facts.isPurchase && o.claimPaymentId !== facts.paying?.id && facts.paying?.state === 'cancelled')
    return { how: 'cancelled', at: facts.row.updated_at };
  if (o.stage < STAGES.TERMINATED) return null;
  return {
    how: facts.loanEnd ?? row.end_reason ?? 'cancelled',
    at: o.endedAt ?? row.updated_at,
  };
};

/** Why the stage keeps the door shut for the holder; null where it calls for an open one. */
export const holdOf = (facts: PickupFacts, now: string): PickupHold | null => {
  const { o, row } = facts;
  if (endOf(facts) !== null) return openAgain(facts, now) === null ? 'ended' : null;
  if (facts.moving && !isPutIn(facts)) return 'moving';
  if (o.stage === STAGES.VACANT && row.loan_id === null) return facts.takenOut ? 'taken-out' : 'empty';
  if (isPutIn(facts)) return o.stage === STAGES.RESERVED || o.stage === STAGES.INITIATED ? null : 'taken-out';
  if (o.stage === STAGES.VACANT) return isAnothers(facts) ? 'in-use' : null;
  if (facts.isPurchase && facts.paying?.state === 'initiated') return 'payment-needed';
  // Staff captured it before it was fetched: it is theirs to hand out.
  const staffs = facts.paying?.state === 'captured' || facts.paying?.state === 'refunded' ? facts.paying.state : 'not-ready';
  if (facts.isPurchase && facts.paying?.state !== 'reserved' && !claimedByHolder(facts)) return staffs;
  if (o.stage === STAGES.CLAIMING) return claimedByHolder(facts) ? null : 'in-use';
  if (!isOffered(o.stage)) return 'not-ready';
  // Staff have named somebody for it since.
  if (facts.taker !== null && o.receiver !== null) return 'in-use';
  const refused = refusalOf(facts, { kind: 'claim' }, now);
  if (refused === null) return null;
  if (refused === 'locker-in-doubt') return 'in-doubt';
  const told = refused === 'payment-needed' || refused === 'in-use' || refused === 'not-lendable' || refused === 'not-in-group';
  return told ? refused : 'not-ready';
};

/** After their word that it is out: sensed all the same, since then at the latest, while nothing else was heard and nobody else has the locker. */
const leftInside = (facts: PickupFacts): boolean => {
  const { content, content_why: why, content_at: since } = facts.place;
  const ended = endOf(facts);
  if (ended?.how !== 'taken' || facts.takenSince || content !== 'unknown' || why !== 'still-sensed') return false;
  return since !== null && since <= ended.at;
};

/** What "done" says, by what the person came for. */
export const doneCommand = (facts: PickupFacts, condition?: string): Command => {
  const { o } = facts;
  if (isPutIn(facts)) return { kind: 'fill' };
  if (o.stage !== STAGES.VACANT) return { kind: 'finnish' };
  return condition === undefined ? { kind: 'return' } : { kind: 'return', condition };
};

/** The end user may pay here: it is due, a provider is there to pay by, and no payment of theirs is under way. */
type Payable = { payable: boolean; /** Of a purchase that its buyer finds by their number. */ code: string | null };

const actsOf = (facts: PickupFacts, open: boolean, payable: boolean, now: string): PickupAct[] => {
  const { o } = facts;
  const ok = (command: Command) => refusalOf(facts, command, now) === null;
  const acts: PickupAct[] = open ? ['open'] : payable ? ['pay'] : [];
  const theirs = !isAnothers(facts);
  if (theirs && ok(doneCommand(facts))) acts.push('done');
  if (o.stage === STAGES.CLAIMING && theirs && ok({ kind: 'return' })) acts.push('put-back');
  if (ok({ kind: 'nothing-inside' })) acts.push('nothing-inside');
  // Who has paid nothing stands at no door.
  return mayReport(facts) ? [...acts, 'report'] : acts;
};

/** Of a stock the door opens for one buyer after the other: another's opening is none of theirs. */
const openingOf = (facts: PickupFacts): PickupFacts['lastOpen'] => (facts.isPurchase && !claimedByHolder(facts) ? null : facts.lastOpen);

/** How the door stands, to whom it is theirs: what it does after their end, for somebody else or for staff, is none of theirs. */
const doorOf = (facts: PickupFacts): Pick<Pickup['door'], 'state' | 'since' | 'lock'> => {
  const { place, takenSince } = facts;
  const lastOpen = openingOf(facts);
  const ended = endOf(facts);
  const later = (at: string | null): boolean => ended !== null && at !== null && at > ended.at;
  const openedAgain = ended?.how === 'taken' && later(lastOpen?.at ?? null);
  if (facts.isPurchase && isAnothers(facts)) return { state: 'unknown', since: null, lock: 'unknown' };
  if (ended !== null && (takenSince || (later(place.door_at) && !openedAgain))) return { state: 'unknown', since: null, lock: 'unknown' };
  return { state: place.door, since: place.door_at, lock: place.lock };
};

/** Why a door stayed shut was the word of a session that is over: of the one that came since nobody has asked it. */
const isOldNews = ({ lastOpen, place }: PickupFacts): boolean =>
  lastOpen !== null &&
  STAYED_SHUT.includes(lastOpen.outcome) &&
  place.session_at !== null &&
  Date.parse(place.session_at) > Date.parse(lastOpen.at);

/** What an end user may know. `put-back` that ended a loan is told here, since its link ends with it. */
const viewOf = (facts: PickupFacts, { payable, code }: Payable, now: string, how?: 'put-back'): Pickup => {
  const { o, row, place, company } = facts;
  const until = facts.isPurchase && isAnothers(facts) ? null : (row.due_at ?? (o.stage <= STAGES.INITIATED ? o.reservedUntil : o.pickupBy));
  const lastOpen = openingOf(facts);
  const offline = place.connection === 'offline';
  const staged = how === undefined ? holdOf(facts, now) : 'ended';
  const ended = how === undefined ? endOf(facts) : { how, at: now };
  const counted = isStock(o.type) && ended === null;
  const hold = staged ?? (place.out_of_service === null ? null : 'out-of-service') ?? (offline ? 'cabinet-offline' : null);
  const { finishesAt, stillInside } = settling(o, { rules: facts.rules, ...heardOf(row) });
  const seen = {
    type: o.type,
    service: o.service,
    stage: o.stage,
    stageName: stageName(o.stage),
    purpose: how === undefined ? purposeOf(facts) : ('bring-back' as const),
    company: shownCompany(company),
    content: o.assetText ?? row.asset_name,
    quantity: facts.isPurchase
      ? (facts.paying?.quantity ?? null)
      : counted
        ? o.stage === STAGES.CLAIMING
          ? o.claimQuantity
          : o.quantity
        : null,
    most: counted && isOffered(o.stage) && o.quantity - o.held > 1 && !isPriced(o.price) ? o.quantity - o.held : null,
    price: isAsked(o.type) ? null : o.price,
    purchase: facts.isPurchase ? { shop: facts.shop, code } : null,
    payment: facts.paying === null || isAsked(o.type) ? null : paymentOf(facts.paying),
    site: {
      name: place.site_name,
      address: place.address,
      openingHours: place.opening_hours,
      hours: place.hours,
      tlf: place.tlf === '' ? null : place.tlf,
      lat: place.lat,
      lng: place.lng,
    },
    cabinet: {
      number: String(place.number),
      name: place.name,
      connection: place.connection,
      columns: place.columns.map((column) => ({
        width: column.width,
        doors: column.doors.map((door) => {
          const mine = door.lockerId === place.id;
          return { height: door.height, mine, doorTag: mine ? o.doorTag : null };
        }),
      })),
    },
    door: {
      doorTag: o.doorTag,
      size: place.size,
      reach: place.reach,
      ...doorOf(facts),
    },
    until,
    untilClosed: until !== null && isClosedDay({ hours: place.hours, closedDays: place.closed_days }, company.timeZone, until),
    overdue: row.overdue,
    may: how === undefined ? actsOf(facts, hold === null, payable, now) : [],
    hold,
    lastOpen: lastOpen === null || isOldNews(facts) ? null : { at: lastOpen.at, outcome: lastOpen.outcome },
    finishesAt,
    stillInside: stillInside || leftInside(facts),
    returning: o.stage === STAGES.VACANT && row.loan_id !== null && openedByHolder(row),
    openedUnasked: isPutIn(facts) ? null : facts.openedUnasked,
    openAgainUntil: openAgain(facts, now),
    ended,
  };
  const rev = createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 22);
  return { rev, now, ...seen };
};

const paymentOf = ({
  approved,
  state,
  amount,
  currency,
  approve_url,
  held_until,
  last_error,
  stayed_shut: stayedShut,
  too_late: tooLate,
}: NonNullable<PickupFacts['paying']>): Pickup['payment'] => ({
  state,
  amount,
  currency,
  approveUrl: state === 'initiated' ? approve_url : null,
  until: state === 'initiated' || state === 'reserved' ? held_until : null,
  away: state === 'initiated' && last_error !== null,
  approved,
  stayedShut: state === 'cancelled' && stayedShut,
  tooLate: state === 'cancelled' && tooLate,
});

export const view = async (tx: Tx, deps: Deps, place: Place, now: string, how?: 'put-back'): Promise<Pickup> => {
  const facts = await pickupFacts(tx, place, now, deps.pace);
  const due = !facts.isPurchase && facts.paying?.state !== 'initiated' && holdOf(facts, now) === 'payment-needed';
  const payable = due && (await isPayable(tx, deps, place.tenantId));
  const sealed = facts.isPurchase && facts.paying?.find_hash ? facts.paying.key_sealed : null;
  const purchase = sealed === null ? null : deps.seal.open(sealed);
  return viewOf(facts, { payable, code: purchase === null ? null : purchaseCode(deps, purchase) }, now, how);
};
