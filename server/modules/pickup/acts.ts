import type { OpenOutcome, Pickup, ReportKind } from '@hatchway/contract/pickup.ts';
import { sameTag } from '@hatchway/domain/codes.ts';
import type { Command } from '@hatchway/domain/occupation-types.ts';
import { STAGES, stageName } from '@hatchway/domain/terms.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { setContent } from '../lockers/commands.ts';
import { openDoor, Overtaken } from '../lockers/door-commands.ts';
import { apply, attempt, placed } from '../occupations/commands.ts';
import { noteStayedShut } from '../occupations/payment-commands.ts';
import { lockOccupation } from '../occupations/row-queries.ts';
import { tellStaff } from '../occupations/telling-commands.ts';
import { beginPayment, cancelUnpaid } from '../payments/commands.ts';
import { settlePayment } from '../payments/settle-commands.ts';
import { noteUse } from '../links/commands.ts';
import { capacityOf, holder, openOutcome, pickupFacts, STAYED_SHUT, type PickupFacts } from './facts.ts';
import type { Place } from './key.ts';
import { nextDoor } from './next-door.ts';
import {
  claimedByHolder,
  doneCommand,
  endOf,
  holdOf,
  isAnothers,
  isOffered,
  isOpenedForThem,
  isPutIn,
  mayReport,
  paymentNamed,
  refusalOf,
  tookLast,
  view,
} from './view.ts';

const namedIn = (facts: PickupFacts): { paymentId?: string } => {
  const paymentId = paymentNamed(facts);
  return paymentId === undefined ? {} : { paymentId };
};

/** Who pays by signing in claims in their own name, as `take` does for what costs nothing. */
const claimantOf = (scope: Scope, { taker }: PickupFacts): Scope =>
  taker === null ? scope : { ...scope, actor: { kind: 'person', id: taker.accountId, name: scope.actor.name } };
const claimOf = ({ taker }: PickupFacts, quantity: number | undefined): Command => ({
  kind: 'claim',
  ...(quantity === undefined ? {} : { quantity }),
  ...(taker?.receiver ? { receiver: taker.receiver } : {}),
});

/** What is told to who may not open now. */
const throwHeld = (facts: PickupFacts, now: string): void => {
  const { o, place } = facts;
  const hold = holdOf(facts, now);
  const told = { data: { stage: stageName(o.stage), action: 'open' } };
  if (hold === 'payment-needed' || hold === 'in-use' || hold === 'not-in-group') throw new Problem(hold, undefined, told);
  if (hold === 'in-doubt') throw new Problem('locker-in-doubt', undefined, told);
  if (hold === 'not-ready' && isOffered(o.stage) && refusalOf(facts, { kind: 'claim' }, now) === 'too-many') throw new Problem('too-many');
  if (hold !== null) throw new Problem('occupation-transition', `The door stays shut: ${hold}`, told);
  if (place.out_of_service !== null) throw new Problem('out-of-service', undefined, told);
};

/** Whether the opening that is under way is that of this visit. Joining somebody else's, staff's above all, would let them in without a claim. */
const isTheirOpening = (facts: PickupFacts, now: string): boolean => {
  const { o, lastOpen } = facts;
  if (lastOpen === null || lastOpen.takesOut) return false;
  // Asked for before they were let in.
  if (o.stage === STAGES.CLAIMING && o.claimOpenedAt !== null && Date.parse(lastOpen.at) < Date.parse(o.claimOpenedAt)) return false;
  return o.stage >= STAGES.TERMINATED || (!isOffered(o.stage) && holdOf(facts, now) === null);
};

const WAIT_STEP_MS = 200;
const WAIT_STEPS = 50;

/** A press while another one is still under way, or that came at once with it, joins it: the door is not asked twice. */
const settledOpen = async (deps: Deps, { tenantId }: Place, commandId: string): Promise<OpenOutcome> => {
  for (let step = 0; step < WAIT_STEPS; step++) {
    const row = await deps.db.tenant(tenantId, (tx) =>
      tx
        .selectFrom('commands')
        .select(['outcome', 'code'])
        .where('tenant_id', '=', tenantId)
        .where('id', '=', commandId)
        .executeTakeFirst(),
    );
    if (!row) break;
    if (row.outcome !== null) return openOutcome(row.outcome, row.code);
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS));
  }
  return 'no-answer';
};

type Begun = {
  lockerId: string;
  lastOpen: string | null;
  onceMore: boolean;
  claimedAt: string | null;
  outcome: OpenOutcome | null;
  pending: string | null;
  scope: Scope;
};

/** Opens the door, claiming first where it is offered. A claim whose door did not open has failed, and all is as before. */
export const open = async (
  deps: Deps,
  place: Place,
  { doorTag, quantity }: { doorTag: string; quantity?: number | undefined },
  now: string,
): Promise<{ outcome: OpenOutcome; pickup: Pickup }> => {
  const { tenantId, occupationId, by } = place;
  const begun = await deps.db.tenant(tenantId, async (tx): Promise<Begun> => {
    await lockOccupation(tx, tenantId, occupationId);
    const facts = await pickupFacts(tx, place, now);
    const { o } = facts;
    const scope = holder(tenantId, facts, now);
    const door = {
      lockerId: o.lockerId,
      lastOpen: facts.lastOpen?.id ?? null,
      onceMore: o.stage >= STAGES.TERMINATED,
      claimedAt: o.claimOpenedAt,
    };
    if (sameTag(doorTag) !== sameTag(o.doorTag)) {
      throw new Problem('door-tag-mismatch', undefined, { errors: [{ pointer: '/doorTag', detail: 'another door' }] });
    }
    const { lastOpen } = facts;
    const isUnderWay = lastOpen?.outcome === 'pending';
    if (isUnderWay && isTheirOpening(facts, now)) return { ...door, outcome: null, pending: lastOpen.id, scope };
    throwHeld(facts, now);
    if (isUnderWay) throw new Problem('in-use', undefined, { data: { stage: stageName(o.stage), action: 'open' } });
    // Known to be away: nothing is claimed that cannot be opened.
    if (facts.place.connection === 'offline') return { ...door, outcome: 'offline', pending: null, scope };
    if (isOffered(o.stage)) {
      await apply(tx, deps, claimantOf(scope, facts), occupationId, claimOf(facts, quantity), { as: capacityOf(facts), ...namedIn(facts) });
      if (by !== null) await noteUse(tx, scope, { id: by.useId, linkId: by.linkId }, { claimed_at: now });
      return { ...door, claimedAt: now, outcome: null, pending: null, scope };
    }
    return { ...door, outcome: null, pending: null, scope };
  });
  deps.outbox.wake();
  const outcome =
    begun.outcome ?? (begun.pending === null ? await openNow(deps, place, begun) : await settledOpen(deps, place, begun.pending));
  const after = deps.now().toISOString();
  const seen = await deps.db.tenant(tenantId, async (tx) => {
    if (by !== null) await noteUse(tx, { ...begun.scope, now: after }, { id: by.useId, linkId: by.linkId }, { outcome });
    return view(tx, deps, place, after);
  });
  if (by !== null) deps.outbox.wake();
  return { outcome, pickup: seen };
};

/**
 * Begins to pay what is due; a payment that was begun and waits for its payer goes on. Answers once the provider has said where they
 * approve it, or that it cannot be asked. No money is asked for before a door that cannot be opened now.
 */
export const pay = async (deps: Deps, place: Place, now: string): Promise<Pickup> => {
  const { tenantId, occupationId } = place;
  const paymentId = await deps.db.tenant(tenantId, async (tx) => {
    await lockOccupation(tx, tenantId, occupationId);
    const facts = await pickupFacts(tx, place, now);
    const { o, row, paying } = facts;
    if (paying?.state === 'initiated') return paying.id;
    const told = { data: { stage: stageName(o.stage), action: 'pay' } };
    if (holdOf(facts, now) !== 'payment-needed') {
      throwHeld(facts, now);
      throw new Problem('occupation-transition', undefined, told);
    }
    if (facts.isPurchase) throw new Problem('occupation-transition', undefined, told);
    if (facts.place.out_of_service !== null) throw new Problem('out-of-service', undefined, told);
    if (facts.place.connection === 'offline') throw new Problem('cabinet-offline');
    const payer = o.receiver ?? {};
    return beginPayment(tx, deps, holder(tenantId, facts, now), { row, o, provider: 'vipps', quantity: 1, payer });
  });
  deps.outbox.wake();
  await settlePayment(deps, tenantId, paymentId);
  return deps.db.tenant(tenantId, (tx) => view(tx, deps, place, deps.now().toISOString()));
};

/** Goes away without having paid: nobody is asked on their phone any more. */
export const giveUp = (deps: Deps, place: Place, now: string): Promise<Pickup> =>
  deps.db.tenant(place.tenantId, async (tx) => {
    await lockOccupation(tx, place.tenantId, place.occupationId);
    const facts = await pickupFacts(tx, place, now);
    if (facts.paying !== null) await cancelUnpaid(tx, deps, holder(place.tenantId, facts, now), facts.paying.id);
    return view(tx, deps, place, now);
  });

const openNow = async (deps: Deps, place: Place, { scope, lockerId, lastOpen, onceMore, claimedAt }: Begun): Promise<OpenOutcome> => {
  const { tenantId, occupationId } = place;
  const answer = await openDoor(deps, scope, { lockerId, occupationId, lastOpen, onceMore, claimedAt, reason: null }).catch(
    (error: unknown) => {
      if (error instanceof Overtaken) return error;
      throw error;
    },
  );
  if (answer instanceof Overtaken) return settledOpen(deps, place, answer.commandId);
  const outcome = openOutcome(answer.outcome, answer.code);
  if (outcome !== 'opened') {
    const at = deps.now().toISOString();
    const why = outcome === 'no-answer' ? 'no-answer' : 'refused';
    await deps.db.tenant(tenantId, async (tx) => {
      await lockOccupation(tx, tenantId, occupationId);
      // Given up meanwhile, and somebody else let in: their claim has not failed.
      const facts = await pickupFacts(tx, place, at);
      if (!claimedByHolder(facts)) return;
      const { claimPaymentId } = facts.o;
      if (claimPaymentId !== null && STAYED_SHUT.includes(outcome)) await noteStayedShut(tx, tenantId, claimPaymentId);
      // Refused where the door was seen open after all: then nothing has failed.
      await attempt(tx, deps, systemScope(tenantId, at), occupationId, { kind: 'claim-failed', why }, { as: 'server' });
    });
  }
  deps.outbox.wake();
  return outcome;
};

/** Lent, and its door was not opened since: whoever says "done" says that they have it. */
const isLentUnopened = ({ o, row }: PickupFacts): boolean => o.stage === STAGES.VACANT && row.loan_id !== null && o.doorOpenedAt === null;

/** "I took everything", "it is inside", "I put it back where it came from": what was ended meanwhile by itself is just as well. */
export const done = (deps: Deps, place: Place, condition: string | undefined, now: string): Promise<Pickup> =>
  deps.db.tenant(place.tenantId, async (tx) => {
    const { tenantId, occupationId } = place;
    await lockOccupation(tx, tenantId, occupationId);
    const facts = await pickupFacts(tx, place, now);
    const command = doneCommand(facts, condition);
    const ended = endOf(facts) !== null;
    if (!ended && isAnothers(facts)) throw new Problem('in-use');
    const over = ended || isLentUnopened(facts);
    if (!over) await apply(tx, deps, holder(tenantId, facts, now), occupationId, command, { as: capacityOf(facts) });
    return view(tx, deps, place, now, command.kind === 'return' && !over ? 'put-back' : undefined);
  });

/** Changed their mind: it lies there again. */
export const putBack = (deps: Deps, place: Place, condition: string | undefined, now: string): Promise<Pickup> =>
  deps.db.tenant(place.tenantId, async (tx) => {
    const { tenantId, occupationId } = place;
    await lockOccupation(tx, tenantId, occupationId);
    const facts = await pickupFacts(tx, place, now);
    const { o } = facts;
    if (isAnothers(facts)) throw new Problem('in-use');
    const command = condition === undefined ? ({ kind: 'return' } as const) : ({ kind: 'return', condition } as const);
    await apply(tx, deps, holder(tenantId, facts, now), occupationId, command, { as: capacityOf(facts) });
    return view(tx, deps, place, now, o.stage === STAGES.VACANT ? 'put-back' : undefined);
  });

/** Something is not as it should be. What it says of the content is believed no longer; staff are told, and it stands in the history. */
export const report = (deps: Deps, place: Place, kind: ReportKind, note: string | undefined, now: string): Promise<Pickup> =>
  deps.db.tenant(place.tenantId, async (tx) => {
    const { tenantId, occupationId } = place;
    await lockOccupation(tx, tenantId, occupationId);
    const facts = await pickupFacts(tx, place, now);
    const { o } = facts;
    const scope = holder(tenantId, facts, now);
    if (!mayReport(facts)) throw new Problem('payment-needed');
    if (kind === 'not-now') {
      // Let in, but the door stayed shut: the claim is over. Anywhere else there is nothing to take back.
      if (o.stage === STAGES.CLAIMING && o.doorOpenedAt === null && holdOf(facts, now) === null) {
        await attempt(tx, deps, systemScope(tenantId, now), occupationId, { kind: 'claim-failed', why: 'refused' }, { as: 'server' });
      }
      return view(tx, deps, place, now);
    }
    if (kind === 'nothing-inside' && refusalOf(facts, { kind: 'nothing-inside' }, now) === null) {
      await apply(tx, deps, scope, occupationId, { kind: 'nothing-inside' }, { as: capacityOf(facts) });
      return view(tx, deps, place, now);
    }
    // A word on the content counts while the person stands at that very content; afterwards somebody else's may lie there.
    const atTheDoor = o.stage < STAGES.TERMINATED && holdOf(facts, now) === null && o.doorOpenedAt !== null && isOpenedForThem(facts);
    // Ended by silence, perhaps, with nobody having said that it is out: until the next use of the locker it is given to nobody unseen.
    const justLeft =
      o.stage >= STAGES.TERMINATED && facts.row.end_reason === 'taken' && !facts.takenSince && !isPutIn(facts) && tookLast(facts);
    const doubt =
      (atTheDoor && kind === 'not-empty') || (justLeft && kind === 'left-behind')
        ? 'not-empty'
        : atTheDoor && kind === 'nothing-inside'
          ? 'found-empty'
          : null;
    if (doubt !== null) await setContent(tx, scope, o.lockerId, { kind: doubt });
    const data = { report: kind, ...(note === undefined ? {} : { note }) };
    await record(
      tx,
      scope,
      [{ ...placed(o), type: doubt === null ? 'locker_reported' : 'locker_unknown', cabinetId: facts.place.cabinet_id, data }],
      [{ kind: 'occupations', id: o.id, method: 'PUT' }],
    );
    await tellStaff(tx, deps, scope, o, 'report', `staff-report-${kind}:${o.id}:${o.version}`);
    if (atTheDoor && kind === 'not-empty' && isPutIn(facts)) {
      const elsewhere = await nextDoor(tx, deps, scope, facts);
      if (elsewhere !== null) return view(tx, deps, { ...place, occupationId: elsewhere }, now);
    }
    return view(tx, deps, place, now);
  });
