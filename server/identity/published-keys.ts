import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/** No key is known, and the provider that publishes them does not answer: whether a token is good cannot be said now. */
export class ProviderAway extends Error {
  override name = 'ProviderAway';
}

/** Asked again after this, so that a key which was withdrawn is trusted no longer. */
const FRESH_MS = 10 * 60_000;
/** While the provider is away its last keys hold for so long, as its sessions would: nobody is put out because it is started anew. */
const KEPT_MS = 12 * 3_600_000;
/** A key nobody knows may be a new one or a made-up one: one question in so long, whoever asks. */
const COOLDOWN_MS = 10_000;
const AGAIN_MS = 1_000;
const ANSWER_MS = 5_000;
const MOST_CHARACTERS = 200_000;

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

const fetchKeys = async (address: string): Promise<JSONWebKeySet> => {
  const answer = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await answer.text();
  if (!answer.ok || text.length > MOST_CHARACTERS) throw new Error(`${answer.status}`);
  const { keys } = keySet.parse(JSON.parse(text));
  // What encrypts signs nothing.
  return { keys: keys.filter(({ use }) => use === undefined || use === 'sig') };
};

/** The keys that a provider publishes at that address, and nowhere else: kept, asked for anew when one is unknown or they are old. */
export const publishedKeys = (address: string, now: () => Date): JWTVerifyGetKey => {
  let known: { find: ReturnType<typeof createLocalJWKSet>; at: number } | null = null;
  let asking: Promise<void> | null = null;
  let tried = { at: Number.NEGATIVE_INFINITY, done: true };

  const ask = (): Promise<void> => {
    asking ??= (async () => {
      tried = { at: now().getTime(), done: false };
      try {
        known = { find: createLocalJWKSet(await fetchKeys(address)), at: now().getTime() };
        tried.done = true;
      } catch {
        // What is known holds on; without it, whoever asks is told.
      } finally {
        asking = null;
      }
    })();
    return asking;
  };
  const mayAsk = (): boolean => now().getTime() - tried.at >= (tried.done ? COOLDOWN_MS : AGAIN_MS);
  const age = (): number => (known === null ? Number.POSITIVE_INFINITY : now().getTime() - known.at);

  return async (header, token) => {
    if (asking !== null && age() > FRESH_MS) await asking;
    else if (age() > FRESH_MS && mayAsk()) await ask();
    if (known === null || age() > KEPT_MS) throw new ProviderAway('the keys of the identity provider are not known');
    try {
      return await known.find(header, token);
    } catch (error) {
      if (asking === null && !mayAsk()) throw error;
      await ask();
      return known.find(header, token);
    }
  };
};
