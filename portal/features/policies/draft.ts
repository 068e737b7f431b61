import { rulesFor } from '@hatchway/domain/policy.ts';
import { priceOf, typedAmount } from '../../app/money.ts';
import type { Policy, PolicyInput } from './api.ts';

/** Limits that are whole numbers, in the unit that the rule is kept in, and how many milliseconds that is; '' leaves the house default. */
export const LIMITS = {
  reserveMinutes: { least: 1, most: 86_400, unit: 60_000 },
  pickupHours: { least: 1, most: 8784, unit: 3_600_000 },
  loanHours: { least: 1, most: 8784, unit: 3_600_000 },
  claimSeconds: { least: 10, most: 3600, unit: 1000 },
  claimGraceSeconds: { least: 5, most: 3600, unit: 1000 },
  maxActivePerPerson: { least: 1, most: 1000, unit: null },
} as const;
type Limit = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as Limit[];
const eachLimit = <T>(of: (limit: Limit) => T) => Object.fromEntries(LIMIT_NAMES.map((limit) => [limit, of(limit)])) as Record<Limit, T>;

/** What stands in the form: numbers as they are typed. */
export type Draft = {
  name: string;
  ref: string;
  services: readonly string[];
  lockerIds: readonly string[];
  groupIds: readonly string[];
  limits: Readonly<Record<Limit, number | ''>>;
  /** Null: the house's. */
  reminders: readonly number[] | null;
  /** As it is typed, in the page's language: a comma that stands last is no number yet. */
  price: string;
  currency: string;
  inspectReturns: boolean;
  staffConfirmsClaim: boolean;
  loginHint: string;
  idpHint: string;
};

export const REF = /^[a-z0-9-]{1,60}$/;
/** A ref out of a name, as an address likes it: "Tools for a week" → tools-for-a-week. */
export const refOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('å', 'a')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);

export const draftOf = (policy: Policy | null, language: string): Draft => ({
  name: policy?.name ?? '',
  ref: policy?.ref ?? '',
  services: policy?.services ?? [],
  lockerIds: policy?.lockerIds ?? [],
  groupIds: policy?.groupIds ?? [],
  limits: eachLimit((limit) => policy?.[limit] ?? ''),
  reminders: policy?.reminders ?? null,
  price: policy?.price?.amount ? typedAmount(policy.price.amount, policy.price.currency, language) : '',
  currency: policy?.price?.currency ?? 'NOK',
  inspectReturns: policy?.inspectReturns ?? false,
  staffConfirmsClaim: policy?.staffConfirmsClaim ?? false,
  loginHint: policy?.loginHint ?? '',
  idpHint: policy?.idpHint ?? '',
});

/** What is typed as its price; null where that is none. */
const priceIn = ({ price, currency }: Draft): PolicyInput['price'] => {
  const amount = priceOf(price, currency);
  return amount === null ? null : { amount, currency };
};
export const priceFits = (draft: Draft): boolean => draft.price.trim() === '' || priceIn(draft) !== null;

const orNull = <T>(value: T | ''): T | null => (value === '' ? null : value);

export const inputOf = (draft: Draft): PolicyInput => ({
  name: draft.name.trim(),
  ref: draft.ref,
  services: [...draft.services],
  lockerIds: [...draft.lockerIds],
  groupIds: [...draft.groupIds],
  ...eachLimit((limit) => orNull(draft.limits[limit])),
  reminders: draft.reminders === null ? null : [...draft.reminders].toSorted((a, b) => a - b),
  price: priceIn(draft),
  inspectReturns: draft.inspectReturns,
  staffConfirmsClaim: draft.staffConfirmsClaim,
  loginHint: orNull(draft.loginHint.trim()),
  idpHint: orNull(draft.idpHint.trim()),
});

/** What holds where nothing is written. */
export const HOUSE = rulesFor(null, 'delivery');

/** Whole limits alone, within what the server takes. */
export const limitFits = (limit: Limit, value: number | ''): boolean =>
  value === '' || (Number.isInteger(value) && value >= LIMITS[limit].least && value <= LIMITS[limit].most);
