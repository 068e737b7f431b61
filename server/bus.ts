import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { connect } from '@nats-io/transport-node';

/** Between the nodes: subjects and small JSON. In the process by default, NATS at scale; the tests are the same. */
export type Bus = {
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
  return { publish: tell, flush: async () => true, subscribe: listen, close: async () => ears.clear() };
};

/** A line that was cut without a word is noticed after three of these, and no answer is waited for longer than for one. */
const PING_MS = 10_000;
/** NATS brings what this node says back to it too, so one road leads to every ear. */
const PREFIX = 'hatchway.';

export const natsBus = async (url: string, log: Logger): Promise<Bus> => {
  const connection = await connect({ servers: url.split(','), name: 'hatchway', maxReconnectAttempts: -1, pingInterval: PING_MS });
  const { tell, listen } = newEars();
  connection.subscribe(`${PREFIX}*`, {
    callback: (error, message) => {
      if (error) return log.error({ err: error }, 'the bus could not hear');
      try {
        tell(message.subject.slice(PREFIX.length), message.json());
      } catch (failure) {
        log.error({ err: failure }, 'a message of the bus could not be taken');
      }
    },
  });
  await connection.flush();
  let away = false;
  const publish = (subject: string, payload: unknown) => {
    // The client would keep it until it dials, and throw it away then.
    if (!away) connection.publish(PREFIX + subject, JSON.stringify(payload));
  };
  const watch = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        away = true;
        log.warn('the bus is away');
      }
      if (status.type !== 'reconnect') continue;
      away = false;
      // Both sides missed something: this node what the others said, and they, whose lines held, what this one did.
      if (!connection.isClosed() && !connection.isDraining()) publish(GAP, null);
    }
  };
  void watch();
  return {
    publish,
    flush: async () => {
      if (away || connection.isClosed()) return false;
      const late = new AbortController();
      const answered = connection.flush().then(
        () => true,
        () => false,
      );
      const over = wait(PING_MS, false, { signal: late.signal, ref: false }).catch(() => false);
      return Promise.race([answered, over]).finally(() => late.abort());
    },
    subscribe: listen,
    // Away, it has nothing to say goodbye to.
    close: () => connection.drain().catch(() => connection.close()),
  };
};

/** NATS_URL decides. */
export const openBus = (natsUrl: string | null, log: Logger): Promise<Bus> =>
  natsUrl ? natsBus(natsUrl, log) : Promise.resolve(processBus());
