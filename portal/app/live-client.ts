import {
  CLOSE_GONE,
  CLOSE_MANY,
  CLOSE_RELOAD,
  PING_AFTER_MS,
  RECONNECT_MANY_MS,
  RECONNECT_MS,
  REQUEST_TIMEOUT_MS,
} from '@hatchway/contract/live.ts';

/**
 * The live socket, as the specification has it: the access token goes as subprotocol, a request without a reply within
 * 10 s is rejected with TIMEOUT, a closed socket is opened again after 2 s, and close code 4000 reloads the page.
 * A line can die without being closed: where nothing is heard it asks, and one that does not answer is given up as if it were closed.
 * It knows nothing of React or of queries; those listen to it.
 */

/** Somebody looks: a line that is silent for so long is worth a new one. */
const SEEN_WAIT_MS = 3_000;

export type LiveEvent = { subscription: string; method: 'POST' | 'PUT' | 'DELETE'; data: unknown };
export type LiveState = 'connecting' | 'open' | 'closed';

type LiveOptions = {
  url: string;
  /** Asked at every connect: the newest token, or null where nobody is signed in (then it tries again later). */
  token: () => string | null;
  onEvent: (event: LiveEvent) => void;
  onState?: (state: LiveState) => void;
  /**
   * The server tells of this event from now on, for the first time on this page or anew: what was asked for before the last `quiet` ms may
   * have missed a change.
   */
  onSubscribed?: (event: string, quiet: number) => void;
  /** The socket is open again after a cut: what is shown may be old and is to be fetched again. */
  onReconnect?: () => void;
  onReload: () => void;
  /** The company was deleted: whatever is asked from now on is answered so. */
  onGone?: () => void;
  /** Lets tests shorten the waits. */
  timeout?: number;
  delay?: number;
  pingAfter?: number;
  Socket?: typeof WebSocket;
};

export type LiveClient = {
  /** Counts its users: the server is told at the first and at the last. The returned function gives the subscription back. */
  subscribe: (event: string) => () => void;
  /** Hands a renewed token to the open socket, so that it needn't be closed when the old one runs out. */
  renew: (token: string) => Promise<void>;
  state: () => LiveState;
  /** The page is seen again, or the line is back: whether the socket still lives is asked now, and a next try is made now. */
  wake: () => void;
  close: () => void;
};

type Waiting = { resolve: (quiet: number) => void; reject: (error: Error) => void; timer: ReturnType<typeof setTimeout> };
type Answer = { topic: 'response'; id: string; error?: string; quiet?: number } | ({ topic: 'event' } & LiveEvent);

export const createLiveClient = (options: LiveOptions): LiveClient => {
  const Socket = options.Socket ?? WebSocket;
  const timeout = options.timeout ?? REQUEST_TIMEOUT_MS;
  const waiting = new Map<string, Waiting>();
  const users = new Map<string, number>();
  let socket: WebSocket | null = null;
  let state: LiveState = 'closed';
  let again: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;
  let wasOpen = false;
  let count = 0;
  let heardAt = 0;
  let late: ReturnType<typeof setTimeout> | null = null;
  let pinging: ReturnType<typeof setTimeout> | null = null;

  const say = (next: LiveState): void => {
    if (state === next) return;
    state = next;
    options.onState?.(next);
  };

  /** Answers for how long it has been quiet; 0 where the server does not say. */
  const request = (message: Record<string, unknown>, wait = timeout): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = socket;
      if (!asked || asked.readyState !== Socket.OPEN) return reject(new Error('CLOSED'));
      const id = `r${++count}`;
      const before = heardAt;
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new Error('TIMEOUT'));
        if (heardAt === before) lose(asked);
      }, wait);
      waiting.set(id, { resolve, reject, timer });
      asked.send(JSON.stringify({ ...message, id }));
    });

  const settle = (id: string, error: string | undefined, quiet = 0): void => {
    const entry = waiting.get(id);
    if (!entry) return;
    waiting.delete(id);
    clearTimeout(entry.timer);
    if (error) entry.reject(new Error(error));
    else entry.resolve(quiet);
  };

  const receive = (text: string): void => {
    let message: Answer;
    try {
      message = JSON.parse(text) as Answer;
    } catch {
      return;
    }
    if (message.topic === 'response') settle(message.id, message.error, message.quiet);
    else if (message.topic === 'event') options.onEvent({ subscription: message.subscription, method: message.method, data: message.data });
  };

  /** A refused or unanswered subscription must not end the page: it is said on the console and asked again at the next connect. */
  const tell = (topic: 'subscribe' | 'unsubscribe', event: string): Promise<number | null> =>
    request({ topic, event }).catch((error: unknown) => {
      if (error instanceof Error && error.message !== 'CLOSED') console.warn(`live: ${topic} ${event}: ${error.message}`);
      return null;
    });
  const follow = async (event: string): Promise<void> => {
    const quiet = await tell('subscribe', event);
    if (quiet !== null) options.onSubscribed?.(event, quiet);
  };

  /** Each thing that is heard puts the next question off. */
  const hear = (): void => {
    heardAt += 1;
    if (pinging) clearTimeout(pinging);
    pinging = setTimeout(() => ping(), options.pingAfter ?? PING_AFTER_MS);
  };
  const ping = (wait?: number): void => void request({ topic: 'ping' }, wait).catch(() => undefined);

  const lose = (lost: WebSocket, code?: number): void => {
    if (socket !== lost) return;
    socket = null;
    lost.close();
    for (const timer of [pinging, late]) if (timer) clearTimeout(timer);
    for (const id of waiting.keys()) settle(id, 'CLOSED');
    say('closed');
    if (stopped) return;
    if (code === CLOSE_RELOAD) return options.onReload();
    if (code === CLOSE_GONE) options.onGone?.();
    again = setTimeout(connect, code === CLOSE_MANY ? RECONNECT_MANY_MS : (options.delay ?? RECONNECT_MS));
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
    late = setTimeout(() => lose(current), timeout);
    current.addEventListener('open', () => {
      if (socket !== current) return current.close();
      if (late) clearTimeout(late);
      hear();
      say('open');
      // After a cut all is fetched anew in any case.
      const heard = Promise.all([...users.keys()].map((event) => (wasOpen ? tell('subscribe', event) : follow(event))));
      // Only once the server tells of changes again: what is fetched before that could miss one in between.
      if (wasOpen) void heard.then(() => (socket === current ? options.onReconnect?.() : undefined));
      wasOpen = true;
    });
    current.addEventListener('message', (message) => {
      if (socket !== current) return;
      hear();
      if (typeof message.data === 'string') receive(message.data);
    });
    current.addEventListener('close', (close) => lose(current, close.code));
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
    renew: async (token) => {
      await request({ topic: 'token', token });
    },
    state: () => state,
    wake: () => {
      if (state === 'open') return ping(SEEN_WAIT_MS);
      if (!again) return;
      clearTimeout(again);
      connect();
    },
    close: () => {
      stopped = true;
      if (again) clearTimeout(again);
      if (socket) lose(socket);
    },
  };
};
