import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { createVerifier, type Verifier, type VerifierOptions } from './verify.ts';

let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let options: VerifierOptions;
let clock = new Date('2026-03-01T12:00:00Z');
beforeAll(async () => {
  pair = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256' };
  options = { issuer: 'https://id.test/realms/pml', audience: 'hatchway-api', jwks: createLocalJWKSet({ keys: [jwk] }), now: () => clock };
});

const PORTAL = { typ: 'Bearer', azp: 'pml-internal-portal' };
const seconds = () => Math.floor(clock.getTime() / 1000);
const sign = ({ exp = seconds() + 300, ...claims }: JWTPayload = {}, key = pair.privateKey) => token({ exp, ...claims }, key);
const token = (claims: JWTPayload, key = pair.privateKey) =>
  new SignJWT({ iss: options.issuer, aud: options.audience, sub: 'ann', sid: 's1', iat: seconds(), ...PORTAL, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(key);

it('takes what a Keycloak makes: several audiences, no company, claims we do not know', async () => {
  const made = await sign({ aud: ['account', 'hatchway-api'], scope: 'openid', session_state: 'x' });
  expect(await createVerifier(options).verify(made)).toMatchObject({
    sub: 'ann',
    licenses: [],
    permissions: {},
    realm_access: { roles: [] },
  });
});

it('refuses another issuer, audience, key, algorithm, a missing subject, an ill-formed tenant, and a token of yesterday', async () => {
  const verifier = createVerifier(options);
  const stranger = await generateKeyPair('RS256');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await sign()).split('.')[1]}.`;
  const bad: Record<string, string> = {
    issuer: await sign({ iss: 'https://evil.test/realms/pml' }),
    audience: await sign({ aud: 'account' }),
    key: await sign({}, stranger.privateKey),
    unsigned,
    subject: await sign({ sub: '' }),
    tenant: await sign({ tenant: { tenant_id: 7 } }),
    expired: await sign({ iat: seconds() - 400, exp: seconds() - 100 }),
    endless: await token({}),
    'an ID token': await sign({ typ: 'ID' }),
    'no kind at all': await sign({ typ: undefined }),
    'another client': await sign({ azp: 'account-console' }),
    'no token': 'hw_key',
  };
  for (const [name, given] of Object.entries(bad)) {
    const outcome = await verifier.verify(given).then(
      () => 'taken',
      () => 'refused',
    );
    expect([name, outcome]).toEqual([name, 'refused']);
  }
});

it('forgets a remembered token when it expires, and refuses it once it is revoked', async () => {
  const before = clock;
  const verifier: Verifier = createVerifier(options);
  const tenant = { tenant_id: 't1' };
  const old = await sign({ tenant });
  const elsewhere = await sign({ tenant: { tenant_id: 't2' }, sid: 's2' });
  await verifier.verify(old);
  clock = new Date(before.getTime() + 10_000);
  verifier.revoke({ kind: 'membership', accountId: 'ann', tenantId: 't1' });
  await expect(verifier.verify(old)).rejects.toThrow('revoked');
  await expect(verifier.verify(elsewhere)).resolves.toBeTruthy();
  verifier.revoke({ kind: 'session', sessionUid: 's2', accountId: 'ann' });
  await expect(verifier.verify(elsewhere)).rejects.toThrow('revoked');
  clock = new Date(before.getTime() + 12_000);
  const later = await sign({ tenant });
  // Told late, what ended before ends nothing newer; a token of the same second may be the old one.
  verifier.revoke({ kind: 'account', accountId: 'ann' }, clock.getTime() - 1);
  await expect(verifier.verify(later)).resolves.toBeTruthy();
  const sameSecond = createVerifier(options);
  sameSecond.revoke({ kind: 'account', accountId: 'ann' }, clock.getTime());
  await expect(sameSecond.verify(later)).rejects.toThrow('revoked');
  clock = new Date(before.getTime() + 400_000);
  await expect(verifier.verify(later)).rejects.toThrow('expired');
});

it('takes our account from the claim that holds it where the subject is the provider’s own, and refuses whoever has none', async () => {
  const verifier = createVerifier({ ...options, accountIn: 'account_id' });
  const account_id = '0190b5a0-0000-7000-8000-000000000001';
  expect(await verifier.verify(await sign({ account_id }))).toMatchObject({ sub: account_id });
  await expect(verifier.verify(await sign())).rejects.toThrow('nobody whom we know');
  await expect(verifier.verify(await sign({ account_id: 'ann' }))).rejects.toThrow(Error);
});
