import { LIVE_EVENTS } from '@hatchway/contract/live.ts';
import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { type Change, sourcesOf } from './cache.ts';
import { type LiveClient, type LiveState, createLiveClient } from './live-client.ts';
import { freshener } from './freshen.ts';
import type { Live } from './portal.ts';
import type { Session } from './session.ts';

const KINDS: ReadonlySet<string> = new Set(LIVE_EVENTS);
/** A screen change must not end and begin the same subscription. */
const LINGER = 5_000;
/** What is heard within this many milliseconds is shown at once: a busy hall must not draw the screen anew for each door. */
const GATHER = 60;

/**
 * Ties the socket to what is shown: a noun is subscribed to while a screen observes one of its queries, and given back a
 * little after. Screens therefore never subscribe by hand, and cannot forget to.
 */
export const startLive = (url: string, session: Session, queryClient: QueryClient, applyChange: (change: Change) => void): Live => {
  const listeners = new Set<() => void>();
  const hearers = new Set<(change: Change) => void>();
  let state: LiveState = 'connecting';
  let heard: Change[] = [];
  let flushing: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    flushing = null;
    const changes = heard;
    heard = [];
    notifyManager.batch(() => changes.forEach(applyChange));
    for (const change of changes) for (const hearer of hearers) hearer(change);
  };
  const client = createLiveClient({
    url,
    token: session.token,
    onEvent: (event) => {
      heard.push({ noun: event.subscription.split('/')[0] ?? event.subscription, method: event.method, data: event.data });
      flushing ??= setTimeout(flush, GATHER);
    },
    onState: (next) => {
      state = next;
      for (const listener of listeners) listener();
    },
    onSubscribed: freshener(queryClient),
    onReconnect: () => void queryClient.invalidateQueries(),
    // While the provider is away a loaded page would be none: this one stays, with what the server still grants, until it is back.
    onReload: () => void session.reachable(() => void queryClient.invalidateQueries()).then(() => location.reload()),
    // The answers say it, and lead away (failures.ts).
    onGone: () => void queryClient.invalidateQueries(),
  });
  session.onToken((token) => {
    // A refused or lost renewal needs no word: the server closes the socket when the old token runs out, and we connect anew.
    if (token) client.renew(token).catch(() => undefined);
  });
  followQueries(client, queryClient);
  return {
    subscribe: client.subscribe,
    wake: client.wake,
    state: () => state,
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onChange: (hearer) => {
      hearers.add(hearer);
      return () => hearers.delete(hearer);
    },
  };
};

const followQueries = (client: Pick<LiveClient, 'subscribe'>, queryClient: QueryClient): void => {
  /** What each source is watched by: a long list scrolls thousands of queries by, so they are counted as they come and go. */
  const watchers = new Map<string, number>();
  const held = new Map<string, { release: () => void; going: ReturnType<typeof setTimeout> | null }>();
  const wake = (kind: string): void => {
    const entry = held.get(kind);
    if (!entry) held.set(kind, { release: client.subscribe(kind), going: null });
    else if (entry.going) {
      clearTimeout(entry.going);
      entry.going = null;
    }
  };
  const rest = (kind: string): void => {
    const entry = held.get(kind);
    if (!entry || entry.going) return;
    entry.going = setTimeout(() => {
      entry.release();
      held.delete(kind);
    }, LINGER);
  };
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'observerAdded' && event.type !== 'observerRemoved') return;
    const noun: unknown = event.query.queryKey[0];
    if (typeof noun !== 'string') return;
    const step = event.type === 'observerAdded' ? 1 : -1;
    for (const kind of sourcesOf(noun)) {
      if (!KINDS.has(kind)) continue;
      const count = (watchers.get(kind) ?? 0) + step;
      watchers.set(kind, count);
      if (count === 1 && step === 1) wake(kind);
      else if (count === 0) rest(kind);
    }
  });
};
