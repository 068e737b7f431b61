import type { OccupationType } from '@hatchway/domain/terms.ts';

export type FillService = 'delivery' | 'selfservice' | 'storage' | 'lending' | 'consumable' | 'sale' | 'recall' | 'drop-off';
export type StepId = 'request' | 'asset' | 'order' | 'receiver' | 'locker' | 'summary';

/** What is connected decides which steps a company sees. */
export type Offers = { tool: boolean; shop: boolean };

export type Plan = {
  type: OccupationType;
  /** In order; `request` and `order` are shown only where a tool or a shop is connected. */
  steps: readonly StepId[];
  assetSource?: 'tcm';
  /** The request that the server tells apart from others of its type. */
  service?: 'selfservice';
};

/** One screen serves all services: each is a row here (portal.md, Steps of the service screen). */
export const PLANS: Readonly<Record<FillService, Plan>> = {
  delivery: { type: 'delivery', steps: ['request', 'asset', 'order', 'receiver', 'locker', 'summary'] },
  selfservice: {
    type: 'delivery',
    steps: ['request', 'asset', 'order', 'receiver', 'locker', 'summary'],
    assetSource: 'tcm',
    service: 'selfservice',
  },
  storage: { type: 'storage', steps: ['summary'] },
  lending: { type: 'lending', steps: ['asset', 'locker', 'summary'] },
  consumable: { type: 'consumable', steps: ['asset', 'locker', 'summary'] },
  sale: { type: 'sale', steps: ['asset', 'locker', 'summary'] },
  recall: { type: 'recall', steps: ['asset', 'receiver', 'locker', 'summary'] },
  'drop-off': { type: 'drop-off', steps: ['receiver', 'locker', 'summary'] },
};

export function stepsOf(plan: Plan, offers: Offers): readonly StepId[] {
  return plan.steps.filter((step) => (step === 'request' ? offers.tool : step === 'order' ? offers.shop : true));
}

/** 1-based place of a step among those shown: the X of "Step X of Y". A step that is no longer shown counts as the first. */
export const placeOf = (steps: readonly StepId[], step: StepId): number => Math.max(0, steps.indexOf(step)) + 1;
export const after = (steps: readonly StepId[], step: StepId): StepId => steps[Math.min(placeOf(steps, step), steps.length - 1)] ?? step;
export const before = (steps: readonly StepId[], step: StepId): StepId => steps[Math.max(placeOf(steps, step) - 2, 0)] ?? step;
