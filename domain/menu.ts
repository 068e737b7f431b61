import { mayHaveKeys, mayUseService, type Facts } from './access.ts';
import { SERVICES, type License, type Service } from './terms.ts';

export interface Menu {
  readonly manage: boolean;
  readonly history: boolean;
  readonly admin: boolean;
  /** API keys under Admin. */
  readonly keys: boolean;
  readonly services: readonly Service[];
}
const MANAGED: readonly License[] = ['delivery', 'sale', 'lending', 'storage', 'consumable', 'recall'];

/** What the top bar and the shortcuts show. Comfort, never the guard. */
export function menu(facts: Facts): Menu {
  const manage = MANAGED.some((license) => facts.licenses.includes(license));
  return {
    manage,
    history: manage,
    admin: facts.roles.includes('admin'),
    keys: mayHaveKeys(facts),
    services: SERVICES.filter((service) => mayUseService(service, facts)),
  };
}
