import { createClient } from '@hatchway/contract/client.ts';

/** Longer than the server waits for a controller (7 s). */
export const ANSWER_WITHIN = 12_000;

/** The API lies beside the site. Nothing that is asked may be kept by a cache, and no cookie has anything to say here. */
const OURS = {
  base: '/v1',
  patience: ANSWER_WITHIN,
  fetch: ((input, init) =>
    fetch(input, { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' })) satisfies typeof fetch,
};
export const api = createClient(OURS);

/** The same in the name of who signed in. */
export const signedApi = ({ token }: { token: () => Promise<string> }): typeof api => createClient({ ...OURS, token });
