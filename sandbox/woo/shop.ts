import { createFaults } from '../faults.ts';
import type { FaultKind } from './faults.ts';
import { createHooks } from './hooks.ts';
import { createStore } from './store.ts';

export type Woo = ReturnType<typeof createWoo>;

const MINUTE = 60_000;
const DEMO = [
  {
    ago: 150,
    person: { firstName: 'Ingrid', lastName: 'Solberg', phone: '912 34 567', email: 'ingrid@kunde.test' },
    lines: [{ name: 'Hiking boots – 41', quantity: 1, price: 1899 }],
  },
  {
    ago: 95,
    person: { firstName: 'Ola', lastName: 'Nordmann', phone: '+47 40 61 23 45', email: 'ola@kunde.test' },
    lines: [
      { name: 'Drill bit set & case', quantity: 1, price: 449 },
      { name: 'Work gloves', quantity: 2, price: 129 },
    ],
  },
  {
    ago: 20,
    person: { firstName: 'Åse', lastName: 'Berg', phone: '', email: 'ase@kunde.test' },
    lines: [{ name: 'Coffee beans 1 kg', quantity: 3, price: 189 }],
  },
];

/** The whole shop: its orders and keys, what it tells, and what can be made to go wrong. `demo`: a new one has orders. */
export function createWoo({ demo = false, ...options }: { folder?: string; now?: () => number; demo?: boolean } = {}) {
  const store = createStore(options);
  const faults = createFaults<FaultKind>();
  const hooks = createHooks(store, faults);
  if (demo && store.orders().length === 0) {
    const now = Math.floor(store.now() / 1000) * 1000;
    for (const { ago, person, lines } of DEMO) store.addOrder({ ...person, lines }, now - ago * MINUTE);
  }
  return { store, faults, hooks };
}
