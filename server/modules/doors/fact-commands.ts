import type { Selectable } from 'kysely';
import type { Actor, HistoryEventType } from '@hatchway/domain/history.ts';
import { believe, inDoubt } from '@hatchway/domain/locker.ts';
import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import { STAGES, type ContentState } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { CabinetsTable, CommandsTable, LockersTable } from '../../db/tables/lockers.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import type { Fact } from '../../devices/fact.ts';
import { record, type NewEvent } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { activeBy, activeNow } from '../../stages.ts';
import { setContent } from '../lockers/commands.ts';
import { settle } from '../lockers/door-commands.ts';
import { lockerOf, tellOfDoor } from './alarm-commands.ts';
import { lastCommandAfter } from './last-command.ts';
import { BROKEN_AFTER, incidentOf, MOVES_WITHIN } from './incident.ts';
import { endTakeOut } from './take-out-commands.ts';
import { keepOpen, lookAfterSensing, settleAfterOutage, tellDoor } from '../occupations/door-commands.ts';

type LockerRow = Selectable<LockersTable>;
type CabinetRow = Selectable<CabinetsTable>;
type DoorFact = Fact & { kind: 'door' };

/** Told before: the same session with the same or an older number. */
const heardBefore = (locker: LockerRow, fact: DoorFact): boolean =>
  locker.device_session === fact.session && locker.device_seq !== null && fact.seq <= locker.device_seq;

/**
 * The command that opened this door, if it is one that has not been seen to open it yet; another one may have been asked since. A controller
 * repeats the id with every later state, so a second opening under it is nobody's; nor is one that comes, as we hear it, long after the
 * command was given up or answered for, nor one under a command that only locked.
 */
const commandOf = async (
  tx: Tx,
  locker: LockerRow,
  fact: DoorFact,
  { now, unheard }: { now: string; unheard: boolean },
): Promise<Selectable<CommandsTable> | null> => {
  if (!fact.cmdId) return null;
  const row = await tx
    .selectFrom('commands')
    .selectAll()
    .where('tenant_id', '=', locker.tenant_id)
    .where('id', '=', fact.cmdId)
    .where('locker_id', '=', locker.id)
    .where('op', '=', 'open')
    .where('seen_at', 'is', null)
    .executeTakeFirst();
  const heard = Math.min(Date.parse(now), Date.parse(fact.at));
  return row && (unheard || heard - Date.parse(row.issued_at) <= MOVES_WITHIN) ? row : null;
};

/** When the alarm was raised that an opening nobody asked for belongs to: it may be heard before the door is. Null without one. */
const alarmOf = ({ alert, alert_at: raised }: LockerRow, { at }: DoorFact): string | null =>
  (alert === 'forced' || alert === 'tamper') && raised !== null && Math.abs(Date.parse(at) - Date.parse(raised)) <= MOVES_WITHIN
    ? raised
    : null;

/** The one that an open command named, also where it has ended since: its story tells who came back once more. */
const occupationOf = async (tx: Tx, tenantId: string, id: string): Promise<Pick<Occupation, 'id' | 'type'> | null> =>
  (await tx.selectFrom('occupations').select(['id', 'type']).where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst()) ??
  null;

const DOOR_EVENT = { opened: 'locker_opened', closed: 'locker_closed', unknown: 'locker_unknown' } as const satisfies Record<
  string,
  HistoryEventType
>;

/**
 * A controller's clock may be behind ours by up to a minute: whatever it says, a door opened after it was asked to, and shut after that. Whoever
 * puts such moments side by side must find them in their order.
 */
const inOrder = (at: string, before: readonly (string | null | undefined)[]): string =>
  new Date(Math.max(Date.parse(at), ...before.map((one) => (one ? Date.parse(one) + 1 : 0)))).toISOString();

/** A state of one door: alone the truth about it. */
export const hearDoor = async (tx: Tx, deps: Deps, device: Scope, cabinet: CabinetRow, said: DoorFact): Promise<void> => {
  const locker = await lockerOf(tx, cabinet, said.compartment);
  if (!locker || heardBefore(locker, said)) return;
  const newSession = locker.device_session !== said.session;
  const moved = said.door !== locker.door;
  const sprung = moved && said.door === 'opened';
  // A new session, or the word that a broker outside kept while this server was away.
  const unheard = newSession || said.retained;
  const command =
    said.door === 'opened' || (unheard && said.door === 'closed') ? await commandOf(tx, locker, said, { now: device.now, unheard }) : null;
  // Also a door that stands open already opens for whoever asked, from when it names their command.
  const opens = sprung || (said.door === 'opened' && command !== null && command.outcome !== 'refused');
  const fact = moved || opens ? { ...said, at: inOrder(said.at, [command?.issued_at, locker.door_at]) } : said;
  const alarm = sprung && command === null ? alarmOf(locker, fact) : null;
  // Closed, but the controller names a command that opened it, of which nobody has told yet: it opened, and was shut again, unheard.
  const missed = said.door === 'closed' && command !== null && command.outcome !== 'refused' && command.told_at === null;
  const opened = opens || missed;
  const incident = incidentOf(locker, { at: fact.at, now: device.now }, deps.pace.bounceMs);
  // Nobody opened it anew. What its contact says on the way stands in no history.
  const bounces = sprung && command === null && incident.openings > 1;
  const rattles = bounces || (fact.door === 'closed' && locker.openings > 1);
  const broke = bounces && incident.openings === BROKEN_AFTER;
  // Until it has opened once without bouncing.
  const isBroken = locker.alert === 'contact' && (!sprung || bounces || locker.openings > 1);
  const last = lastCommandAfter(locker, { opener: opened ? command : null, sprung, unheard, now: device.now });
  const by: Scope = command && opened ? { ...device, actor: command.actor } : device;
  await tx
    .updateTable('lockers')
    .set((eb) => ({
      door: fact.door,
      lock_state: fact.lock,
      occupancy: fact.occupancy,
      device_seq: fact.seq,
      device_session: fact.session,
      ...(moved ? { door_at: fact.at } : {}),
      ...(broke
        ? { alert: 'contact' as const, alert_at: fact.at }
        : moved && alarm === null && !isBroken
          ? { alert: null, alert_at: null }
          : {}),
      ...(opened ? { incident_at: incident.at } : {}),
      ...(sprung ? { openings: bounces ? incident.openings : 1 } : moved && fact.door === 'unknown' ? { openings: 0 } : {}),
      ...(fact.occupancy === locker.occupancy ? {} : { occupancy_at: fact.at }),
      ...(fact.occupancy === 'unknown' || fact.occupancy === locker.sensed ? {} : { sensed: fact.occupancy, sensed_since: device.now }),
      ...(last === null ? {} : { last_command: jsonb(last) }),
      updated_at: device.now,
      version: eb('version', '+', 1),
    }))
    .where('tenant_id', '=', locker.tenant_id)
    .where('id', '=', locker.id)
    .execute();
  if (command && opened)
    await tx
      .updateTable('commands')
      .set({ seen_at: device.now })
      .where('tenant_id', '=', locker.tenant_id)
      .where('id', '=', command.id)
      .execute();
  if (command && opened && command.outcome === null) await settle(tx, device, command.id, { outcome: 'opened', code: null, at: fact.at });
  // What came or went while the door stood open counts now that it is shut.
  const asksSensor = fact.occupancy !== locker.occupancy || ((moved || missed) && fact.door === 'closed');
  const sensed = asksSensor ? await hearSensor(tx, device, locker, fact) : null;
  const asked = command?.reason ? { reason: command.reason } : {};
  // The history has its controller's word already, from when nobody had seen it.
  const opening = { ...asked, ...(command?.told_at ? { why: 'seen-later' } : {}) };
  const told = await occupationHears(tx, deps, {
    device,
    by,
    opening,
    locker,
    fact,
    shut: fact.door === 'closed' && (moved || missed),
    opened,
    bounces,
    sensed: fact.occupancy !== locker.occupancy,
    named: opened ? (command?.occupation_id ?? null) : null,
    takesOut: command?.takes_out ?? false,
    unexpected: opened && command === null && !bounces && locker.door_at !== null,
    since: incident.at,
    late: opened && command !== null && command.outcome !== null && command.outcome !== 'opened',
    away: newSession || missed,
    // What a broker kept while nobody listened came before the claim heard of it, whenever the session began.
    backAt: missed || cabinet.session !== fact.session ? null : cabinet.session_at,
  });
  const about = (command?.occupation_id ? await occupationOf(tx, locker.tenant_id, command.occupation_id) : null) ?? told.occupation;
  const events: NewEvent[] = [];
  const here = {
    // what was missed is told as of now: that it was shut again comes after that it opened
    at: missed ? inOrder(fact.at, [device.now]) : fact.at,
    cabinetId: cabinet.id,
    lockerId: locker.id,
    doorTag: locker.door_tag,
    occupationId: about?.id ?? null,
    occupationType: about?.type ?? null,
  };
  const tell = (type: HistoryEventType, more: object) => {
    if (told.written.includes(type)) return;
    events.push({ ...here, type, data: { ...(type === 'locker_opened' ? opening : asked), ...more } });
  };
  const late = told.unexpected && command !== null ? { late: true } : {};
  if (missed) tell('locker_opened', { heardLate: true, ...late });
  // The first word ever of a door is no movement of it.
  if ((moved || opens || missed) && locker.door_at !== null && !rattles)
    tell(DOOR_EVENT[fact.door], opens ? (command ? late : { unexpected: true }) : {});
  if (broke) events.push({ ...here, type: 'locker_unknown', data: { alert: 'contact' } });
  await record(tx, by, events, [{ kind: 'lockers', id: locker.id, method: 'PUT' }]);
  // A sensor may make up its mind after the door was shut.
  if (fact.door === 'closed' && (moved || missed || fact.occupancy !== locker.occupancy))
    await endTakeOut(tx, deps, device, locker, { fact, away: unheard || missed });
  if (sensed !== null && (await isNews(tx, locker, sensed)))
    await record(tx, device, [{ ...here, type: SENSED_EVENT[sensed], data: { by: 'sensor', settled: locker.content === 'unknown' } }], []);
};

type Heard = {
  device: Scope;
  by: Scope;
  /** What the history says of this opening. */
  opening: Readonly<Record<string, unknown>>;
  locker: LockerRow;
  fact: DoorFact;
  shut: boolean;
  opened: boolean;
  /** Shut just before, and by nobody's command. */
  bounces: boolean;
  /** Its occupancy sensor says something else than before. */
  sensed: boolean;
  named: string | null;
  /** For staff to take out what lies inside: whoever asked for it writes that down. */
  takesOut: boolean;
  unexpected: boolean;
  /** When the incident began that it belongs to. */
  since: string;
  /** By a command that had been given up. */
  late: boolean;
  away: boolean;
  /** Since when the cabinet can be heard again, where that is known. */
  backAt: string | null;
};
type Told = {
  occupation: Pick<Occupation, 'id' | 'type'> | null;
  written: readonly HistoryEventType[];
  /** The opening put in doubt what lies inside: nobody had asked for it, or nobody any more. */
  unexpected: boolean;
};

/** Whoever has the claim opened it themselves, by lock control. */
const isTheirs = ({ stage, claimed_by: claimer }: { stage: number; claimed_by: Actor | null }, { actor }: Scope): boolean =>
  stage === STAGES.CLAIMING && actor.id !== null && claimer?.kind === actor.kind && claimer.id === actor.id;

/** Hands the door's news to the occupation on this locker; without one, an opening that nobody asked for makes the content unknown. */
const occupationHears = async (tx: Tx, deps: Deps, heard: Heard): Promise<Told> => {
  const { locker, fact, shut, opened, by } = heard;
  const current = await tx
    .selectFrom('occupations')
    .select(['id', 'type', 'stage', 'claimed_by'])
    .where('tenant_id', '=', locker.tenant_id)
    .where('locker_id', '=', locker.id)
    .where(activeBy('stage'))
    .executeTakeFirst();
  // Given up, and the use that it was for has ended: whoever stood there may have done anything.
  const overtaken = heard.late && heard.named !== null && current?.id !== heard.named;
  const unexpected = heard.unexpected || overtaken;
  if (!current) {
    if (unexpected) {
      await setContent(tx, by, locker.id, { kind: 'unexpected-opening' });
      await tellOfDoor(tx, deps, heard.device, locker, heard.since);
    }
    return { occupation: null, written: [], unexpected };
  }
  if (heard.bounces) await keepOpen(tx, heard.device, current.id);
  const told =
    opened && !heard.bounces
      ? await tellDoor(
          tx,
          deps,
          by,
          current.id,
          {
            kind: 'door-opened',
            // Opened in time it changes nothing by itself; given up and moved after all, it opened for nobody knows whom.
            named:
              (heard.named === current.id && (!heard.takesOut || heard.late || heard.away)) ||
              (heard.named === null && isTheirs(current, by)),
            ...(unexpected ? { unexpected: true } : {}),
          },
          { opening: heard.opening },
        )
      : { written: [], unexpected: false };
  // The cabinet was away: a claim that began before is settled by what the door is now, before that counts as seen with our own eyes.
  if (heard.away) await settleAfterOutage(tx, deps, heard.device, current.id, { door: fact.door, backAt: heard.backAt });
  if (heard.sensed && fact.door === 'closed' && !opened && !shut) await lookAfterSensing(tx, deps, heard.device, current.id);
  const shutting = shut
    ? (await tellDoor(tx, deps, by, current.id, { kind: 'door-closed' }, { wasSilent: heard.away && current.stage !== STAGES.CLAIMING }))
        .written
    : [];
  return { occupation: current, written: [...told.written, ...shutting], unexpected: told.unexpected };
};

type Sensed = Exclude<ContentState, 'unknown'>;

/** Answers what is believed by it now and was not before; null where it changes nothing. */
const hearSensor = async (tx: Tx, scope: Scope, locker: LockerRow, fact: DoorFact): Promise<Sensed | null> => {
  if (fact.occupancy === 'unknown') return null;
  const before = { content: locker.content, since: locker.content_at ?? locker.created_at, why: locker.content_why ?? ('sensor' as const) };
  // Sensed already when somebody said or noticed what is believed, it is no news against them.
  const since = locker.sensed_since;
  const said = [locker.content_at, locker.doubted_at, locker.said_at];
  const unbroken = fact.occupancy === locker.sensed && since !== null && said.some((at) => at !== null && since <= at);
  const evidence = { kind: 'sensor', occupancy: fact.occupancy, unbroken } as const;
  const after = believe(before, evidence, scope.now);
  // While somebody stands at the open door things come and go: the sensor's word counts once it is shut.
  if (fact.door !== 'closed' || after.content === before.content) return null;
  await setContent(tx, scope, locker.id, evidence);
  return fact.occupancy;
};

const SENSED_EVENT = { empty: 'locker_empty', occupied: 'locker_occupied' } as const satisfies Record<Sensed, HistoryEventType>;

/** Whether the history has to tell what a sensor said: it settled a doubt, or it contradicts what is written down of the locker. */
const isNews = async (tx: Tx, before: LockerRow, sensed: Sensed): Promise<boolean> => {
  const now = await tx
    .selectFrom('lockers as l')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'l.tenant_id').onRef('o.locker_id', '=', 'l.id').on(activeNow))
    .select(['l.content', 'o.stage', 'o.type'])
    .where('l.tenant_id', '=', before.tenant_id)
    .where('l.id', '=', before.id)
    .executeTakeFirst();
  // Somebody's word came of the same closing, and stands above it.
  if (now?.content !== sensed) return false;
  const use = now.stage === null || now.type === null ? null : { stage: now.stage, type: now.type };
  return before.content === 'unknown' || inDoubt(sensed, use);
};
