import type { PaymentState } from './terms.ts';
export interface PaymentFacts {
  readonly state: PaymentState;
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
}
