import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { NatsConnection } from '@nats-io/transport-node';
import { newPart } from './part.ts';
import { Refusal } from './start-fault.ts';

/** Between the nodes: subjects and small JSON. In the process by default, NATS at scale; the tests are the same. */
export type Bus = {
  /** Other nodes are not heard: what they say is lost. */
  readonly away: boolean;
  /** Reaches every node, this one too; each hears what one node published in the order in which it was published. */
  publish(subject: string, payload: unknown): void;
  /**
   * Whether what was published before, in the same breath, is on its way to every node; false where it may be lost. Asked later, it
   * would answer for a new line that none of it went over.
   */
  flush(): Promise<boolean>;
  subscribe(subject: string, hear: (payload: unknown) => void): () => void;
  close(): Promise<void>;
};

/** Heard where messages of other nodes may have been missed. */
export const GAP = 'gap';
/** Heard at this node alone, when it hears the others no more. */
export const AWAY = 'away';

type Ear = (payload: unknown) => void;
const newEars = () => {
  const ears = new Map<string, Set<Ear>>();
  return {
    ears,
    tell: (subject: string, payload: unknown) => {
      for (const hear of ears.get(subject) ?? []) hear(payload);
    },
    listen: (subject: string, hear: Ear) => {
      const set = ears.get(subject) ?? new Set();
      ears.set(subject, set.add(hear));
      return () => void set.delete(hear);
    },
  };
};

export const processBus = (): Bus => {
  const { ears, tell, listen } = newEars();
  return { away: false, publish: tell, flush: async () => true, subscribe: listen, close: async () => ears.clear() };
};

/** A line that was cut without a word is noticed after three of these, and no answer is waited for longer than for one. */
const PING_MS = 10_000;
const DIAL_MS = 2_000;
/** NATS brings what this node says back to it too, so one road leads to every ear. */
const PREFIX = 'hatchway.';

/** A server that is away keeps no node from starting; one that refuses the login does. */
export const natsBus = async (url: string, log: Logger): Promise<Bus> => {
  const nats = await import('@nats-io/transport-node');
  const { tell, listen } = newEars();
  const part = newPart('bus between the nodes', log);
  const closed = new AbortController();
  let connection: NatsConnection | null = null;

  const publish = (subject: string, payload: unknown) => {
    // The client would keep it until it dials, and throw it away then.
    if (!part.away) connection?.publish(PREFIX + subject, JSON.stringify(payload));
  };
  const lose = (reason: string) => {
    part.lose(reason);
    tell(AWAY, null);
  };
  /** Both sides missed something: this node what the others said, and they, whose lines held, what this one did. */
  const regain = () => {
    part.regain();
    publish(GAP, null);
  };
  const follow = async (line: NatsConnection) => {
    for await (const status of line.status()) {
      if (status.type === 'disconnect') lose('the line was cut');
      if (status.type === 'reconnect' && !line.isClosed() && !line.isDraining()) regain();
    }
  };
  const dial = async () => {
    const line = await nats.connect({ servers: url.split(','), name: 'hatchway', maxReconnectAttempts: -1, pingInterval: PING_MS });
    line.subscribe(`${PREFIX}*`, {
      callback: (error, message) => {
        if (error) return log.error({ err: error }, 'the bus could not hear');
        try {
          tell(message.subject.slice(PREFIX.length), message.json());
        } catch (failure) {
          log.error({ err: failure }, 'a message of the bus could not be taken');
        }
      },
    });
    await line.flush();
    connection = line;
    void follow(line);
    if (closed.signal.aborted) await line.close();
  };
  const dialAgain = async () => {
    while (!closed.signal.aborted) {
      await wait(DIAL_MS, undefined, { ref: false, signal: closed.signal }).catch(() => {});
      if (closed.signal.aborted) return;
      try {
        await dial();
        return regain();
      } catch {
        // told already, by `lose`
      }
    }
  };
  try {
    await dial();
  } catch (error) {
    if (error instanceof nats.AuthorizationError) throw new Refusal(`NATS_URL: the server refuses the login (${error.message}).`);
    lose((error as Error).message);
    void dialAgain();
  }
  return {
    get away() {
      return part.away;
    },
    publish,
    flush: async () => {
      const line = connection;
      if (part.away || line === null || line.isClosed()) return false;
      const late = new AbortController();
      const answered = line.flush().then(
        () => true,
        () => false,
      );
      const over = wait(PING_MS, false, { signal: late.signal, ref: false }).catch(() => false);
      return Promise.race([answered, over]).finally(() => late.abort());
    },
    subscribe: listen,
    close: async () => {
      closed.abort();
      const line = connection;
      // Away, it has nothing to say goodbye to.
      await line?.drain().catch(() => line.close());
    },
  };
};

/** NATS_URL decides. */
export const openBus = (natsUrl: string | null, log: Logger): Promise<Bus> =>
  natsUrl ? natsBus(natsUrl, log) : Promise.resolve(processBus());
