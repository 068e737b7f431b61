import type { Query, QueryClient } from '@tanstack/react-query';
import { askAnew, sourcesOf } from './cache.ts';

/**
 * A list is fetched and subscribed to at the same time, so a change may fall in between: too late for the answer, too early to be told.
 * Answers a function that is called when a subscription has been accepted, and fetches anew, once, what was asked for before that: save
 * where the server says that nothing changed since. Spans of time alone are compared, each by its own clock.
 */
export const freshener = (queryClient: QueryClient): ((kind: string, quiet: number) => void) => {
  /** When each was last asked for, by this page's clock. */
  const askedAt = new WeakMap<Query, number>();
  const anew = askAnew(queryClient);
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'fetch') return;
    // a further page leaves those before it as they were asked for
    if (event.action.meta?.fetchMore === undefined) askedAt.set(event.query, performance.now());
  });
  return (kind, quiet) => {
    const since = performance.now() - quiet;
    for (const query of queryClient.getQueryCache().getAll()) {
      const noun = query.queryKey[0];
      if (typeof noun !== 'string' || !sourcesOf(noun).includes(kind)) continue;
      if ((askedAt.get(query) ?? 0) > since) continue;
      anew(query);
    }
  };
};
