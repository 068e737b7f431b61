import { createFaults } from '../faults.ts';
import type { FaultKind } from './faults.ts';
import { createStore } from './store.ts';

export type Tool = ReturnType<typeof createTool>;

const DAY = 24 * 60 * 60_000;
const PEOPLE = [
  { name: 'Ingrid Solberg', tlf: '+4791234567', email: 'ingrid@kunde.test' },
  { name: 'Ola Nordmann', tlf: '+4740612345', email: 'ola@kunde.test' },
  { name: 'Åse Berg', tlf: null, email: 'ase@kunde.test' },
];
const ASSETS = ['Drill', 'Circular saw', 'Laser level', 'Ladder 4 m', 'Moisture meter “Pro”', 'Camera & tripod'];

/** The whole asset tool: its assets, people and requests, and what can be made to go wrong. `demo`: a new one has some of each. */
export function createTool({ demo = false, ...options }: { folder?: string; now?: () => number; demo?: boolean } = {}) {
  const store = createStore(options);
  const faults = createFaults<FaultKind>();
  if (demo && store.assets().length === 0) {
    const [ingrid, ola, ase] = PEOPLE.map((person) => store.addPerson(person));
    const [drill, saw, , ladder] = ASSETS.map((name, at) => store.addAsset(name, `T-${String(at + 1).padStart(3, '0')}`));
    const until = (days: number) => new Date(store.now() + days * DAY).toISOString();
    if (ingrid && ola && ase && drill && saw && ladder) {
      store.ask({ what: 'A drill for concrete', assetId: drill.id, personId: ingrid.id, until: until(3) });
      store.ask({ what: 'Something to reach the lamps with', assetId: null, personId: ase.id, until: null });
      store.checkOut(saw, ola, { until: until(1), note: '', by: 'page' });
      store.setCondition(ladder, 4, 'page');
    }
  }
  return { store, faults };
}
