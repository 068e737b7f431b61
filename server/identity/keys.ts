import crypto from 'node:crypto';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import type { TextSeal } from './seal.ts';
import type { InIdentity } from './tables.ts';

export type Keys = { signing: JWK[]; cookies: string[]; jwks: JWTVerifyGetKey };

const PUBLIC_PARTS = ['kty', 'n', 'e', 'kid', 'alg', 'use'] as const;

/** Makes the keys at the first start; later starts and other nodes find them. A key sealed with another SECRET_KEY stops the start: silently making a new one would sign everybody out and hide the mistake. */
export async function loadKeys(run: InIdentity, seal: TextSeal, now: Date): Promise<Keys> {
  const rows = await run(async (tx) => {
    const present = () => tx.selectFrom('identity_keys').selectAll().orderBy('created_at', 'desc').execute();
    const found = await present();
    if (found.some((row) => row.kind === 'signing') && found.some((row) => row.kind === 'cookie')) return found;
    const fresh = [
      {
        id: 'signing-1',
        kind: 'signing' as const,
        secret: seal.close(JSON.stringify(await newSigningKey())),
        created_at: now.toISOString(),
      },
      {
        id: 'cookie-1',
        kind: 'cookie' as const,
        secret: seal.close(crypto.randomBytes(32).toString('base64url')),
        created_at: now.toISOString(),
      },
    ];
    // Two nodes that start at once: one row wins, both read it.
    await tx
      .insertInto('identity_keys')
      .values(fresh)
      .onConflict((oc) => oc.column('id').doNothing())
      .execute();
    return present();
  });

  const opened = (kind: string) =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => {
        const plain = seal.open(row.secret);
        if (plain === null) throw new Error(`identity key ${row.id} cannot be opened: it was sealed with another SECRET_KEY`);
        return plain;
      });
  const signing = opened('signing').map((text) => JSON.parse(text) as JWK);
  return { signing, cookies: opened('cookie'), jwks: createLocalJWKSet(publicKeys(signing)) };
}

async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' };
}

const publicKeys = (keys: JWK[]): JSONWebKeySet => ({
  keys: keys.map((key) => Object.fromEntries(PUBLIC_PARTS.map((part) => [part, key[part]])) as JWK),
});
