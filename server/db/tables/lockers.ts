import type { OpenSpan } from '@hatchway/domain/hours.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { ContentReason } from '@hatchway/domain/occupation-types.ts';
import type { CommandOutcome, Connection, ContentState, DoorState, Reach, Service, Size } from '@hatchway/domain/terms.ts';
import type { Generated } from 'kysely';
import type { Json, JsonOr, JsonDefault, Time, Named, Row, Words } from './columns.ts';

/** Places, walls and doors, and what was commanded and sensed there. */

export type SitesTable = Row & {
  name: string;
  address: Generated<string>;
  lat: number | null;
  lng: number | null;
  opening_hours: Generated<string>;
  hours: JsonDefault<OpenSpan[]>;
  closed_days: JsonDefault<string[]>;
  tlf: Generated<string>;
};
export type CabinetsTable = Row & {
  site_id: string;
  number: number;
  name: string;
  columns: JsonDefault<{ width: number; doors: { lockerId: string; height: number }[] }[]>;
  controller_id: string | null;
  connection: Generated<Connection>;
  connection_at: Time | null;
  /** As its will, its goodbye or we ourselves said it. */
  offline_reason: string | null;
  /** Of the newest birth; a will of another one is late. */
  session: string | null;
  session_at: Time | null;
  /** The latest that are over: no node brings one back. `session` itself stands here too once its will was heard. */
  past_sessions: Generated<string[]>;
  /** The latest events that were told, as session/seq. */
  heard_events: Generated<string[]>;
  last_seen_at: Time | null;
  clock_behind: Generated<number>;
  keypad_shut_at: Time | null;
  keypad_shut_until: Time | null;
  keypad_lifts: Generated<number>;
  firmware: string | null;
  can_lock: Generated<boolean>;
  has_sensors: Generated<boolean>;
  /** What the controller says it has. */
  compartments: JsonDefault<unknown[]>;
  pairing_hash: Buffer | null;
  pairing_expires_at: Time | null;
  /** Who gave the code. */
  pairing_by: JsonOr<Actor, null>;
  credential_hash: Buffer | null;
  paired_at: Time | null;
  /** Grows with what people change of it. */
  layout_version: Generated<number>;
};
export type LastCommand = {
  id: string;
  op: 'open' | 'lock';
  at: Time;
  by: Actor;
  outcome: CommandOutcome | 'pending';
  code: string | null;
  /**
   * When the door was sensed open by it, by our clock, and what was sensed inside before it was: a later opening is another matter, whatever
   * the controller repeats. Written before that was kept, it is `true`.
   */
  seen?: { at: Time; inside: ContentState } | true;
};
export type LockersTable = Row &
  Words & {
    cabinet_id: string;
    compartment: number;
    door_tag: string;
    name: Generated<string>;
    size: Size;
    reach: Generated<Reach>;
    services: Generated<Service[]>;
    policy_ref: string | null;
    out_of_service: JsonOr<{ since: Time; reason: string; by?: Actor }, null>;
    last_command: JsonOr<LastCommand, null>;
    door: Generated<DoorState>;
    door_at: Time | null;
    lock_state: Generated<'locked' | 'unlocked' | 'unknown'>;
    occupancy: Generated<ContentState>;
    occupancy_at: Time | null;
    /** What the occupancy sensor last said of the two, and since when without the other between, by our clock. */
    sensed: 'empty' | 'occupied' | null;
    sensed_since: Time | null;
    device_seq: number | null;
    device_session: string | null;
    /** `contact`: of the sensor itself, which bounces. */
    alert: 'forced' | 'left-open' | 'tamper' | 'jam' | 'contact' | null;
    alert_at: Time | null;
    incident_at: Time | null;
    /** Of the last run in which it had no rest (`incidentOf`). */
    openings: Generated<number>;
    content: Generated<ContentState>;
    content_at: Time | null;
    content_why: ContentReason | null;
    doubted_at: Time | null;
    said_at: Time | null;
  };
export type OutagesTable = Named & { cabinet_id: string; started_at: Time; ended_at: Time | null; alerted_at: Generated<Time | null> };
export type CommandsTable = Named & {
  cabinet_id: string;
  controller_id: string;
  locker_id: string | null;
  compartment: number | null;
  op: 'open' | 'lock' | 'status' | 'reboot';
  occupation_id: string | null;
  actor: Json<Actor>;
  reason: string | null;
  issued_at: Time;
  expires_at: Time;
  outcome: CommandOutcome | 'done' | null;
  seen_at: Time | null;
  /** What the controller said was told in the history without a sensor's word. */
  told_at: Time | null;
  /** Asked for by staff who take out what the occupation holds. */
  takes_out: Generated<boolean>;
  /** Its use ends with that. */
  take_out_ends: Generated<boolean>;
  /** It is to be put into another locker. */
  take_out_moves: Generated<boolean>;
  /** Since when that take-out is no longer under way: its door has closed, did not open, or somebody said what became of it. */
  take_out_over_at: Time | null;
  code: string | null;
  answered_at: Time | null;
};
