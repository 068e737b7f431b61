import { sql, type Selectable, type SqlBool } from 'kysely';
import type { HistoryEvent } from '@hatchway/contract/history.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { historyReach, seesAllLockers, type EventPlace, type Facts } from '@hatchway/domain/access.ts';
import { CABINET_EVENTS, movedDeadline } from '@hatchway/domain/history.ts';
import type { Tx } from '../../db/database.ts';
import { anyOf } from '../../db/made-once.ts';
import type { EventsTable } from '../../db/tables/events.ts';
import { page, type Held, type ListSpec, type RowsOfCompany } from '../../http/list.ts';
import { lockersInSight } from '../../sight.ts';
import { oneWordSearched, wordsSearched } from './search.ts';
import { both, each, either, only, type Ground } from './ways.ts';
import { DEADLINE_WORDS, SAID_EMPTY, WORDS } from './words.ts';

/** A word of a kind (`GET /types/{kind}`) as people read it; itself where nobody has one. */
export const wordFor = (kind: string, value: string | number, locale: 'en' | 'nb'): string => {
  const found = WORDS[kind]?.find(([known]) => known === value);
  return found ? found[locale === 'en' ? 1 : 2] : String(value);
};

/** What an event of the history is called; `time` writes a moment. */
export const eventWord = (event: Pick<HistoryEvent, 'type' | 'data'>, locale: 'en' | 'nb', time: (iso: string) => string): string => {
  const { type, data } = event;
  if ((type === 'locker_empty' && data['denied'] === true) || (type === 'occupation_claimed' && data['saidEmpty'] === true))
    return SAID_EMPTY[locale];
  const moved = movedDeadline(event);
  if (!moved?.alone) return wordFor('history', type, locale);
  return DEADLINE_WORDS[locale][moved.extended ? 'extendedUntil' : 'newDeadline'].replace('{{time}}', time(moved.until));
};

const COLUMNS = [
  'e.id',
  'e.tenant_id',
  'e.type',
  'e.at',
  'e.actor_kind',
  'e.actor_id',
  'e.actor_name',
  'e.locker_id',
  'e.door_tag',
  'e.occupation_id',
  'e.payment_id',
  'e.asset_id',
  'e.data',
] as const;
type EventRow = Pick<Selectable<EventsTable>, (typeof COLUMNS)[number] extends `e.${infer Name}` ? Name & keyof EventsTable : never>;

const toEvent = (row: EventRow): HistoryEvent => ({
  id: row.id,
  tenantId: row.tenant_id,
  type: row.type,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name ?? '' },
  lockerId: row.locker_id,
  doorTag: row.door_tag,
  occupationId: row.occupation_id,
  paymentId: row.payment_id,
  assetId: row.asset_id,
  data: row.data,
});

const AT = { column: sql.ref('e.at'), type: 'timestamptz' } as const;
const LIST: ListSpec = {
  fields: {
    id: sql.ref('e.id'),
    type: sql.ref('e.type'),
    at: sql.ref('e.at'),
    actorId: sql.ref('e.actor_id'),
    actorKind: sql.ref('e.actor_kind'),
    lockerId: sql.ref('e.locker_id'),
    doorTag: sql.ref('e.door_tag'),
    occupationId: sql.ref('e.occupation_id'),
    paymentId: sql.ref('e.payment_id'),
    assetId: sql.ref('e.asset_id'),
    hour: sql`extract(hour from e.at at time zone (select c.time_zone from companies c where c.id = current_tenant()))::int`,
    service: sql`(select o.service from occupations o where o.tenant_id = e.tenant_id and o.id = e.occupation_id)`,
    currency: sql`e.data->>'currency'`,
  },
  sorts: { at: AT, createdAt: AT },
  id: sql.ref('e.id'),
};

/** `mayReadEvent` as a condition, or null for whoever reads it all; of events of occupations and lockers alone. */
export const readable = (facts: Facts): ReturnType<typeof sql<SqlBool>> | null => {
  const reach = historyReach(facts);
  if (reach.all) return null;
  return sql<SqlBool>`(e.occupation_type = any(${reach.types}) or e.locker_id = any(${reach.lockerIds}))`;
};

/** For whoever sees some doors of a cabinet: what happened to it does not name the others. */
export const ofTheirs = (event: HistoryEvent): HistoryEvent => {
  if (event.lockerId !== null || !('lockers' in event.data)) return event;
  const { lockers: _, ...data } = event.data;
  return { ...event, data };
};

/** What happened to these cabinets as a whole. */
const ofCabinets = (ids: readonly string[]): Ground => both(only(sql<SqlBool>`e.locker_id is null`), each('e.cabinet_id', ids));

const cabinetsWith = async (
  tx: Tx,
  tenantId: string,
  facts: Facts,
  column: 'id' | 'door_tag',
  values: readonly string[],
): Promise<string[]> => {
  if (values.length === 0) return [];
  // By what a cabinet tells nobody learns which doors out of their sight it has.
  const sight = lockersInSight(facts);
  const rows = await tx
    .selectFrom('lockers')
    .select('cabinet_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where(sql<SqlBool>`${sql.ref(column)} = any(${values})`)
    .$if(!sight.all, (all) => all.where(sql<SqlBool>`id = any(${sight.all ? [] : sight.ids})`))
    .execute();
  return rows.map((row) => row.cabinet_id);
};

/** What of cabinets as a whole is in the caller's sight; of all of them it is found by its kinds, which have an index of their own. */
const cabinetsInSight = async (tx: Tx, tenantId: string, facts: Facts): Promise<Ground> => {
  const sight = lockersInSight(facts);
  if (!sight.all) return ofCabinets(await cabinetsWith(tx, tenantId, facts, 'id', sight.ids));
  return both(each('e.type', CABINET_EVENTS), only(sql<SqlBool>`e.locker_id is null`));
};

/** `mayReadEvent`: a way for each type, since an index keeps the order of time within one. Null for whoever reads it all. */
const inSight = async (tx: Tx, tenantId: string, facts: Facts): Promise<Ground | null> => {
  const reach = historyReach(facts);
  if (reach.all) return null;
  const lockers = only(sql<SqlBool>`e.locker_id = any(${reach.lockerIds})`);
  return either(each('e.occupation_type', reach.types), lockers, await cabinetsInSight(tx, tenantId, facts));
};

/** The doors that a list was asked for by name; null where it says anything else of them, or nothing. */
const namedIn = (wanted: unknown): string[] | null => {
  if (typeof wanted === 'string') return [wanted];
  if (typeof wanted !== 'object' || wanted === null || Object.keys(wanted).join() !== '$in') return null;
  return (wanted as { $in: string[] }).$in;
};

const DOORS = [
  ['lockerId', 'locker_id', 'id'],
  ['doorTag', 'door_tag', 'door_tag'],
] as const;
/** A door's history holds what happened to its cabinet. Answers the ground of each such condition, and the question without it. */
const doorsAsked = async (
  tx: Tx,
  tenantId: string,
  facts: Facts,
  query: ListQuery & Held,
): Promise<{ doors: Ground[]; rest: ListQuery & Held }> => {
  const doors: Ground[] = [];
  const q = { ...query.q };
  for (const [field, own, column] of DOORS) {
    const named = namedIn(q[field]);
    if (named === null) continue;
    delete q[field];
    doors.push(either(each(`e.${own}`, named), ofCabinets(await cabinetsWith(tx, tenantId, facts, column, named))));
  }
  return { doors, rest: { ...query, q } };
};

/** Which service a use was of is asked of each, and of all where none was: its type, which each event bears, leaves few to ask. */
const ofService = (wanted: unknown): Ground | null =>
  typeof wanted === 'string' ? only(sql<SqlBool>`e.occupation_type = ${wanted === 'selfservice' ? 'delivery' : wanted}`) : null;

const events: RowsOfCompany<EventRow> = (tx, tenantId) => tx.selectFrom('events as e').select(COLUMNS).where('e.tenant_id', '=', tenantId);

/** The newest of all that happened, by its words alone and not counted: later pages, and what systems and sheets ask. */
const isForOneWord = (facts: Facts, { q, sort, count, ids }: ListQuery & Held): boolean =>
  historyReach(facts).all && sort.startsWith('-') && count !== 'true' && ids === undefined && Object.keys(q ?? {}).join() === '$text';

export const listHistory = async (tx: Tx, tenantId: string, facts: Facts, query: ListQuery & Held) => {
  const whole = seesAllLockers(facts);
  const map = (row: EventRow): HistoryEvent => (whole ? toEvent(row) : ofTheirs(toEvent(row)));
  const word = isForOneWord(facts, query) ? oneWordSearched(query.q?.['$text']) : null;
  if (word) return page(tx, events, LIST, query, tenantId, map, word);
  const { doors, rest } = await doorsAsked(tx, tenantId, facts, query);
  const grounds = [
    await inSight(tx, tenantId, facts),
    await wordsSearched(tx, query.q?.['$text']),
    ofService(query.q?.['service']),
    ...doors,
  ];
  const ground = grounds.reduce((all, one) => (all && one ? both(all, one) : (all ?? one)), null);
  return page(tx, events, LIST, rest, tenantId, map, ground?.ways);
};

/** For live updates: each with what decides who may read it. */
export const eventsByIds = async (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ event: HistoryEvent; place: EventPlace }[]> => {
  const rows = await tx
    .selectFrom('events as e')
    .select([...COLUMNS, 'e.cabinet_id', 'e.occupation_type'])
    .where('e.tenant_id', '=', tenantId)
    .where(sql<SqlBool>`e.id = ${anyOf(ids)}`)
    .orderBy('e.at')
    .orderBy('e.id')
    .execute();
  const whole = rows.filter((row) => row.locker_id === null).flatMap((row) => row.cabinet_id ?? []);
  const lockers = await lockersOf(tx, tenantId, [...new Set(whole)]);
  return rows.map((row) => ({
    event: toEvent(row),
    place: {
      lockerId: row.locker_id,
      occupationType: row.occupation_type,
      cabinetLockers: row.locker_id === null && row.cabinet_id !== null ? (lockers.get(row.cabinet_id) ?? []) : null,
    },
  }));
};

const lockersOf = async (tx: Tx, tenantId: string, cabinetIds: readonly string[]): Promise<Map<string, string[]>> => {
  if (cabinetIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('lockers')
    .select(['id', 'cabinet_id'])
    .where('tenant_id', '=', tenantId)
    .where('cabinet_id', 'in', cabinetIds)
    .execute();
  const found = new Map<string, string[]>();
  for (const { id, cabinet_id } of rows) found.set(cabinet_id, [...(found.get(cabinet_id) ?? []), id]);
  return found;
};
