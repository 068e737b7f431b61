import type { OccupationType } from '@hatchway/domain/terms.ts';

export const FILL_SERVICES = ['delivery', 'selfservice', 'storage', 'lending', 'consumable', 'sale', 'recall', 'drop-off'] as const;
export type FillService = (typeof FILL_SERVICES)[number];
export type StepId = 'request' | 'asset' | 'price' | 'order' | 'receiver' | 'locker' | 'summary';

/** What is connected decides which steps a company sees. */
export type Offers = { shop: boolean; tool: boolean };

export type Plan = {
  type: OccupationType;
  /** In order. `order` is shown only where there is a shop, connected or posting its orders, `request` where an asset tool has of an open request. */
  steps: readonly StepId[];
  assetSource?: 'tcm';
  /** The request that the server tells apart from others of its type. */
  service?: 'selfservice';
  /** At the summary the door opens for whoever stands here, or somebody outside is asked by a link. */
  begins: 'open' | 'ask';
  /** Once it lies inside: somebody is told, it is offered to all who may, or staff fetch it. */
  follows: 'notify' | 'publish' | 'fetch';
  /** Which assets are listed: every one, those that may go out, or those that somebody has. */
  assets: 'all' | 'lendable' | 'held';
  /** Several pieces lie inside. */
  stock?: true;
  /** What the summary itself asks for, where there is no step of its own. */
  asks?: 'owner' | 'loan-time' | 'expected';
};

/** One screen serves all services: each is a row here (portal.md, Steps of the service screen). */
export const PLANS: Readonly<Record<FillService, Plan>> = {
  delivery: {
    type: 'delivery',
    steps: ['request', 'asset', 'order', 'receiver', 'locker', 'summary'],
    begins: 'open',
    follows: 'notify',
    assets: 'all',
  },
  selfservice: {
    type: 'delivery',
    steps: ['request', 'asset', 'order', 'receiver', 'locker', 'summary'],
    assetSource: 'tcm',
    service: 'selfservice',
    begins: 'open',
    follows: 'notify',
    assets: 'all',
  },
  storage: { type: 'storage', steps: ['summary'], begins: 'open', follows: 'notify', assets: 'all', asks: 'owner' },
  lending: {
    type: 'lending',
    steps: ['asset', 'locker', 'summary'],
    begins: 'open',
    follows: 'publish',
    assets: 'lendable',
    asks: 'loan-time',
  },
  consumable: { type: 'consumable', steps: ['asset', 'locker', 'summary'], begins: 'open', follows: 'publish', assets: 'all', stock: true },
  sale: { type: 'sale', steps: ['asset', 'price', 'locker', 'summary'], begins: 'open', follows: 'publish', assets: 'all', stock: true },
  recall: { type: 'recall', steps: ['asset', 'receiver', 'locker', 'summary'], begins: 'ask', follows: 'fetch', assets: 'held' },
  'drop-off': {
    type: 'drop-off',
    steps: ['receiver', 'locker', 'summary'],
    begins: 'ask',
    follows: 'fetch',
    assets: 'all',
    asks: 'expected',
  },
};

export function stepsOf(plan: Plan, offers: Offers): readonly StepId[] {
  return plan.steps.filter((step) => (step !== 'order' || offers.shop) && (step !== 'request' || offers.tool));
}

/** Whom the receiver's step is about: who fetches, or who is asked to bring. */
export const stepWord = (plan: Plan, step: StepId): StepId | 'person' => (step === 'receiver' && plan.begins === 'ask' ? 'person' : step);

/** The service whose screen an occupation belongs to. */
export const serviceOf = (one: { type: OccupationType; service: string }): FillService =>
  one.service === 'selfservice' ? 'selfservice' : one.type;

/** 1-based place of a step among those shown: the X of "Step X of Y". A step that is no longer shown counts as the first. */
export const placeOf = (steps: readonly StepId[], step: StepId): number => Math.max(0, steps.indexOf(step)) + 1;
export const after = (steps: readonly StepId[], step: StepId): StepId => steps[Math.min(placeOf(steps, step), steps.length - 1)] ?? step;
export const before = (steps: readonly StepId[], step: StepId): StepId => steps[Math.max(placeOf(steps, step) - 2, 0)] ?? step;
