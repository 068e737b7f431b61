import type { License, OccupationType, Role, Scope, Service } from './terms.ts';

/** What the access token says, as far as access goes. Everything may be missing: a token is input. */
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
  /** API keys alone: `read` and `admin:{noun}`. */
  readonly grants?: readonly string[];
}

export interface Menu {
  readonly manage: boolean;
  readonly history: boolean;
  readonly admin: boolean;
  readonly services: readonly Service[];
}

export declare function portalAccess(claims: Claims): boolean;
export declare function factsFromClaims(claims: Claims): Facts;
export declare function factsFrom(held: {
  roles: readonly string[];
  licenses: readonly string[];
  permissions: readonly { scopes: readonly string[]; lockers: readonly string[] }[];
}): Facts;
export declare function keyFacts(maker: Facts, keyScopes: readonly string[]): Facts;
export declare function mayEnter(facts: Facts): boolean;
export declare function menu(facts: Facts): Menu;
export declare function mayUseService(service: Service, facts: Facts): boolean;
export declare function mayUseOnLocker(service: Service, lockerId: string, facts: Facts): boolean;
export declare function mayActOnOccupation(occupation: { type: OccupationType; service: Service; lockerId: string }, facts: Facts): boolean;
