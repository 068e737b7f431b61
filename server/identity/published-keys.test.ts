import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ProviderAway } from './published-keys.ts';
import { createVerifier } from './verify.ts';

/** A provider's address for its keys, and nothing else of it. */
let published: { keys: unknown[] } | null = { keys: [] };
let asked = 0;
let server: Server;
let issuer = '';
let clock = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => (clock = new Date(clock.getTime() + ms));
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked += 1;
    if (published === null) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(published));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  issuer = `http://127.0.0.1:${port}/realms/pml`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked = 0;
  published = { keys: [] };
});

const newKey = async (kid: string) => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  const sign = (alg = 'RS256', key: Parameters<SignJWT['sign']>[0] = privateKey) => {
    const now = Math.floor(clock.getTime() / 1000);
    const claims = { iss: issuer, aud: 'hatchway-api', sub: 'ann', iat: now, exp: now + 300, typ: 'Bearer', azp: 'pml-internal-portal' };
    return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  };
  return { jwk, sign };
};
const verifier = () => createVerifier({ issuer, audience: 'hatchway-api', now: () => clock });

it('asks once for many tokens, and finds a key that the provider began to use since', async () => {
  const [first, second] = [await newKey('one'), await newKey('two')];
  published = { keys: [first.jwk] };
  const known = verifier();
  await Promise.all([known.verify(await first.sign()), known.verify(await first.sign())]);
  expect(asked).toBe(1);
  published = { keys: [second.jwk, first.jwk] };
  later(20_000);
  await expect(known.verify(await second.sign())).resolves.toBeTruthy();
  expect(asked).toBe(2);
});

it('asks no more often for keys that nobody publishes, however many tokens name them', async () => {
  const [real, made] = [await newKey('one'), await newKey('made-up')];
  published = { keys: [real.jwk] };
  const known = verifier();
  await known.verify(await real.sign());
  for (let tries = 0; tries < 5; tries++) await expect(known.verify(await made.sign())).rejects.toThrow(Error);
  expect(asked).toBe(1);
});

it('trusts a key no longer once it is withdrawn, and keeps what it knows while the provider is away', async () => {
  const [first, second] = [await newKey('one'), await newKey('two')];
  published = { keys: [first.jwk] };
  const known = verifier();
  await known.verify(await first.sign());
  published = null;
  later(3_600_000);
  await expect(known.verify(await first.sign())).resolves.toBeTruthy();
  published = { keys: [second.jwk] };
  later(20_000);
  await expect(known.verify(await first.sign())).rejects.toThrow(Error);
  // away for longer than any of its sessions lasts
  published = null;
  later(13 * 3_600_000);
  await expect(known.verify(await second.sign())).rejects.toThrow(ProviderAway);
});

it('says that the provider is away where it never knew a key, and takes tokens once it is back', async () => {
  const key = await newKey('one');
  const known = verifier();
  for (const broken of [null, { keys: [] }]) {
    published = broken;
    later(20_000);
    await expect(known.verify(await key.sign())).rejects.toThrow(ProviderAway);
  }
  published = { keys: [key.jwk] };
  later(20_000);
  await expect(known.verify(await key.sign())).resolves.toBeTruthy();
});

it('takes RS256 alone, whatever the token or the published key says', async () => {
  const key = await newKey('one');
  published = {
    keys: [key.jwk, { kty: 'oct', kid: 'one', alg: 'HS256', k: Buffer.from('secret of 32 characters or more..').toString('base64url') }],
  };
  const known = verifier();
  await expect(known.verify(await key.sign('HS256', new TextEncoder().encode('secret of 32 characters or more..')))).rejects.toThrow(Error);
  published = { keys: [{ ...key.jwk, use: 'enc' }] };
  later(20_000);
  await expect(verifier().verify(await key.sign())).rejects.toThrow(Error);
});
