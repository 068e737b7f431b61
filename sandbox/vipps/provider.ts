import { createFaults } from '../faults.ts';
import type { FaultKind } from './faults.ts';
import { createHooks } from './hooks.ts';
import { createLedger } from './ledger.ts';

export type Vipps = ReturnType<typeof createVipps>;

/** The whole provider: its books, what it tells, and what can be made to go wrong. `now` is its only clock. */
export function createVipps(options: { folder?: string; now?: () => number } = {}) {
  const ledger = createLedger(options);
  const faults = createFaults<FaultKind>();
  const hooks = createHooks(ledger, faults);
  /** Lets time do its work: what ran out, and what is to be told by now. */
  const tick = async (): Promise<void> => {
    ledger.sweep();
    await hooks.tick();
  };
  return { ledger, faults, hooks, tick };
}
