import { mayEnter, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { OutboxMessage } from '../events/outbox.ts';
import type { Change } from '../events/record.ts';
import { loadCaller } from '../http/caller.ts';
import { systemScope } from '../scope.ts';
import { frameWith, sendFrame, type Connection, type Drop } from './connection.ts';
import { FACTS_CHANGE } from './lately.ts';
import { READERS, type Seen } from './readers.ts';
import { followSight } from './sight.ts';

type Waiting = Change & { lockers: string[] };
export type Room = {
  readonly connections: ReadonlySet<Connection>;
  add: (connection: Connection) => void;
  remove: (connection: Connection) => void;
  subscribe: (connection: Connection, event: string) => void;
  unsubscribe: (connection: Connection, event: string) => void;
  hear: (message: OutboxMessage) => void;
  /** What they hold may have changed: it is read again before anything more is sent. Without a connection, for all of them. */
  refresh: (connection?: Connection) => void;
};

/** Facts as text, by which equal ones are told; written once an object, since a person's may name thousands of lockers. */
const texts = new WeakMap<Facts, string>();
const textOf = (facts: Facts): string => {
  const text = texts.get(facts) ?? JSON.stringify(facts);
  texts.set(facts, text);
  return text;
};

/** The live sockets of one company. Changes are read in order, one batch after the other, so that no older row follows a newer one. */
export const createRoom = (deps: Deps, tenantId: string, drop: Drop): Room => {
  const connections = new Set<Connection>();
  const listeners = new Map<string, Set<Connection>>();
  let waiting = new Map<string, Waiting>();
  let stale: ReadonlySet<Connection> = new Set();
  let running = false;

  const wanted = (change: Change) => listeners.has(change.kind) || listeners.has(`${change.kind}/${change.id}`);
  const put = (change: Waiting) => {
    if (!wanted(change)) return;
    const key = `${change.kind}/${change.id}`;
    const before = waiting.get(key);
    waiting.set(
      key,
      before
        ? {
            ...change,
            // Made and changed before anybody heard of it: it is new to whoever hears of it now.
            method: before.method === 'POST' && change.method === 'PUT' ? 'POST' : change.method,
            lockers: [...before.lockers, ...change.lockers],
          }
        : change,
    );
  };

  const deliver = (change: Waiting, row: Seen | undefined) => {
    const { kind, id } = change;
    const verdicts = new Map<Facts, 'row' | 'reduced' | 'gone' | null>();
    const verdictOf = (facts: Facts) => {
      let verdict = verdicts.get(facts);
      if (verdict === undefined) {
        if (row?.sees(facts)) verdict = row.reduced?.for(facts) ? 'reduced' : 'row';
        else verdict = READERS[kind].saw(facts, id, change.lockers) ? 'gone' : null;
        verdicts.set(facts, verdict);
      }
      return verdict;
    };
    for (const subscription of [kind, `${kind}/${id}`]) {
      const made: { row?: Buffer; reduced?: Buffer; gone?: Buffer } = {};
      const method = change.method === 'DELETE' ? 'PUT' : change.method;
      for (const connection of listeners.get(subscription) ?? []) {
        const verdict = verdictOf(connection.facts);
        if (verdict === null) continue;
        const data = verdict === 'row' ? row?.data : verdict === 'reduced' ? row?.reduced?.data : { id };
        made[verdict] ??= frameWith({ topic: 'event', subscription, method: verdict === 'gone' ? 'DELETE' : method, data: data ?? { id } });
        sendFrame(connection, made[verdict]);
      }
    }
  };

  const readRows = async (tx: Tx, batch: readonly Waiting[]): Promise<Map<string, Seen>> => {
    const byKind = Map.groupBy(batch, (change) => change.kind);
    const rows = await Promise.all(
      [...byKind].map(async ([kind, changes]) => {
        const seen = await READERS[kind].read(
          tx,
          systemScope(tenantId, deps.now().toISOString()),
          changes.map((change) => change.id),
          deps,
        );
        return seen.map((row) => [`${kind}/${row.id}`, row] as const);
      }),
    );
    return new Map(rows.flat());
  };
  /** What was read is there before its transaction has ended, and that it ends well changes nothing about it. */
  const readAll = (batch: readonly Waiting[]): Promise<Map<string, Seen>> =>
    new Promise((resolve, reject) => {
      deps.db.tenant(tenantId, async (tx) => resolve(await readRows(tx, batch))).catch(reject);
    });

  /** Equal facts become one object, so that each is asked once for a row. Somebody who holds nothing any more is shown out. */
  const refresh = async () => {
    const people = [...stale];
    stale = new Set();
    const callers = await deps.db.tenant(tenantId, (tx) =>
      Promise.all(people.map((one) => loadCaller(tx, one.person, deps.now().toISOString()))),
    );
    const moved: { connection: Connection; before: Facts }[] = [];
    const known = new Map([...connections].map(({ facts }) => [textOf(facts), facts]));
    people.forEach((connection, at) => {
      const caller = callers[at];
      if (!caller || !connections.has(connection)) return;
      if (caller.gone) return drop(connection, 'gone');
      if (caller.suspended || !mayEnter(caller.facts)) return drop(connection, 'ended');
      const name = textOf(caller.facts);
      const before = connection.facts;
      connection.facts = known.get(name) ?? caller.facts;
      known.set(name, connection.facts);
      if (textOf(before) !== name) moved.push({ connection, before });
    });
    if (moved.length > 0) await followSight(deps, tenantId, moved, drop);
  };

  const run = async () => {
    while (stale.size > 0 || waiting.size > 0) {
      try {
        if (stale.size > 0) await refresh();
        const batch = [...waiting.values()];
        waiting = new Map();
        if (batch.length === 0) continue;
        const rows = await readAll(batch);
        // What they hold changed while the rows were read: it counts for these rows too.
        if (stale.size > 0) await refresh();
        for (const change of batch) deliver(change, rows.get(`${change.kind}/${change.id}`));
      } catch (error) {
        // What was not delivered is lost to these sockets, so they must come again and fetch.
        deps.log.error({ err: error }, 'changes could not be read for live sockets');
        for (const connection of connections) drop(connection, 'again');
      }
    }
  };
  const wake = () => {
    if (running) return;
    running = true;
    void run().finally(() => {
      running = false;
      // Heard after the last look and before this.
      if (stale.size > 0 || waiting.size > 0) wake();
    });
  };

  return {
    connections,
    add: (connection) => {
      // Whoever holds the same shares one object with them.
      const name = textOf(connection.facts);
      for (const other of connections) if (textOf(other.facts) === name) connection.facts = other.facts;
      connections.add(connection);
    },
    remove: (connection) => {
      connections.delete(connection);
      for (const event of connection.events) {
        const set = listeners.get(event);
        set?.delete(connection);
        if (set?.size === 0) listeners.delete(event);
      }
      connection.events.clear();
    },
    subscribe: (connection, event) => {
      connection.events.add(event);
      listeners.set(event, (listeners.get(event) ?? new Set()).add(connection));
    },
    unsubscribe: (connection, event) => {
      connection.events.delete(event);
      const set = listeners.get(event);
      set?.delete(connection);
      if (set?.size === 0) listeners.delete(event);
    },
    hear: ({ changes, events }) => {
      const lockers = changes.filter((change) => change.kind === 'lockers').map((change) => change.id);
      for (const change of changes) {
        if (FACTS_CHANGE.has(change.kind)) stale = new Set(connections);
        put({ ...change, lockers });
      }
      for (const id of events) put({ kind: 'history', id, method: 'POST', lockers: [] });
      wake();
    },
    refresh: (connection) => {
      stale = connection ? new Set(stale).add(connection) : new Set(connections);
      wake();
    },
  };
};
