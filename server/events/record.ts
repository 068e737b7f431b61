import type { LiveKind } from '@hatchway/contract/live.ts';
import type { HistoryEventType } from '@hatchway/domain/history.ts';
import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { Tx } from '../db/database.ts';
import { insertOnce, madeOnce } from '../db/made-once.ts';
import { jsonb } from '../db/tables/columns.ts';
import { newId } from '../ids.ts';
import type { Scope } from '../scope.ts';

export type NewEvent = {
  type: HistoryEventType;
  /** ISO; the scope's time unless a device said when. */
  at?: string;
  cabinetId?: string | null;
  lockerId?: string | null;
  doorTag?: string | null;
  occupationId?: string | null;
  /** Of the occupation that it belongs to, or that had the locker then: decides who may read it. */
  occupationType?: OccupationType | null;
  paymentId?: string | null;
  assetId?: string | null;
  data?: Readonly<Record<string, unknown>>;
};

/** A row that is now another: what live sockets and webhooks are told after the commit. */
export type Change = { kind: LiveKind; id: string; method: 'POST' | 'PUT' | 'DELETE' };

/** What one outbox row carries. */
export type OutboxPayload = {
  changes: Change[];
  events: string[];
  /** Deliveries to webhooks, to be sent now. */
  deliveries?: string[];
};

/** A message between nodes has a largest size, and whoever hears one reads all of its rows again. */
const AT_ONCE = 500;

const insertEvents = insertOnce('events');
const insertOutbox = insertOnce('outbox');
const listening = madeOnce((tx, { tenantId }: { tenantId: string }) =>
  tx
    .selectFrom('webhooks')
    .select(['id', 'events', 'active'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('active', '=', true), eb('disabled_reason', 'is not', null)]))
    .compile(),
);

/**
 * The only writer of history. Writes the events and outbox rows with the rows that changed, in the transaction that changed them:
 * live updates, webhooks and messages follow what was committed and nothing else.
 */
export const record = async (tx: Tx, scope: Scope, events: readonly NewEvent[], changes: readonly Change[]): Promise<void> => {
  const rows = events.map((event) => ({
    tenant_id: scope.tenantId,
    id: newId(),
    type: event.type,
    at: event.at ?? scope.now,
    actor_kind: scope.actor.kind,
    actor_id: scope.actor.id,
    actor_name: scope.actor.name,
    cabinet_id: event.cabinetId ?? null,
    locker_id: event.lockerId ?? null,
    door_tag: event.doorTag ?? null,
    occupation_id: event.occupationId ?? null,
    occupation_type: event.occupationType ?? null,
    payment_id: event.paymentId ?? null,
    asset_id: event.assetId ?? null,
    data: jsonb<Record<string, unknown>>(event.data ?? {}),
  }));
  if (rows.length === 0 && changes.length === 0) return;
  // Sent together: most companies have no webhook, and nothing is left to be said then.
  const written = rows.length > 0 ? insertEvents(tx, rows) : [];
  const deliveries = rows.length > 0 ? forWebhooks(tx, scope, rows) : [];
  const told = tell(tx, scope, { changes, events: rows.map((row) => row.id), deliveries: [] });
  const [made] = await Promise.all([deliveries, written, told]);
  if (made.length === 0) return;
  await tell(tx, scope, { changes: made.map((id) => ({ kind: 'deliveries', id, method: 'POST' })), events: [], deliveries: made });
};

/** Rows of one kind, of which the history says nothing. */
export const recordRows = (
  tx: Tx,
  scope: Scope,
  kind: LiveKind,
  method: Change['method'],
  rows: readonly { id: string }[],
): Promise<void> =>
  record(
    tx,
    scope,
    [],
    rows.map(({ id }) => ({ kind, id, method })),
  );

type Told = { changes: readonly Change[]; events: readonly string[]; deliveries: readonly string[] };
const tell = async (tx: Tx, scope: Scope, { changes, events, deliveries }: Told): Promise<void> => {
  const parts = Math.ceil(Math.max(changes.length, events.length, deliveries.length) / AT_ONCE);
  const payloads = Array.from({ length: parts }, (_, at): OutboxPayload => {
    const part = <T>(all: readonly T[]): T[] => all.slice(at * AT_ONCE, (at + 1) * AT_ONCE);
    const sent = part(deliveries);
    return { changes: part(changes), events: part(events), ...(sent.length > 0 ? { deliveries: sent } : {}) };
  });
  await insertOutbox(
    tx,
    payloads.map((payload) => ({
      tenant_id: scope.tenantId,
      kind: 'changes',
      payload: jsonb<Record<string, unknown>>(payload),
      created_at: scope.now,
    })),
  );
};

/** A delivery for each webhook that wants such an event: it exists if and only if the event does. */
const forWebhooks = async (tx: Tx, scope: Scope, events: readonly { id: string; type: string }[]): Promise<string[]> => {
  const webhooks = await listening(tx, scope);
  const rows = webhooks.flatMap((webhook) =>
    events
      .filter(({ type }) => webhook.events.length === 0 || webhook.events.includes(type))
      .map((event) => ({
        tenant_id: scope.tenantId,
        id: newId(),
        webhook_id: webhook.id,
        event_type: event.type,
        event_id: event.id,
        payload: jsonb<Record<string, unknown>>({}),
        state: webhook.active ? ('queued' as const) : ('missed' as const),
        next_at: webhook.active ? scope.now : null,
        created_at: scope.now,
        updated_at: scope.now,
      })),
  );
  if (rows.length > 0) await tx.insertInto('webhook_deliveries').values(rows).execute();
  return rows.map((row) => row.id);
};
