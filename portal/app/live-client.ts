import { CLOSE_GONE, CLOSE_RELOAD, RECONNECT_MS, REQUEST_TIMEOUT_MS } from '@hatchway/contract/live.ts';

/**
 * The live socket, as the specification has it: the access token goes as subprotocol, a request without a reply within
 * 10 s is rejected with TIMEOUT, a closed socket is opened again after 2 s, and close code 4000 reloads the page.
 * It knows nothing of React or of queries; those listen to it.
 */

export type LiveEvent = { subscription: string; method: 'POST' | 'PUT' | 'DELETE'; data: unknown };
export type LiveState = 'connecting' | 'open' | 'closed';

type LiveOptions = {
  url: string;
  /** Asked at every connect: the newest token, or null where nobody is signed in (then it tries again later). */
  token: () => string | null;
  onEvent: (event: LiveEvent) => void;
  onState?: (state: LiveState) => void;
  /** The server tells of this event from now on, for the first time on this page or anew: what was fetched before may have missed a change. */
  onSubscribed?: (event: string) => void;
  /** The socket is open again after a cut: what is shown may be old and is to be fetched again. */
  onReconnect?: () => void;
  onReload: () => void;
  /** The company was deleted: whatever is asked from now on is answered so. */
  onGone?: () => void;
  /** Lets tests shorten the waits. */
  timeout?: number;
  delay?: number;
  Socket?: typeof WebSocket;
};

export type LiveClient = {
  /** Counts its users: the server is told at the first and at the last. The returned function gives the subscription back. */
  subscribe: (event: string) => () => void;
  /** Hands a renewed token to the open socket, so that it needn't be closed when the old one runs out. */
  renew: (token: string) => Promise<void>;
  state: () => LiveState;
  close: () => void;
};

type Waiting = { resolve: () => void; reject: (error: Error) => void; timer: ReturnType<typeof setTimeout> };
type Answer = { topic: 'response'; id: string; error?: string } | ({ topic: 'event' } & LiveEvent);

export const createLiveClient = (options: LiveOptions): LiveClient => {
  const Socket = options.Socket ?? WebSocket;
  const waiting = new Map<string, Waiting>();
  const users = new Map<string, number>();
  let socket: WebSocket | null = null;
  let state: LiveState = 'closed';
  let again: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;
  let wasOpen = false;
  let count = 0;

  const say = (next: LiveState): void => {
    if (state === next) return;
    state = next;
    options.onState?.(next);
  };

  const request = (message: Record<string, unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!socket || socket.readyState !== Socket.OPEN) return reject(new Error('CLOSED'));
      const id = `r${++count}`;
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new Error('TIMEOUT'));
      }, options.timeout ?? REQUEST_TIMEOUT_MS);
      waiting.set(id, { resolve, reject, timer });
      socket.send(JSON.stringify({ ...message, id }));
    });

  const settle = (id: string, error: string | undefined): void => {
    const entry = waiting.get(id);
    if (!entry) return;
    waiting.delete(id);
    clearTimeout(entry.timer);
    if (error) entry.reject(new Error(error));
    else entry.resolve();
  };

  const receive = (text: string): void => {
    let message: Answer;
    try {
      message = JSON.parse(text) as Answer;
    } catch {
      return;
    }
    if (message.topic === 'response') settle(message.id, message.error);
    else if (message.topic === 'event') options.onEvent({ subscription: message.subscription, method: message.method, data: message.data });
  };

  /** A refused or unanswered subscription must not end the page: it is said on the console and asked again at the next connect. */
  const tell = (topic: 'subscribe' | 'unsubscribe', event: string): Promise<boolean> =>
    request({ topic, event }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && error.message !== 'CLOSED') console.warn(`live: ${topic} ${event}: ${error.message}`);
        return false;
      },
    );
  const follow = async (event: string): Promise<void> => {
    if (await tell('subscribe', event)) options.onSubscribed?.(event);
  };

  const connect = (): void => {
    again = null;
    if (stopped) return;
    const token = options.token();
    if (!token) {
      say('closed');
      again = setTimeout(connect, options.delay ?? RECONNECT_MS);
      return;
    }
    say('connecting');
    const current = new Socket(options.url, token);
    socket = current;
    current.addEventListener('open', () => {
      say('open');
      // After a cut all is fetched anew in any case.
      const heard = Promise.all([...users.keys()].map((event) => (wasOpen ? tell('subscribe', event) : follow(event))));
      // Only once the server tells of changes again: what is fetched before that could miss one in between.
      if (wasOpen) void heard.then(() => (socket === current ? options.onReconnect?.() : undefined));
      wasOpen = true;
    });
    current.addEventListener('message', (message) => {
      if (typeof message.data === 'string') receive(message.data);
    });
    current.addEventListener('close', (close) => {
      if (socket === current) socket = null;
      for (const id of waiting.keys()) settle(id, 'CLOSED');
      say('closed');
      if (stopped) return;
      if (close.code === CLOSE_RELOAD) return options.onReload();
      if (close.code === CLOSE_GONE) options.onGone?.();
      again = setTimeout(connect, options.delay ?? RECONNECT_MS);
    });
  };

  connect();
  return {
    subscribe: (event) => {
      const before = users.get(event) ?? 0;
      users.set(event, before + 1);
      if (before === 0 && state === 'open') void follow(event);
      let given = true;
      return () => {
        if (!given) return;
        given = false;
        const left = (users.get(event) ?? 1) - 1;
        if (left > 0) return void users.set(event, left);
        users.delete(event);
        if (state === 'open') void tell('unsubscribe', event);
      };
    },
    renew: (token) => request({ topic: 'token', token }),
    state: () => state,
    close: () => {
      stopped = true;
      if (again) clearTimeout(again);
      socket?.close();
    },
  };
};
