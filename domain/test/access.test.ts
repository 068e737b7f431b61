import { describe, expect, it } from 'vitest';
import * as may from '../access.ts';
import { menu } from '../menu.ts';
import type { Facts } from '../access.ts';
import { LICENSES, LOCKER_RESOURCE, OCCUPATION_TYPES, ROLES, SCOPES, SERVICES, STAGES, scopeUrn } from '../terms.ts';
import type { License, Role, Scope, Service } from '../terms.ts';

const TENANT = '3f0f8f3e-6c1b-4a63-9a2d-1f6f0a1b2c3d';
const facts = (more: Partial<Facts> = {}): Facts => ({ ...may.NOBODY, ...more });
const everyLicense = { licenses: LICENSES };

/** Specification, section 6, and domain.md where it is silent, by hand: licence | roles | scopes. */
const SERVICE_TABLE: Record<Service, readonly [License | null, readonly Role[], readonly Scope[]]> = {
  delivery: ['delivery', ['admin', 'all', 'delivery_manager'], ['manage', 'delivery']],
  selfservice: ['delivery', ['admin', 'all', 'delivery_manager'], ['manage', 'delivery']],
  lending: ['lending', ['admin', 'all', 'lending_manager'], ['manage', 'lending']],
  consumable: ['consumable', ['admin', 'all', 'consumable_manager'], ['manage']],
  sale: ['sales', ['admin', 'all', 'sale_manager'], ['manage', 'sale']],
  storefront: ['sales', ['admin', 'all', 'sale_manager'], ['manage', 'sale']],
  recall: ['recall', ['admin', 'all', 'recall_manager'], ['manage']],
  storage: ['storage', ['admin', 'all', 'manager'], ['manage', 'storage']],
  'drop-off': [null, ['admin', 'all', 'drop-off_manager'], ['manage']],
  'lock-control': [null, ['admin', 'all'], ['manage']],
};

describe('services', () => {
  // shows R6.5, R6.6, R6.7, R6.8, R6.9, R6.10
  describe.each(SERVICES)('%s', (service) => {
    const [license, roles, scopes] = SERVICE_TABLE[service];
    it.each(ROLES)('role %s', (role) => {
      const fits = roles.includes(role);
      expect(may.mayUseService(service, facts({ ...everyLicense, roles: [role] }))).toBe(fits);
      expect(may.mayUseOnLocker(service, 'any', facts({ ...everyLicense, roles: [role] }))).toBe(fits);
      const without = LICENSES.filter((one) => one !== license);
      expect(may.mayUseService(service, facts({ licenses: without, roles: [role] }))).toBe(fits && license === null);
      expect(may.mayUseOnLocker(service, 'any', facts({ licenses: without, roles: [role] }))).toBe(fits && license === null);
    });
    it.each(SCOPES)('scope %s on its lockers alone', (scope) => {
      const fits = scopes.includes(scope);
      const held = facts({ ...everyLicense, scopes: [scope], lockers: { mine: [scope] } });
      expect(may.mayUseService(service, held)).toBe(fits);
      expect(may.mayUseOnLocker(service, 'mine', held)).toBe(fits);
      expect(may.mayUseOnLocker(service, 'other', held)).toBe(false);
      // The token says so still, but the permission was withdrawn since.
      expect(may.mayUseOnLocker(service, 'mine', { ...held, lockers: {} })).toBe(false);
      expect(may.mayUseOnLocker(service, 'constructor', held)).toBe(false);
      const without = { ...held, licenses: LICENSES.filter((one) => one !== license) };
      expect(may.mayUseService(service, without)).toBe(fits && license === null);
      expect(may.mayUseOnLocker(service, 'mine', without)).toBe(fits && license === null);
    });
    it('nobody', () => {
      expect(may.mayUseService(service, facts(everyLicense))).toBe(false);
    });
  });

  it('a role for one service and scopes for another add up, locker by locker', () => {
    const both = facts({ ...everyLicense, roles: ['delivery_manager'], scopes: ['lending'], lockers: { mine: ['lending'] } });
    expect(may.mayActOnOccupation({ type: 'delivery', lockerId: 'other' }, both)).toBe(true);
    expect(may.mayActOnOccupation({ type: 'lending', lockerId: 'mine' }, both)).toBe(true);
    expect(may.mayActOnOccupation({ type: 'lending', lockerId: 'other' }, both)).toBe(false);
  });
});

describe('entry', () => {
  const tenant = { tenant_id: TENANT };
  // shows R6.1, R6.2
  it.each(ROLES)('role %s, from each of the three places', (role) => {
    expect(may.portalAccess({ tenant, realm_access: { roles: [role] } })).toBe(true);
    expect(may.portalAccess({ tenant, resource_access: { [may.CLIENT_ID]: { roles: [role] } } })).toBe(true);
    expect(may.portalAccess({ tenant: { ...tenant, roles: [role] } })).toBe(true);
  });
  // shows R6.3, R5.2
  it('any locker permission entry, and nothing less', () => {
    expect(may.portalAccess({ tenant, permissions: { [LOCKER_RESOURCE]: [scopeUrn('sale')] } })).toBe(true);
    expect(may.portalAccess({ tenant, permissions: { [LOCKER_RESOURCE]: [] } })).toBe(false);
    expect(may.portalAccess({ tenant, permissions: { 'urn:other': ['x'] } })).toBe(false);
    expect(may.portalAccess({ tenant })).toBe(false);
    expect(may.portalAccess({ tenant: { ...tenant, roles: ['user', 'offline_access'] } })).toBe(false);
  });
  it.each([undefined, '', 'x', TENANT.replace('-4a63', '-7a63'), TENANT.replace('-9a2d', '-7a2d'), `${TENANT} `])(
    'no tenant of version 4: %s',
    (tenant_id) => {
      expect(may.portalAccess({ tenant: { ...(tenant_id === undefined ? {} : { tenant_id }), roles: ['admin'] } })).toBe(false);
    },
  );
  it('takes a token of any shape', () => {
    const odd = { tenant: { tenant_id: TENANT, roles: 'admin' }, permissions: { [LOCKER_RESOURCE]: [1, null] }, licenses: {} };
    expect(may.portalAccess(odd as never)).toBe(false);
    expect(may.factsFromClaims(odd as never)).toEqual(may.NOBODY);
  });
  // shows R6.4, R3.21
  it('reads scopes as URNs and as words, and drops what it does not know', () => {
    const claims = { tenant, licenses: ['delivery', 'odd'], permissions: { [LOCKER_RESOURCE]: [scopeUrn('manage'), 'sale', 'odd'] } };
    expect(may.factsFromClaims(claims)).toEqual(facts({ licenses: ['delivery'], scopes: ['manage', 'sale'] }));
  });
});

describe('facts from the database', () => {
  it('unite permissions by locker; one without lockers grants nothing', () => {
    const held = may.factsFrom({
      roles: ['user'],
      licenses: ['delivery'],
      permissions: [
        { scopes: ['delivery'], lockers: ['l1', 'l2'] },
        { scopes: [scopeUrn('sale')], lockers: ['l2'] },
        { scopes: ['manage'], lockers: [] },
      ],
    });
    expect(held).toEqual({
      roles: [],
      licenses: ['delivery'],
      scopes: ['delivery', 'sale'],
      lockers: { l1: ['delivery'], l2: ['delivery', 'sale'] },
    });
    expect(may.maySeeLocker('l1', held)).toBe(true);
    expect(may.maySeeLocker('l3', held)).toBe(false);
  });
});

type Question = (held: Facts) => boolean;
/** The rows of the table that ask for roles: question | the roles that may. */
const ROLE_TABLE: Record<string, readonly [Question, readonly Role[]]> = {
  'read reference': [may.mayReadReference, ROLES],
  'write assets': [may.mayWriteAssets, ['admin', 'all', 'manager', 'asset_manager']],
  'build a new cabinet': [may.mayBuildAnywhere, ['admin', 'all', 'manager']],
  'build on a locker': [(held) => may.mayBuild(['l1'], held), ['admin', 'all', 'manager']],
  'read payments': [may.mayReadPayments, ['admin', 'all', 'manager', 'sale_manager']],
  'move payments': [may.mayMovePayments, ['admin', 'all', 'sale_manager']],
  'API keys': [may.mayHaveKeys, ['admin']],
  'all history': [(held) => may.historyReach(held).all, ['admin', 'all', 'manager']],
  'see every locker': [may.seesAllLockers, ROLES.filter((role) => role !== 'asset_manager')],
  'see every site': [may.seesAllSites, ROLES],
  'see every loan': [may.seesAllLoans, ['admin', 'all', 'manager', 'asset_manager', 'lending_manager', 'recall_manager']],
  ...Object.fromEntries(
    may.ADMIN_NOUNS.map((noun) => [noun, [(held: Facts) => may.mayAdminister(noun, held), ['admin'] as const] as const]),
  ),
};

describe.each(Object.entries(ROLE_TABLE))('%s', (_name, [question, roles]) => {
  it.each(ROLES)('role %s', (role) => {
    expect(question(facts({ ...everyLicense, roles: [role] }))).toBe(roles.includes(role));
  });
  it('nobody, whatever the licences', () => {
    expect(question(facts(everyLicense))).toBe(false);
  });
});

describe('scopes elsewhere', () => {
  it.each(SCOPES)('%s: reads reference, builds where it manages, reads the history of its lockers, and no more', (scope) => {
    const held = facts({ ...everyLicense, scopes: [scope], lockers: { mine: [scope] } });
    expect(may.mayReadReference(held)).toBe(true);
    expect(may.mayBuild(['mine'], held)).toBe(scope === 'manage');
    expect(may.mayBuild(['mine', 'other'], held)).toBe(false);
    expect(may.mayBuild([], held)).toBe(false);
    expect(may.mayBuildAnywhere(held)).toBe(false);
    expect(may.mayWriteAssets(held) || may.mayReadPayments(held) || may.mayMovePayments(held)).toBe(false);
    expect(may.mayHaveKeys(held) || may.ADMIN_NOUNS.some((noun) => may.mayAdminister(noun, held))).toBe(false);
    expect(may.historyReach(held)).toEqual({ all: false, types: [], lockerIds: ['mine'] });
    expect(may.mayReadEvent({ lockerId: 'mine', occupationType: null }, held)).toBe(true);
    expect(may.mayReadEvent({ lockerId: 'other', occupationType: 'delivery' }, held)).toBe(false);
    expect(may.mayReadEvent({ lockerId: null, occupationType: null }, held)).toBe(false);
    expect(['mine', 'other', null].map((id) => may.maySeeLoan(id, held))).toEqual([true, false, false]);
    expect([['other', 'mine'], ['other'], []].map((ids) => may.maySeeSite(ids, held))).toEqual([true, false, false]);
    const ofCabinet = (cabinetLockers: string[]) => may.mayReadEvent({ lockerId: null, occupationType: null, cabinetLockers }, held);
    expect([ofCabinet(['other', 'mine']), ofCabinet(['other']), ofCabinet([])]).toEqual([true, false, false]);
  });

  it.each(OCCUPATION_TYPES)('history of %s: its service role alone', (type) => {
    const held = facts({ roles: ['delivery_manager'] });
    expect(may.mayReadEvent({ lockerId: 'l1', occupationType: type }, held)).toBe(type === 'delivery');
  });
});

describe('opening a door', () => {
  const counter = facts({ licenses: ['delivery'], roles: ['delivery_manager'] });
  const open: readonly number[] = [STAGES.RESERVED, STAGES.INITIATED, STAGES.CLAIMING, STAGES.VACANT];
  it.each(Object.values(STAGES))('in stage %s, named, by who may act on it', (stage) => {
    const named = { type: 'delivery', lockerId: 'l1', stage } as const;
    expect(may.mayOpenDoor('l1', named, counter)).toBe(open.includes(stage));
    expect(may.mayOpenDoor('l1', { ...named, type: 'lending' }, counter)).toBe(false);
  });
  it.each(['consumable', 'sale', 'delivery'] as const)('to refill %s', (type) => {
    const held = facts({ ...everyLicense, roles: [`${type}_manager`] });
    for (const stage of [STAGES.FILLED, STAGES.ACQUIRABLE]) {
      expect(may.mayOpenDoor('l1', { type, lockerId: 'l1', stage }, held)).toBe(type !== 'delivery');
    }
  });
  it('without naming one, or naming one of another locker: lock control alone', () => {
    expect(may.mayOpenDoor('l1', null, counter)).toBe(false);
    expect(may.mayOpenDoor('l1', { type: 'delivery', lockerId: 'l2', stage: STAGES.RESERVED }, counter)).toBe(false);
    expect(may.mayOpenDoor('l1', null, facts({ roles: ['all'] }))).toBe(true);
    const scoped = facts({ scopes: ['manage'], lockers: { l1: ['manage'] } });
    expect([may.mayOpenDoor('l1', null, scoped), may.mayOpenDoor('l2', null, scoped)]).toEqual([true, false]);
  });
});

describe('posting orders', () => {
  const held = (more: Partial<Facts>) => facts({ licenses: ['delivery'], ...more });
  it('is for whoever delivers at every locker', () => {
    for (const role of ['admin', 'all', 'delivery_manager'] as const) expect(may.mayPostOrders(held({ roles: [role] }))).toBe(true);
    for (const scope of ['manage', 'delivery'] as const) {
      expect(may.mayPostOrders(held({ scopes: [scope], lockers: 'all' }))).toBe(true);
      expect(may.mayPostOrders(held({ scopes: [scope], lockers: { a: [scope] } }))).toBe(false);
    }
    expect(may.mayPostOrders(held({ scopes: ['sale'], lockers: 'all' }))).toBe(false);
    expect(may.mayPostOrders(held({ roles: ['admin'], licenses: ['lending'] }))).toBe(false);
    expect(may.mayPostOrders(held({ grants: ['read'], lockers: 'all' }))).toBe(false);
  });
});

describe('menu', () => {
  // shows R1.20, R1.21, R6.12
  it.each(LICENSES)('licence %s', (license) => {
    const shown = ['delivery', 'sale', 'lending', 'storage', 'consumable', 'recall'].includes(license);
    expect(menu(facts({ licenses: [license] }))).toMatchObject({ manage: shown, history: shown, admin: false, services: [] });
  });
  // shows R1.22
  it.each(ROLES)('admin link for role %s', (role) => {
    expect(menu(facts({ roles: [role] })).admin).toBe(role === 'admin');
  });
  // shows R6.11
  it('keys: integrator and admin', () => {
    expect(menu(facts({ roles: ['admin'], licenses: ['integrator'] })).keys).toBe(true);
    expect(menu(facts({ roles: ['admin'], licenses: ['sales'] })).keys).toBe(false);
    expect(menu(facts({ roles: ['all'], licenses: ['integrator'] })).keys).toBe(false);
  });
});

describe('API keys', () => {
  const maker = facts({ ...everyLicense, roles: ['admin'], lockers: 'all' });
  it('hold their scopes on every locker, and no role', () => {
    const key = may.keyFacts(maker, ['delivery', 'read', 'admin:policies']);
    expect(may.mayUseOnLocker('delivery', 'any', key)).toBe(true);
    expect(may.mayUseOnLocker('lending', 'any', key)).toBe(false);
    expect(may.mayUseOnLocker('lock-control', 'any', key)).toBe(false);
    expect(may.mayAdminister('policies', key)).toBe(true);
    expect(may.mayAdminister('permissions', key)).toBe(false);
    expect([may.mayReadPayments(key), may.mayMovePayments(key), may.historyReach(key).all]).toEqual([true, false, true]);
  });
  it('that build see every locker, whose calls are theirs', () => {
    const key = may.keyFacts(maker, ['admin:lockers']);
    expect([may.mayBuildAnywhere(key), may.seesAllLockers(key), may.maySeeLocker('any', key)]).toEqual([true, true, true]);
    expect([may.mayEnter(key), may.historyReach(key).all, may.mayUseOnLocker('lock-control', 'any', key)]).toEqual([false, false, false]);
    expect(may.seesAllLockers(may.keyFacts(maker, ['admin:assets']))).toBe(false);
  });
  it('hold nothing once their maker may have none, and never make keys', () => {
    expect(may.keyFacts({ ...maker, roles: ['all'] }, ['delivery'])).toEqual(may.NOBODY);
    expect(may.keyFacts({ ...maker, licenses: ['delivery'] }, ['delivery'])).toEqual(may.NOBODY);
    expect(may.mayHaveKeys(may.keyFacts(maker, ['read', 'admin:keys']))).toBe(false);
  });
});
