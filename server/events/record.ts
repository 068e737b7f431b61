import type { LiveKind } from '@hatchway/contract/live.ts';
import type { HistoryEventType } from '@hatchway/domain/history.ts';
import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { Tx } from '../db/database.ts';
import { jsonb } from '../db/schema.ts';
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
export type OutboxPayload = { changes: Change[]; events: string[] };

/**
 * The only writer of history. Writes the events and one outbox row with the rows that changed, in the transaction that changed them:
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
  if (rows.length > 0) await tx.insertInto('events').values(rows).execute();
  if (rows.length === 0 && changes.length === 0) return;
  const payload: OutboxPayload = { changes: [...changes], events: rows.map((row) => row.id) };
  await tx
    .insertInto('outbox')
    .values({ tenant_id: scope.tenantId, kind: 'changes', payload: jsonb<Record<string, unknown>>(payload), created_at: scope.now })
    .execute();
};
