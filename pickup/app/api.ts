import { createClient } from '@hatchway/contract/client.ts';

/** The API lies beside the site. Nothing that is asked may be kept by a cache, and no cookie has anything to say here. */
export const api = createClient({
  base: '/v1',
  fetch: (input, init) => fetch(input, { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' }),
});

/** The same in the name of who signed in. */
export const signedApi = ({ token }: { token: () => Promise<string> }): typeof api =>
  createClient({
    base: '/v1',
    token,
    fetch: (input, init) => fetch(input, { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' }),
  });
