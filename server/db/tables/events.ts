import type { Actor } from '@hatchway/domain/history.ts';
import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { GeneratedAlways } from 'kysely';
import type { Json, JsonOr, JsonDefault, Data, Time, Named } from './columns.ts';

/** What happened, what of it must still be told, and what the server keeps for itself. */

/** History: written by server/events alone, never changed but by retention (actor_id, actor_name, data). */
export type EventsTable = Named & {
  type: string;
  at: Time;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_name: string | null;
  cabinet_id: string | null;
  locker_id: string | null;
  door_tag: string | null;
  occupation_id: string | null;
  occupation_type: OccupationType | null;
  payment_id: string | null;
  asset_id: string | null;
  data: JsonDefault<Data>;
};
export type OutboxTable = { tenant_id: string; id: GeneratedAlways<number>; kind: string; payload: Json<Data>; created_at: Time };
export type IdempotencyTable = {
  tenant_id: string;
  caller: string;
  method: string;
  path: string;
  key: string;
  body_hash: Buffer;
  /** secret: answered, with something that is not kept. */
  state: 'running' | 'answered' | 'secret';
  status: number | null;
  headers: JsonOr<Record<string, string>, null>;
  answer: JsonOr<unknown, null>;
  created_at: Time;
  expires_at: Time;
};
export type PublicRefsTable = {
  kind: 'cabinet-number' | 'shop' | 'policy' | 'pairing' | 'hook';
  ref: string;
  tenant_id: string;
  target_id: string;
  created_at: Time;
};
export type RateLimitsTable = { bucket: string; started_at: Time; expires_at: Time; count: number };
