import type { Query, QueryClient } from '@tanstack/react-query';
import { sourcesOf } from './cache.ts';

/**
 * A list is fetched and subscribed to at the same time, so a change may fall in between: too late for the answer, too early to be told.
 * Answers a function that is called when a subscription has been accepted, and fetches anew, once, what was asked for before that: save
 * where the server says that nothing changed since. Spans of time alone are compared, each by its own clock.
 */
export const freshener = (queryClient: QueryClient): ((kind: string, quiet: number) => void) => {
  /** When each was last asked for, by this page's clock. */
  const askedAt = new WeakMap<Query, number>();
  /** Still on their way when the subscription came: what they bring may be older than it. */
  const underWay = new Set<Query>();
  const anew = (query: Query): void => void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'removed') underWay.delete(event.query);
    if (event.type === 'updated' && event.action.type === 'fetch') askedAt.set(event.query, performance.now());
    if (event.type !== 'updated' || !underWay.has(event.query)) return;
    const { action } = event;
    if (action.type === 'error') underWay.delete(event.query);
    if (action.type !== 'success' || action.manual) return;
    underWay.delete(event.query);
    anew(event.query);
  });
  return (kind, quiet) => {
    const since = performance.now() - quiet;
    for (const query of queryClient.getQueryCache().getAll()) {
      const noun = query.queryKey[0];
      if (typeof noun !== 'string' || !sourcesOf(noun).includes(kind)) continue;
      if ((askedAt.get(query) ?? 0) > since) continue;
      if (query.state.fetchStatus !== 'idle') underWay.add(query);
      else anew(query);
    }
  };
};
