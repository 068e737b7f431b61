import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import type { Deps } from '../deps.ts';
import { accessClaims, mintFor } from './claims.ts';
import { loadKeys } from './keys.ts';
import { AUDIENCE, BASE, LIFE, PORTAL_CLIENT } from './options.ts';
import { textSeal } from './seal.ts';
import { createSessions, sessionCompany } from './sessions.ts';
import { inIdentity } from './tables.ts';

type Parts = Pick<Deps, 'db' | 'config' | 'now' | 'log'>;

const signing = new WeakMap<Parts, ReturnType<typeof signingKey>>();
const signingKey = async ({ db, config, now }: Parts) => {
  const [jwk] = (await loadKeys(inIdentity(db), textSeal(config.secretKey), now())).signing;
  if (!jwk) throw new Error('the provider has no key to sign with');
  return { kid: jwk.kid ?? '', key: await importJWK(jwk, 'RS256') };
};

/**
 * Signs somebody in without the provider's pages, which take some 55 ms of the processor and have tests of their own. Answers a function
 * that makes an access token of that session, by the provider's own key and claims; null once the session or the right is gone.
 */
export const testSession = async (parts: Parts, accountId: string, tenantId: string): Promise<() => Promise<string | null>> => {
  const { db, config, now, log } = parts;
  const run = inIdentity(db);
  const key = signing.get(parts) ?? signingKey(parts);
  signing.set(parts, key);
  const { kid, key: privateKey } = await key;
  const sessionUid = randomUUID();
  await createSessions(run, now, () => Promise.resolve(), log).started(sessionUid, accountId, tenantId, false);
  return async () => {
    const isOpen = (await run((tx) => sessionCompany(tx, sessionUid))) !== undefined;
    const mint = isOpen ? await mintFor(run, accountId, sessionUid, now()) : null;
    if (mint === null) return null;
    // tokens go by the time of day, also where a test moved the server's clock
    const iat = Math.floor(Date.now() / 1000);
    return new SignJWT({ ...accessClaims(mint, PORTAL_CLIENT, sessionUid), scope: 'api', client_id: PORTAL_CLIENT })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .setIssuer(config.publicUrl + BASE)
      .setAudience(AUDIENCE)
      .setSubject(accountId)
      .setJti(randomUUID())
      .setIssuedAt(iat)
      .setExpirationTime(iat + LIFE.accessToken)
      .sign(privateKey);
  };
};
