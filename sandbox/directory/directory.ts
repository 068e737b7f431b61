import { createFaults } from '../faults.ts';
import type { FaultKind } from './faults.ts';
import { createStore, type Store } from './store.ts';
import { createTokens } from './tokens.ts';

/** The application that the operator of the lockers has registered: the same in every directory. */
export const DEMO_APP = { clientId: '7f2c1a90-6b1e-4c57-9d1f-2f0c8a3b5e11', clientSecret: 'sandbox-directory-secret~8Q' };

export type Directory = ReturnType<typeof createDirectory>;

const PEOPLE = [
  { givenName: 'Astrid', surname: 'Lie', isAdmin: true, groups: ['All staff', 'Locker administrators'] },
  { givenName: 'Bjørn', surname: 'Dahl', groups: ['All staff', 'Reception'] },
  { givenName: 'Camilla', surname: 'Haugen', groups: ['All staff', 'Workshop'] },
  { givenName: 'Dag', surname: 'Moen', groups: ['All staff', 'Workshop'] },
] as const;

/** A directory of a small company with people in groups. */
export function fillTenant(store: Store, name: string, domain?: string) {
  const tenant = store.addTenant(name, domain);
  const groups = new Map<string, ReturnType<Store['addGroup']>>();
  for (const { groups: names, ...input } of PEOPLE) {
    const person = store.addPerson(tenant, input);
    for (const one of names) {
      const group = groups.get(one) ?? store.addGroup(tenant, one);
      groups.set(one, group);
      store.setMember(group, person, true);
    }
  }
  return tenant;
}

/** The one that a new store begins with, and its administrator. */
export function demoDirectory({ store }: Pick<Directory, 'store'>): { tid: string; oid: string } {
  const [tenant] = store.tenants();
  const admin = tenant && store.people(tenant.tid).find(({ isAdmin }) => isAdmin);
  if (!tenant || !admin) throw new Error('the store has no directory with an administrator');
  return { tid: tenant.tid, oid: admin.id };
}

/** All directories behind one login and one Graph, as Entra has them. `demo`: a new one begins with a directory. */
export function createDirectory({
  demo = false,
  now = Date.now,
  pageSize = 100,
  ...options
}: { folder?: string; now?: () => number; demo?: boolean; pageSize?: number } = {}) {
  const store = createStore(options);
  if (demo && store.tenants().length === 0) fillTenant(store, 'Demo company', 'demo.onmicrosoft.test');
  return { store, faults: createFaults<FaultKind>(), tokens: createTokens(now), now, pageSize };
}
