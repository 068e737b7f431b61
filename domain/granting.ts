import {
  ADMIN_NOUNS,
  historyReach,
  mayAdminister,
  mayBuildAnywhere,
  mayEnter,
  mayHaveKeys,
  mayMovePayments,
  mayReadPayments,
  mayUseService,
  mayWriteAssets,
  seesAllLockers,
  type Facts,
} from './access.ts';
import { LICENSES, ROLES, SCOPES, SERVICES, scopeOf } from './terms.ts';

/**
 * Whether somebody may give an API key this: `read`, the short word of a locker scope, or `admin:{noun}`. Never more than they hold
 * themselves; what they hold is asked again whenever the key is used (keyFacts).
 */
export function mayGrant(scope: string, facts: Facts): boolean {
  if (!mayHaveKeys(facts)) return false;
  if (scope === 'read') return mayEnter(facts) && seesAllLockers(facts);
  if (scopeOf(scope) === scope) return facts.lockers === 'all';
  if (scope === 'admin:assets') return mayWriteAssets(facts);
  if (scope === 'admin:lockers') return mayBuildAnywhere(facts);
  if (scope === 'admin:payments') return mayMovePayments(facts);
  const noun = ADMIN_NOUNS.find((one) => scope === `admin:${one}`);
  return noun !== undefined && mayAdminister(noun, facts);
}

/** Everything that may be asked of facts without naming a locker, so that two can be compared. */
const rightsOf = (facts: Facts): readonly boolean[] => [
  ...SERVICES.map((service) => mayUseService(service, facts)),
  mayEnter(facts),
  seesAllLockers(facts),
  mayWriteAssets(facts),
  mayBuildAnywhere(facts),
  mayReadPayments(facts),
  mayMovePayments(facts),
  historyReach(facts).all,
  ...ADMIN_NOUNS.map((noun) => mayAdminister(noun, facts)),
  mayHaveKeys(facts),
];

/**
 * Whether somebody may give a person these roles and scopes: an admin may; anybody else, a key, only what they hold themselves on every
 * locker, whatever licence the company comes to have.
 */
export function mayRaise(to: { roles?: readonly string[]; scopes?: readonly string[] }, facts: Facts): boolean {
  if (facts.roles.includes('admin')) return true;
  if (facts.lockers !== 'all') return false;
  const giver = { ...facts, licenses: LICENSES };
  const held = rightsOf(giver);
  const taker: Facts = {
    roles: ROLES.filter((role) => to.roles?.includes(role)),
    licenses: LICENSES,
    scopes: SCOPES.filter((scope) => to.scopes?.some((one) => scopeOf(one) === scope)),
    lockers: 'all',
  };
  // Scopes are granted on some lockers, which reach neither every locker nor all of the history.
  const wanted = rightsOf(taker.roles.length > 0 ? taker : { ...taker, lockers: {} });
  return wanted.every((right, at) => !right || held[at] === true);
}
