import { describe, expect, test } from 'vitest';
import { entry, factsOf, visibleTo } from './access.ts';
import type { TokenData } from './session.ts';

const TENANT = '4b0d6c1e-2f0e-4a39-9a57-0a6f7c1d2e3f';
const token = (more: Partial<TokenData> = {}): TokenData => ({
  tenant: { tenant_id: TENANT, tenant_name: 'Nordlys', roles: ['delivery_manager'] },
  licenses: ['delivery'],
  ...more,
});
const entering = (path: string, data: TokenData | null) =>
  entry(path, () => {
    if (!data) throw new Error('No Token');
    return data;
  });

describe('every navigation asks for portal access', () => {
  // shows R5.2, R6.3
  test('a role of the tenant, or any locker permission, lets in', () => {
    expect(entering('/', token())).toBe('enter');
    expect(
      entering(
        '/manage',
        token({
          tenant: { tenant_id: TENANT, roles: [] },
          permissions: { 'urn:pml:resources:locker': ['urn:pml:resources:locker:scopes:delivery'] },
        }),
      ),
    ).toBe('enter');
  });
  // shows R5.1, R5.2, R2.3
  test('without either, without a company, or with a tenant id that is no v4 UUID: to the end-user site', () => {
    expect(entering('/', token({ tenant: { tenant_id: TENANT, roles: [] } }))).toBe('end-user-site');
    expect(entering('/history', token({ tenant: {} }))).toBe('end-user-site');
    expect(entering('/', token({ tenant: { tenant_id: '4b0d6c1e-2f0e-1a39-9a57-0a6f7c1d2e3f', roles: ['admin'] } }))).toBe('end-user-site');
    expect(entering('/', token({ tenant: { tenant_id: TENANT, roles: ['somebody'] } }))).toBe('end-user-site');
    expect(entering('/', null)).toBe('end-user-site');
  });
  test('/forbidden and /404 are for everybody, and nothing that only looks like them is', () => {
    for (const path of ['/forbidden', '/404', '/404/']) expect(entering(path, token({ tenant: {} }))).toBe('enter');
    for (const path of ['/forbidden/x', '/4040', '/manage/404', '//404'])
      expect(entering(path, token({ tenant: {} }))).toBe('end-user-site');
  });
});

describe('menus', () => {
  const seen = (data: TokenData) => {
    const { manage, history, admin } = visibleTo(factsOf(undefined, data));
    return { manage, history, admin };
  };
  // shows R1.20, R1.21, R1.22, R6.12
  test('Manage and History need a licence, Admin the role', () => {
    expect(seen(token())).toEqual({ manage: true, history: true, admin: false });
    expect(seen(token({ licenses: ['integrator'] }))).toEqual({ manage: false, history: false, admin: false });
    expect(seen(token({ tenant: { tenant_id: TENANT, roles: ['admin'] }, licenses: [] }))).toEqual({
      manage: false,
      history: false,
      admin: true,
    });
  });
  test('the server’s answer wins over the token', () => {
    const me = { roles: [], licenses: ['delivery'], scopes: [], lockers: {} } as unknown as Parameters<typeof factsOf>[0];
    expect(visibleTo(factsOf(me, token())).may('delivery')).toBe(false);
    expect(visibleTo(factsOf(undefined, token())).may('delivery')).toBe(true);
  });
});
