import crypto from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, type JWTVerifyGetKey } from 'jose';
import { readFileSync } from 'node:fs';

type User = {
  id: string;
  username: string;
  email?: string;
  emailVerified: boolean;
  enabled: boolean;
  firstName: string;
  lastName: string;
  attributes: Record<string, string[]>;
  password?: string;
};
type Told = { method: string; path: string };

const SECRET = 'the secret of hatchway-server';
const ADMIN = '/admin/realms/pml/users';
const realm = JSON.parse(readFileSync(new URL('../../../deploy/keycloak/pml-realm.json', import.meta.url), 'utf8')) as {
  components: Record<string, { config: Record<string, string[]> }[]>;
};
const profile = realm.components['org.keycloak.userprofile.UserProfileProvider']?.[0]?.config['kc.user.profile.config']?.[0] ?? '{}';

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
};

/**
 * Keycloak's side of the wire, as `npm run e2e -- keycloak` saw the real one speak it: the admin API's users, tokens made by the realm's mappers,
 * keys, and the back channel. What it is told lies open; it can be away, and it can refuse.
 */
export async function testKeycloak() {
  const users = new Map<string, User>();
  const told: Told[] = [];
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'kc-1', alg: 'RS256', use: 'sig' };
  const state = {
    away: false,
    /** Of the client `hatchway-server`, as its administrators set it. */
    secret: SECRET,
    refuse: null as { status: number; error: string } | null,
    profile,
    passwordLength: 10,
    backChannel: '',
    sessions: new Map<string, string>(),
  };
  let issuer = '';

  const sign = (claims: Record<string, unknown>, audience: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'kc-1', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .setExpirationTime('5m')
      .sign(privateKey);

  const byAccount = (accountId: string): User => {
    const user = [...users.values()].find(({ attributes }) => attributes['account_id']?.[0] === accountId);
    if (!user) throw new Error(`Keycloak knows nobody of the account ${accountId}`);
    return user;
  };

  /** As the realm's mappers make it: a claim without a value is left out. */
  const tokenOf = (user: User, sid: string): Promise<string> => {
    if (!user.enabled) throw new Error(`${user.username} is disabled`);
    const one = (name: string) => user.attributes[name]?.[0];
    const tenant = { tenant_id: one('tenant_id'), tenant_name: one('tenant_name'), roles: user.attributes['tenant_roles'] };
    const permissions = one('permissions');
    state.sessions.set(sid, user.id);
    return sign(
      {
        sub: user.id,
        typ: 'Bearer',
        azp: 'pml-internal-portal',
        sid,
        name: `${user.firstName} ${user.lastName}`.trim(),
        email: user.email,
        account_id: one('account_id'),
        phone_number: one('tlf'),
        ...(tenant.tenant_id ? { tenant } : {}),
        licenses: user.attributes['licenses'],
        ...(permissions ? { permissions: JSON.parse(permissions) as object } : {}),
      },
      'hatchway-api',
    );
  };

  const logOut = async (user: User) => {
    for (const [sid, owner] of state.sessions) {
      if (owner !== user.id) continue;
      state.sessions.delete(sid);
      await backChannel({ sub: user.id, sid });
    }
  };
  const backChannel = async (claims: Record<string, unknown>, more: { audience?: string; events?: object } = {}): Promise<number> => {
    const events = more.events ?? { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const logout_token = await sign({ typ: 'Logout', events, ...claims }, more.audience ?? 'pml-internal-portal');
    const answer = await fetch(`${state.backChannel}/hooks/identity/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token }),
    });
    return answer.status;
  };

  const withoutPassword = ({ password: _password, ...user }: User) => user;
  const store = (id: string, given: User): User => {
    const attributes = Object.fromEntries(Object.entries(given.attributes).filter(([, values]) => values.length > 0));
    const { email, ...user } = given;
    const password = users.get(id)?.password;
    const kept: User = { ...user, id, attributes, ...(email ? { email } : {}), ...(password ? { password } : {}) };
    users.set(id, kept);
    return kept;
  };

  const admin = async (request: IncomingMessage, url: URL): Promise<[status: number, body?: unknown, location?: string]> => {
    if (request.headers.authorization !== 'Bearer of-the-service-account') return [401, { error: 'HTTP 401 Unauthorized' }];
    const { method = 'GET' } = request;
    const rest = url.pathname.slice(ADMIN.length);
    const text = await bodyOf(request);
    if (method !== 'GET') {
      told.push({ method, path: rest });
      if (state.refuse) return [state.refuse.status, { errorMessage: state.refuse.error }];
    }
    if (rest === '/profile') return [200, JSON.parse(state.profile)];
    if (rest === '' && method === 'GET') {
      const { q, email, username } = Object.fromEntries(url.searchParams);
      const [name = '', value = ''] = (q ?? '').split(':');
      const found = [...users.values()].filter(
        (user) =>
          (q === undefined || user.attributes[name]?.includes(value)) &&
          (email === undefined || user.email === email) &&
          (username === undefined || user.username === username),
      );
      return [200, found.map(withoutPassword)];
    }
    if (rest === '') {
      const given = JSON.parse(text) as User;
      if ([...users.values()].some((user) => user.username === given.username || (given.email && user.email === given.email)))
        return [409, { errorMessage: 'User exists with same username or email' }];
      const { id } = store(crypto.randomUUID(), given);
      return [201, undefined, `${issuer}/users/${id}`];
    }
    const [, id = '', what] = rest.split('/');
    const user = users.get(id);
    if (!user) return [404, { error: 'User not found' }];
    if (what === undefined) return method === 'GET' ? [200, withoutPassword(user)] : (store(id, JSON.parse(text) as User), [204]);
    if (what === 'logout') return (await logOut(user), [204]);
    if (what === 'credentials') return [200, user.password ? [{ id: 'p', type: 'password' }] : []];
    if (what === 'reset-password') {
      const { value } = JSON.parse(text) as { value: string };
      if (value.length < state.passwordLength)
        return [400, { error: 'invalidPasswordMinLengthMessage', error_description: 'Invalid password: minimum length 10.' }];
      user.password = value;
      return [204];
    }
    return [404];
  };

  const codes = new Map<string, { accountId: string; challenge: string }>();
  const tokens = async (form: URLSearchParams): Promise<[number, unknown]> => {
    if (form.get('grant_type') === 'client_credentials')
      return form.get('client_secret') === state.secret
        ? [200, { access_token: 'of-the-service-account', expires_in: 300 }]
        : [401, { error: 'unauthorized_client' }];
    const known = codes.get(form.get('code') ?? '');
    const challenge = crypto
      .createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!known || known.challenge !== challenge) return [400, { error: 'invalid_grant' }];
    return [200, { access_token: await tokenOf(byAccount(known.accountId), crypto.randomUUID()) }];
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const answer = (status: number, body?: unknown, location?: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) })
        .end(body === undefined ? '' : JSON.stringify(body));
    const serve = async () => {
      if (state.away) return void request.socket.destroy();
      if (url.pathname.endsWith('/certs')) answer(200, { keys: [jwk] });
      else if (url.pathname.endsWith('/token')) answer(...(await tokens(new URLSearchParams(await bodyOf(request)))));
      else answer(...(await admin(request, url)));
    };
    serve().catch((error: unknown) => answer(500, { error: String(error) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  issuer = `${url}/realms/pml`;
  const keys: JWTVerifyGetKey = createLocalJWKSet({ keys: [jwk] });

  return {
    config: { url, secret: SECRET },
    issuer,
    keys,
    users,
    told,
    state,
    sign,
    backChannel,
    byAccount,
    tokenOf: (accountId: string, sid: string) => tokenOf(byAccount(accountId), sid),
    /** As its sign-in page does for whoever typed the right password: the address that the browser is sent back to. */
    signIn: (address: string, accountId: string): string => {
      const asked = new URL(address);
      const code = crypto.randomUUID();
      codes.set(code, { accountId, challenge: asked.searchParams.get('code_challenge') ?? '' });
      const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: asked.searchParams.get('state') ?? '' }).toString();
      return back.href;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type TestKeycloak = Awaited<ReturnType<typeof testKeycloak>>;
