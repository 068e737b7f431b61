import type { Generated } from 'kysely';
import type { JsonOr, Time, Named, Words } from './columns.ts';

/** What the connected asset tool has, and what it is told. */

export type ToolAssetsTable = {
  tenant_id: string;
  asset_id: string;
  integration_id: string;
  ref: string;
  state: 'available' | 'out' | 'not-lendable';
  condition: string | null;
  holder: string | null;
  /** A moment, or a day. */
  until: string | null;
  url: string | null;
  modified_at: Time | null;
  state_at: Time;
  seen_at: Time;
  gone_at: Time | null;
  created_at: Time;
  updated_at: Time;
};
export type AssetRequestsTable = Named &
  Words & {
    integration_id: string;
    ref: string;
    what: string;
    asset_ref: string | null;
    name: string;
    tlf: string | null;
    email: string | null;
    until: string | null;
    state: 'open' | 'handed-out' | 'closed';
    modified_at: Time;
    seen_at: Time;
    created_at: Time;
    updated_at: Time;
  };
/** What the tool is told of a thing of its own. Its id is the key under which it is carried out once. */
export type ToolOperationsTable = Named & {
  integration_id: string;
  asset_id: string;
  occupation_id: string;
  kind: 'check-out' | 'check-in';
  request_ref: string | null;
  person: JsonOr<{ name: string; tlf: string | null; email: string | null }, null>;
  until: Time | null;
  note: string;
  state: Generated<'wanted' | 'sent' | 'unknown' | 'done' | 'refused'>;
  attempts: Generated<number>;
  error: string | null;
  created_at: Time;
  updated_at: Time;
};
