import { type Facts, factsFromClaims, mayBuildAnywhere, mayReadPayments, mayUseService, portalAccess } from '@hatchway/domain/access.ts';
import { menu, type Menu } from '@hatchway/domain/menu.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import type { Me } from './queries.ts';
import type { TokenData } from './session.ts';

/** These say what happened; they must be readable by somebody who may not enter. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set(['/forbidden', '/404']);

export type Entry = 'enter' | 'end-user-site';

/** Asked at every navigation. `path` is the route's own, without the base path. */
export const entry = (path: string, claims: () => TokenData): Entry => {
  if (OPEN_TO_ALL.has(path.length > 1 ? path.replace(/\/+$/, '') : path)) return 'enter';
  try {
    return portalAccess(claims()) ? 'enter' : 'end-user-site';
  } catch {
    // No token: the sign-in is about to begin, and nothing is shown before.
    return 'end-user-site';
  }
};

/** The server's answer where it has come, else what the token says: so that menus stand before the first answer. */
export const factsOf = (me: Me | undefined, token: TokenData): Facts =>
  me ? ({ roles: me.roles, licenses: me.licenses, scopes: me.scopes, lockers: me.lockers } as Facts) : factsFromClaims(token);

/** `builds`: walls and access links are theirs to look after, some of them at least. */
export type Visible = Menu & { may: (service: Service) => boolean; payments: boolean; builds: boolean };
export const visibleTo = (facts: Facts): Visible => ({
  ...menu(facts),
  may: (service) => mayUseService(service, facts),
  payments: mayReadPayments(facts),
  builds: mayBuildAnywhere(facts) || facts.scopes.includes('manage'),
});
