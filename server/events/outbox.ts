import type { Bus } from '../bus.ts';
import type { Db } from '../db/database.ts';
import type { OutboxPayload } from './record.ts';

export type Outbox = {
  /** Something was committed: look now instead of at the next tick. */
  wake(): void;
  stop(): Promise<void>;
};
export type OutboxMessage = OutboxPayload & { tenantId: string };
export const CHANGES = 'changes';

const BATCH = 200;
/** Finds what a killed process, or another node, left behind. */
const TICK_MS = 1_000;

/**
 * Carries committed changes to the bus, in order, each at least once: rows are taken with `skip locked`, published, and deleted by the
 * same transaction once the bus has them. A process killed in between leaves them for the next; whoever listens drops versions that it has seen.
 */
export const startOutbox = (db: Db, bus: Bus, onError: (error: unknown) => void): Outbox => {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const once = () =>
    db.relay(async (tx) => {
      const rows = await tx
        .selectFrom('outbox')
        .select(['tenant_id', 'id', 'payload'])
        .orderBy('id')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      if (rows.length === 0) return 0;
      for (const row of rows) bus.publish(CHANGES, { ...(row.payload as OutboxPayload), tenantId: row.tenant_id } satisfies OutboxMessage);
      // Where the bus is away they stay for a node whose line holds, or for the next tick.
      if (!(await bus.flush())) return 0;
      await tx
        .deleteFrom('outbox')
        .where(
          'id',
          'in',
          rows.map((row) => row.id),
        )
        .execute();
      return rows.length;
    });

  const drain = async () => {
    do {
      again = false;
      try {
        while ((await once()) === BATCH) if (stopped) return;
      } catch (error) {
        again = false; // the next tick tries again
        onError(error);
        return;
      }
    } while (again);
  };
  const wake = () => {
    again = true;
    // Asked while the last run is about to end: `again` is looked at once more after it has.
    running ??= drain().finally(() => {
      running = null;
      if (again && !stopped) wake();
    });
  };
  const timer = setInterval(wake, TICK_MS);
  timer.unref();
  return {
    wake: () => {
      if (!stopped) wake();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
