import {
  LICENSES,
  LOCKER_RESOURCE,
  ROLES,
  SCOPES,
  scopeOf,
  type License,
  type OccupationType,
  type Role,
  type Scope,
  type Service,
  type Stage,
} from './terms.ts';
import { doorMayOpen } from './doors.ts';

/** What the access token says, as far as access goes. Everything may be missing or of a wrong shape: a token is input. */
export interface Claims {
  readonly realm_access?: { readonly roles?: readonly string[] };
  readonly resource_access?: Readonly<Record<string, { readonly roles?: readonly string[] }>>;
  readonly tenant?: { readonly tenant_id?: string; readonly tenant_name?: string; readonly roles?: readonly string[] };
  readonly licenses?: readonly string[];
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What somebody holds in one company, as GET /accounts/me gives it; server and screens ask the functions here with it.
 * `lockers`: "all" when their scopes hold on every locker (admin, all, keys), else the scopes that permissions grant, locker by locker.
 */
export interface Facts {
  readonly roles: readonly Role[];
  readonly licenses: readonly License[];
  readonly scopes: readonly Scope[];
  readonly lockers: 'all' | Readonly<Record<string, readonly Scope[]>>;
  /** API keys alone: `read` and `admin:{noun}`. A person has none. */
  readonly grants?: readonly string[];
}

export const NOBODY: Facts = { roles: [], licenses: [], scopes: [], lockers: {} };
export const CLIENT_ID = 'pml-internal-portal';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
export function isTenantId(value: unknown): value is string {
  return typeof value === 'string' && UUID_V4.test(value);
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const known = <T extends string>(all: readonly T[], held: readonly string[]): T[] => all.filter((one) => held.includes(one));

/** Realm roles, the portal client's roles and the tenant's, united; roles that the portal doesn't know are left out. */
export function rolesOf(claims: Claims): readonly Role[] {
  return known(ROLES, [
    ...texts(claims.realm_access?.roles),
    ...texts(claims.resource_access?.[CLIENT_ID]?.roles),
    ...texts(claims.tenant?.roles),
  ]);
}

/** Specification, section 5: a version-4 tenant id, and a portal role or any locker permission entry. */
export function portalAccess(claims: Claims): boolean {
  if (!isTenantId(claims.tenant?.tenant_id)) return false;
  return rolesOf(claims).length > 0 || texts(claims.permissions?.[LOCKER_RESOURCE]).length > 0;
}

const everywhere = (roles: readonly string[]): boolean => roles.includes('admin') || roles.includes('all');

/** From the token alone: enough for entry, menu and service; it names no lockers, those come from GET /accounts/me. */
export function factsFromClaims(claims: Claims): Facts {
  const roles = rolesOf(claims);
  const scopes = texts(claims.permissions?.[LOCKER_RESOURCE]).map(scopeOf);
  return {
    roles,
    licenses: known(LICENSES, texts(claims.licenses)),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    lockers: everywhere(roles) ? 'all' : {},
  };
}

/** From the database: roles of the membership, licences of the company, and each permission that reaches the person by a group. */
export function factsFrom(held: {
  roles: readonly string[];
  licenses: readonly string[];
  permissions: readonly { readonly scopes: readonly string[]; readonly lockers: readonly string[] }[];
}): Facts {
  const roles = known(ROLES, held.roles);
  const byLocker = new Map<string, Set<Scope>>();
  const all = new Set<Scope>();
  for (const permission of held.permissions) {
    const scopes = permission.scopes.map(scopeOf).filter((scope) => scope !== null);
    for (const lockerId of permission.lockers) {
      // A permission without lockers grants nothing, so its scopes don't count for the menu either.
      for (const scope of scopes) {
        all.add(scope);
        byLocker.set(lockerId, (byLocker.get(lockerId) ?? new Set()).add(scope));
      }
    }
  }
  const lockers = Object.fromEntries([...byLocker].map(([id, scopes]) => [id, SCOPES.filter((scope) => scopes.has(scope))]));
  return {
    roles,
    licenses: known(LICENSES, held.licenses),
    scopes: SCOPES.filter((scope) => all.has(scope)),
    lockers: everywhere(roles) ? 'all' : lockers,
  };
}

/**
 * What an API key may: the scopes that it names, everywhere, and its grants, as long as its maker may have API keys at all (admin,
 * licence integrator) at the time of use; else nothing.
 */
export function keyFacts(maker: Facts, keyScopes: readonly string[]): Facts {
  if (!mayHaveKeys(maker)) return NOBODY;
  const scopes = keyScopes.map(scopeOf);
  return {
    roles: [],
    licenses: maker.licenses,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    lockers: 'all',
    grants: keyScopes.filter((scope) => scope === 'read' || scope.startsWith('admin:')),
  };
}

const hasRole = (facts: Facts, ...roles: readonly Role[]): boolean => roles.some((role) => facts.roles.includes(role));
const granted = (facts: Facts, grant: string): boolean => facts.grants?.includes(grant) ?? false;

/** Any portal access, by role or by scope; a key that reads counts. */
export function mayEnter(facts: Facts): boolean {
  return facts.roles.length > 0 || facts.scopes.length > 0 || granted(facts, 'read');
}

interface ServiceRule {
  readonly license: License | null;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
}
const DELIVERY: ServiceRule = { license: 'delivery', roles: ['admin', 'all', 'delivery_manager'], scopes: ['manage', 'delivery'] };
const SALE: ServiceRule = { license: 'sales', roles: ['admin', 'all', 'sale_manager'], scopes: ['manage', 'sale'] };
/** Specification, section 6; storage, drop-off and the two that stand in for others by domain.md. */
const SERVICE_RULES: Readonly<Record<Service, ServiceRule>> = {
  delivery: DELIVERY,
  selfservice: DELIVERY,
  lending: { license: 'lending', roles: ['admin', 'all', 'lending_manager'], scopes: ['manage', 'lending'] },
  consumable: { license: 'consumable', roles: ['admin', 'all', 'consumable_manager'], scopes: ['manage'] },
  sale: SALE,
  storefront: SALE,
  recall: { license: 'recall', roles: ['admin', 'all', 'recall_manager'], scopes: ['manage'] },
  storage: { license: 'storage', roles: ['admin', 'all', 'manager'], scopes: ['manage', 'storage'] },
  'drop-off': { license: null, roles: ['admin', 'all', 'drop-off_manager'], scopes: ['manage'] },
  'lock-control': { license: null, roles: ['admin', 'all'], scopes: ['manage'] },
};

const licensed = (rule: ServiceRule, facts: Facts): boolean => rule.license === null || facts.licenses.includes(rule.license);

/** Whether the service's screen is theirs: its licence, and one of its roles or scopes, on whatever locker. */
export function mayUseService(service: Service, facts: Facts): boolean {
  const rule = SERVICE_RULES[service];
  return licensed(rule, facts) && (hasRole(facts, ...rule.roles) || rule.scopes.some((scope) => facts.scopes.includes(scope)));
}

/** Whoever delivers at every locker: what a shop tells is seen by all of them. */
export function mayPostOrders(facts: Facts): boolean {
  return mayUseService('delivery', facts) && (facts.lockers === 'all' || hasRole(facts, ...DELIVERY.roles));
}

/** The scopes that they hold on one locker. */
export function scopesOn(lockerId: string, facts: Facts): readonly Scope[] {
  if (facts.lockers === 'all') return facts.scopes;
  // A locker id that is the name of something every object has must not find it.
  return Object.hasOwn(facts.lockers, lockerId) ? (facts.lockers[lockerId] ?? []) : [];
}

/** What lets somebody use a service: a role, which reaches every locker, or a scope on this one. */
export type Reason =
  | { readonly service: Service; readonly by: 'role'; readonly role: Role }
  | { readonly service: Service; readonly by: 'scope'; readonly scope: Scope };

/** Everything that lets them use the service on this locker; empty: they may not. The decision below is made from this. */
export function whyOnLocker(service: Service, lockerId: string, facts: Facts): readonly Reason[] {
  const rule = SERVICE_RULES[service];
  if (!licensed(rule, facts)) return [];
  const held = scopesOn(lockerId, facts);
  return [
    ...rule.roles.filter((role) => hasRole(facts, role)).map((role): Reason => ({ service, by: 'role', role })),
    ...rule.scopes.filter((scope) => held.includes(scope)).map((scope): Reason => ({ service, by: 'scope', scope })),
  ];
}

/** The same on one locker: a fitting role reaches every locker of the company, a scope only those that its permissions name. */
export function mayUseOnLocker(service: Service, lockerId: string, facts: Facts): boolean {
  return whyOnLocker(service, lockerId, facts).length > 0;
}

/** Whoever may use the service of its type, on that locker. */
export function mayActOnOccupation(occupation: { type: OccupationType; lockerId: string }, facts: Facts): boolean {
  return mayUseOnLocker(occupation.type, occupation.lockerId, facts);
}

/** An occupation as an open command may name it. */
export interface Named {
  readonly type: OccupationType;
  readonly lockerId: string;
  readonly stage: Stage;
}

/** Everything that lets them open this door, by itself (lock control) or naming that occupation; empty: it stays shut for them. */
export function whyOpenDoor(lockerId: string, named: Named | null, facts: Facts): readonly Reason[] {
  const byItself = whyOnLocker('lock-control', lockerId, facts);
  if (named === null || named.lockerId !== lockerId || !doorMayOpen(named)) return byItself;
  return [...byItself, ...whyOnLocker(named.type, lockerId, facts)];
}

/** Lock control's rule; or whoever may act on the occupation that the call names, in a stage that calls for an open door. */
export function mayOpenDoor(lockerId: string, named: Named | null, facts: Facts): boolean {
  return whyOpenDoor(lockerId, named, facts).length > 0;
}

const SERVICE_ROLES: Readonly<Partial<Record<Role, OccupationType>>> = {
  sale_manager: 'sale',
  delivery_manager: 'delivery',
  lending_manager: 'lending',
  consumable_manager: 'consumable',
  recall_manager: 'recall',
  'drop-off_manager': 'drop-off',
};

/** Lockers that they see at all: every one by a role that works with lockers, or a key that builds or reads; else those that a permission names. */
export function maySeeLocker(lockerId: string, facts: Facts): boolean {
  return seesAllLockers(facts) || scopesOn(lockerId, facts).length > 0;
}
export function seesAllLockers(facts: Facts): boolean {
  if (mayBuildAnywhere(facts) || granted(facts, 'read')) return true;
  if (facts.roles.some((role) => SERVICE_ROLES[role] !== undefined)) return true;
  return facts.lockers === 'all' && facts.scopes.length > 0;
}

/** A place: to whoever has a role every one; to scopes alone those where a locker of theirs stands. */
export function maySeeSite(lockerIds: readonly string[], facts: Facts): boolean {
  return seesAllSites(facts) || lockerIds.some((id) => maySeeLocker(id, facts));
}
export function seesAllSites(facts: Facts): boolean {
  return facts.roles.length > 0 || seesAllLockers(facts);
}

/** Assets, groups' names, policies, status labels, types, receivers, orders. */
export const mayReadReference = mayEnter;

export function mayWriteAssets(facts: Facts): boolean {
  return hasRole(facts, 'admin', 'all', 'manager', 'asset_manager') || granted(facts, 'admin:assets');
}

/** Builder, sites, cabinets, access links, what lies in a locker, out of service: every locker that the change touches must be theirs. */
export function mayBuild(lockerIds: readonly string[], facts: Facts): boolean {
  if (mayBuildAnywhere(facts)) return true;
  return lockerIds.length > 0 && lockerIds.every((id) => scopesOn(id, facts).includes('manage'));
}
/** What names no locker yet: a new site, a new cabinet. */
export function mayBuildAnywhere(facts: Facts): boolean {
  return hasRole(facts, 'admin', 'all', 'manager') || granted(facts, 'admin:lockers');
}

export function mayReadPayments(facts: Facts): boolean {
  return hasRole(facts, 'admin', 'all', 'manager', 'sale_manager') || granted(facts, 'read') || granted(facts, 'admin:payments');
}
/** Refund, cancel, capture, update. */
export function mayMovePayments(facts: Facts): boolean {
  return hasRole(facts, 'admin', 'all', 'sale_manager') || granted(facts, 'admin:payments');
}

export const ADMIN_NOUNS = [
  'policies',
  'permissions',
  'groups',
  'asset-groups',
  'memberships',
  'invitations',
  'accounts',
  'integrations',
  'webhooks',
  'templates',
  'companies',
] as const;
export type AdminNoun = (typeof ADMIN_NOUNS)[number];
/** Role admin, or a key that was given that noun. Everybody's own account is not asked here. */
export function mayAdminister(noun: AdminNoun, facts: Facts): boolean {
  return hasRole(facts, 'admin') || granted(facts, `admin:${noun}`);
}

/** Read, make and withdraw API keys: licence integrator plus role admin; a key never makes keys. */
export function mayHaveKeys(facts: Facts): boolean {
  return facts.licenses.includes('integrator') && hasRole(facts, 'admin');
}

type HistoryReach =
  | { readonly all: true }
  | { readonly all: false; readonly types: readonly OccupationType[]; readonly lockerIds: readonly string[] };

/** Which history they read: all of it; or that of the types of their service roles, and of the lockers of their permissions. */
export function historyReach(facts: Facts): HistoryReach {
  const whole = hasRole(facts, 'admin', 'all', 'manager') || granted(facts, 'read');
  if (whole || (facts.lockers === 'all' && facts.scopes.length > 0)) return { all: true };
  const types = facts.roles.map((role) => SERVICE_ROLES[role]).filter((type) => type !== undefined);
  const lockerIds = facts.lockers === 'all' ? [] : Object.keys(facts.lockers).filter((id) => scopesOn(id, facts).length > 0);
  return { all: false, types, lockerIds };
}
/** All of it: what a webhook tells its address, and what the company's alerts are part of. */
export function mayReadAllHistory(facts: Facts): boolean {
  return historyReach(facts).all;
}
export interface EventPlace {
  readonly lockerId: string | null;
  /** Of the occupation that the event belongs to, or that had the locker when it happened. */
  readonly occupationType: OccupationType | null;
  /** Of an event that is of a whole cabinet, the lockers that the cabinet has: it is theirs, each one's. */
  readonly cabinetLockers?: readonly string[] | null;
}
export function mayReadEvent(event: EventPlace, facts: Facts): boolean {
  const reach = historyReach(facts);
  if (reach.all) return true;
  if (event.occupationType !== null && reach.types.includes(event.occupationType)) return true;
  if (event.lockerId !== null) return reach.lockerIds.includes(event.lockerId);
  const { cabinetLockers } = event;
  return Boolean(cabinetLockers && (seesAllLockers(facts) || cabinetLockers.some((id) => maySeeLocker(id, facts))));
}
/** Whose history they read is theirs to see, ended ones too; one whose locker was deleted has none (null or ''). */
export function maySeeOccupation({ type, lockerId }: { type: OccupationType; lockerId: string | null }, facts: Facts): boolean {
  return mayReadEvent({ lockerId, occupationType: type }, facts);
}

/** Whoever keeps the assets or asks for them back sees every loan; anybody else those of the lockers whose history they read. */
export function maySeeLoan(lockerId: string | null, facts: Facts): boolean {
  const reach = historyReach(facts);
  return seesAllLoans(facts) || (!reach.all && lockerId !== null && reach.lockerIds.includes(lockerId));
}
export function seesAllLoans(facts: Facts): boolean {
  const reach = historyReach(facts);
  return reach.all || mayWriteAssets(facts) || reach.types.some((type) => type === 'lending' || type === 'recall');
}
