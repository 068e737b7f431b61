import { DAY, HOUR } from './deadlines.ts';
import type { Price } from './price.ts';
import { isAsked, namesFor, type OccupationType, type Service } from './terms.ts';

/** Rules for a kind of use, as a company wrote them; null leaves the house default. */
export interface Policy {
  readonly _id: string;
  readonly name: string;
  readonly ref: string | null;
  /** An empty list here, in `lockerIds` or `groupIds` means: every one. */
  readonly services: readonly Service[];
  readonly lockerIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly reserveMinutes: number | null;
  readonly pickupHours: number | null;
  readonly loanHours: number | null;
  /** Hours around the deadline: below 0 before it, 0 and above after it. */
  readonly reminders: readonly number[] | null;
  readonly claimSeconds: number | null;
  readonly claimGraceSeconds: number | null;
  readonly maxActivePerPerson: number | null;
  readonly price: Price | null;
  readonly inspectReturns: boolean;
  readonly staffConfirmsClaim: boolean;
  readonly loginHint: string | null;
}

/** What silence after a closing waits for where no policy says it. */
export interface Silences {
  /** A door sensed closed in INITIATED fills by itself after this. */
  readonly fillSeconds: number;
  readonly claimGraceSeconds: number;
  /** The sooner of the two, where a sensor bears witness to what came of it. */
  readonly sensedSeconds: number;
}

/** A policy with every gap filled: what the lifecycle works with. */
export interface Rules extends Silences {
  readonly policyRef: string | null;
  readonly reserveMinutes: number;
  readonly pickupHours: number;
  readonly loanHours: number;
  readonly reminders: readonly number[];
  readonly claimSeconds: number;
  /** null: as many as they like. */
  readonly maxActivePerPerson: number | null;
  readonly price: Price | null;
  readonly inspectReturns: boolean;
  readonly staffConfirmsClaim: boolean;
  /** Of a lending or stock with nobody's name on it they may take by themselves. */
  readonly admits: boolean;
}

const CLAIM_SECONDS = 120;
export const SILENCES: Silences = { fillSeconds: 5, claimGraceSeconds: 30, sensedSeconds: 2 };

const HOUSE: Rules = {
  ...SILENCES,
  policyRef: null,
  reserveMinutes: 30,
  pickupHours: 72,
  loanHours: 7 * 24,
  reminders: [-24, 0],
  claimSeconds: CLAIM_SECONDS,
  maxActivePerPerson: null,
  price: null,
  inspectReturns: false,
  staffConfirmsClaim: false,
  admits: false,
};

/** Somebody outside has to read a message and come by: half an hour would end it under their feet. */
const REQUESTED_MINUTES = (3 * DAY) / 60_000;

/** The rules for somebody's occupation of that type, from all policies that can matter there. */
export function rulesOf(policies: readonly Policy[], wish: PolicyWish, type: OccupationType, silences?: Silences): Rules {
  return { ...rulesFor(policyFor(policies, wish), type, silences), admits: admittedBy(policies, wish).length > 0 };
}

/** The rules of that policy for an occupation of that type, and the house's where it is silent or there is none. */
export function rulesFor(
  policy: Policy | null,
  type: OccupationType,
  { fillSeconds, claimGraceSeconds, sensedSeconds }: Silences = SILENCES,
): Rules {
  const reserveMinutes = isAsked(type) ? REQUESTED_MINUTES : HOUSE.reserveMinutes;
  if (policy === null) return { ...HOUSE, reserveMinutes, fillSeconds, claimGraceSeconds, sensedSeconds };
  return {
    policyRef: policy.ref ?? policy._id,
    reserveMinutes: policy.reserveMinutes ?? reserveMinutes,
    pickupHours: policy.pickupHours ?? HOUSE.pickupHours,
    loanHours: policy.loanHours ?? HOUSE.loanHours,
    reminders: policy.reminders ?? HOUSE.reminders,
    claimSeconds: policy.claimSeconds ?? HOUSE.claimSeconds,
    fillSeconds,
    claimGraceSeconds: policy.claimGraceSeconds ?? claimGraceSeconds,
    sensedSeconds,
    // Both are of whoever takes something: who is asked to bring it does not, and staff fetch it.
    maxActivePerPerson: isAsked(type) ? null : policy.maxActivePerPerson,
    price: isAsked(type) ? null : policy.price,
    inspectReturns: policy.inspectReturns,
    staffConfirmsClaim: policy.staffConfirmsClaim,
    admits: true,
  };
}

interface PolicyWish {
  /** Named by the caller or by the locker: then it is that one or none. */
  readonly ref: string | null;
  readonly service: Service;
  readonly lockerId: string;
  /** Groups of the person it is for. */
  readonly groupIds: readonly string[];
}

/**
 * The policy that fits: the one named, else of those that cover service, locker and person the most special one (named locker before
 * named group before named service, and that before the one that it is a kind of); between equals the smallest `_id`, so that
 * everybody finds the same. Null where none fits.
 */
export function policyFor(policies: readonly Policy[], wish: PolicyWish): Policy | null {
  if (wish.ref !== null) return named(policies, wish.ref);
  const fitting = holdingAt(policies, wish).filter((policy) => covers(policy.groupIds, wish.groupIds));
  return fitting.sort((a, b) => special(b, wish.service) - special(a, wish.service) || (a._id < b._id ? -1 : 1))[0] ?? null;
}

/**
 * The policies by which the person may take by themselves what bears nobody's name there: only where one says for whom, be it the one
 * named or those that hold at that locker. As soon as one of them names groups it is for these alone, whatever another one allows.
 */
export function admittedBy(policies: readonly Policy[], wish: PolicyWish): readonly Policy[] {
  const asked = policiesAt(policies, wish);
  const closed = asked.filter((policy) => policy.groupIds.length > 0);
  return closed.length === 0 ? asked : closed.filter((policy) => covers(policy.groupIds, wish.groupIds));
}

/** Whether it depends on the person's groups which policy holds there: then none is settled before somebody is named. */
export function dependsOnPerson(policies: readonly Policy[], wish: Omit<PolicyWish, 'groupIds'>): boolean {
  return wish.ref === null && holdingAt(policies, wish).some((policy) => policy.groupIds.length > 0);
}

function named(policies: readonly Policy[], ref: string): Policy | null {
  return policies.find((policy) => policy.ref === ref || policy._id === ref) ?? null;
}

/** Those that cover service and locker, whoever it is for. */
function holdingAt(policies: readonly Policy[], { service, lockerId }: Pick<PolicyWish, 'service' | 'lockerId'>): Policy[] {
  return policies.filter((policy) => covers(policy.services, namesFor(service)) && covers(policy.lockerIds, [lockerId]));
}

/** Those that can hold there, whoever it is for: the one named, else all that cover service and locker. */
export function policiesAt(policies: readonly Policy[], wish: Omit<PolicyWish, 'groupIds'>): readonly Policy[] {
  if (wish.ref === null) return holdingAt(policies, wish);
  const one = named(policies, wish.ref);
  return one === null ? [] : [one];
}

function covers<T>(listed: readonly T[], held: readonly T[]): boolean {
  return listed.length === 0 || held.some((one) => listed.includes(one));
}

function special({ lockerIds, groupIds, services }: Policy, service: Service): number {
  const byService = services.includes(service) ? 2 : services.length > 0 ? 1 : 0;
  return (lockerIds.length > 0 ? 8 : 0) + (groupIds.length > 0 ? 4 : 0) + byService;
}

/** Whether one more would be beyond the limit. */
export function tooMany(rules: Pick<Rules, 'maxActivePerPerson'>, activeOfPerson: number): boolean {
  return rules.maxActivePerPerson !== null && activeOfPerson >= rules.maxActivePerPerson;
}

/**
 * The reminder to send now, by its hours around the deadline: of those whose time has come, the latest alone, so that a server that
 * slept through three sends one. Null when there is none, or one of as late or later was sent: `last` holds the hours of the latest that
 * was. Known by its hours, it stays the one that was sent however the list is changed. One whose time had come before the clock began
 * (`since`; null where that is not known) is none: whoever was told a moment ago need not be reminded.
 */
export function reminderDue(
  reminders: readonly number[],
  clock: { readonly since: string | null; readonly until: string },
  last: number | null,
  now: string,
): number | null {
  const at = (hours: number) => Date.parse(clock.until) + hours * HOUR;
  const began = clock.since === null ? -Infinity : Date.parse(clock.since);
  const due = Math.max(...reminders.filter((hours) => at(hours) > began && at(hours) <= Date.parse(now)));
  return due > (last ?? -Infinity) ? due : null;
}
