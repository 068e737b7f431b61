import fs from 'node:fs';
import { describe, expect, it } from 'vitest';

type Mapper = { protocolMapper: string; config: Record<string, string> };
type Client = {
  clientId: string;
  publicClient: boolean;
  redirectUris?: string[];
  attributes?: Record<string, string>;
  protocolMappers?: Mapper[];
};
type Attribute = { name: string; permissions: { edit: string[] } };

const realm = JSON.parse(fs.readFileSync(new URL('../../deploy/keycloak/pml-realm.json', import.meta.url), 'utf8')) as {
  clients: Client[];
  accessTokenLifespan: number;
  components: Record<string, { config: Record<string, string[]> }[]>;
};
const portal = realm.clients.find(({ clientId }) => clientId === 'pml-internal-portal');

describe('the Keycloak realm', () => {
  it('makes the claims that our own provider makes', () => {
    const mappers = portal?.protocolMappers ?? [];
    const claims = mappers.map(({ config }) => config['claim.name']).filter(Boolean);
    expect(new Set(claims)).toEqual(
      new Set(['account_id', 'licenses', 'permissions', 'phone_number', 'tenant.roles', 'tenant.tenant_id', 'tenant.tenant_name']),
    );
    expect(mappers.some(({ config }) => config['included.custom.audience'] === 'hatchway-api')).toBe(true);
    expect(portal?.attributes?.['pkce.code.challenge.method']).toBe('S256');
    expect([portal?.publicClient, realm.accessTokenLifespan]).toEqual([true, 300]);
  });

  it('lets nobody write their own company', () => {
    const [component] = realm.components['org.keycloak.userprofile.UserProfileProvider'] ?? [];
    const profile = JSON.parse(component?.config['kc.user.profile.config']?.[0] ?? '{}') as {
      attributes: Attribute[];
      unmanagedAttributePolicy: string;
    };
    expect(profile.unmanagedAttributePolicy).toBe('ADMIN_EDIT');
    const guarded = (portal?.protocolMappers ?? []).flatMap(({ config }) => config['user.attribute'] ?? []);
    expect(guarded).toContain('account_id');
    for (const name of [...guarded, 'email', 'username'])
      expect([name, profile.attributes.find((one) => one.name === name)?.permissions.edit]).toEqual([name, ['admin']]);
  });
});
