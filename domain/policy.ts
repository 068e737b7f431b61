import type { Price } from './price.ts';
import type { OccupationType, Service } from './terms.ts';

/** Rules for a kind of use, as a company wrote them; null leaves the house default (`RULES_OF`). */
export interface Policy {
  readonly _id: string;
  readonly name: string;
  readonly ref: string | null;
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

/** A policy with every gap filled: what the lifecycle works with. */
export interface Rules {
  readonly policyRef: string | null;
  readonly reserveMinutes: number;
  readonly pickupHours: number;
  readonly loanHours: number;
  readonly reminders: readonly number[];
  readonly claimSeconds: number;
  readonly claimGraceSeconds: number;
  /** null: as many as they like. */
  readonly maxActivePerPerson: number | null;
  readonly price: Price | null;
  readonly inspectReturns: boolean;
  readonly staffConfirmsClaim: boolean;
}

export declare function rulesFor(policy: Policy | null, type: OccupationType): Rules;
