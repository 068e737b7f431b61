import { sql, type SqlBool } from 'kysely';
import type { Bus } from '../bus.ts';
import { endWithNext, type Db, type Tx } from '../db/database.ts';
import { anyOf, madeOnce } from '../db/made-once.ts';
import type { OutboxPayload } from './record.ts';
import { startRelay } from './relay.ts';

export type Outbox = {
  /** Something was committed: look now instead of at the next tick. */
  wake(): void;
  stop(): Promise<void>;
};
export type OutboxMessage = OutboxPayload & { tenantId: string };
export const CHANGES = 'changes';
/** What else is written for committed changes, by the very transaction that takes their rows from here; `after` it committed. */
export type Follower = { write(tx: Tx, messages: readonly OutboxMessage[]): Promise<void>; after(): void };

const BATCH = 200;

const next = madeOnce((tx) =>
  tx.selectFrom('outbox').select(['tenant_id', 'id', 'payload']).orderBy('id').limit(BATCH).forUpdate().skipLocked().compile(),
);
const carried = madeOnce((tx, { ids }: { ids: number[] }) =>
  tx
    .deleteFrom('outbox')
    .where(sql<SqlBool>`id = ${anyOf(ids, 'bigint')}`)
    .compile(),
);

/**
 * Carries committed changes to the bus, in order, each at least once: rows are taken with `skip locked`, published, and deleted by the
 * same transaction once the bus has them. A process killed in between leaves them for the next; whoever listens drops versions that it has seen.
 */
export const startOutbox = (db: Db, bus: Bus, onError: (error: unknown) => void, follower?: Follower): Outbox => {
  const take = () =>
    db.relay(async (tx) => {
      const rows = await next(tx, {});
      if (rows.length === 0) return false;
      const messages = rows.map((row): OutboxMessage => ({ ...(row.payload as OutboxPayload), tenantId: row.tenant_id }));
      for (const message of messages) bus.publish(CHANGES, message);
      // Where the bus is away they stay for a node whose line holds, or for the next tick.
      if (!(await bus.flush())) return false;
      await follower?.write(tx, messages);
      endWithNext(tx);
      await carried(tx, { ids: rows.map((row) => row.id) });
      return rows.length === BATCH;
    });

  const once = async () => {
    const more = await take();
    follower?.after();
    return more;
  };
  const relay = startRelay(once, onError);
  return { wake: () => void relay.wake(), stop: () => relay.stop() };
};
