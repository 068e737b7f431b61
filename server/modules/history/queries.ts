import { sql, type Selectable, type SqlBool } from 'kysely';
import type { HistoryEvent } from '@hatchway/contract/history.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { historyReach, type Facts } from '@hatchway/domain/access.ts';
import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { EventsTable } from '../../db/tables/events.ts';
import { page, type ListSpec } from '../../http/list.ts';
import { waysOfWords } from './search.ts';
import { WORDS } from './words.ts';

/** A word of a kind (`GET /types/{kind}`) as people read it; itself where nobody has one. */
export const wordFor = (kind: string, value: string | number, locale: 'en' | 'nb'): string => {
  const found = WORDS[kind]?.find(([known]) => known === value);
  return found ? found[locale === 'en' ? 1 : 2] : String(value);
};

const toEvent = (row: Selectable<EventsTable>): HistoryEvent => ({
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
    hour: sql`extract(hour from e.at at time zone (select c.time_zone from companies c where c.id = e.tenant_id))::int`,
    service: sql`(select o.service from occupations o where o.tenant_id = e.tenant_id and o.id = e.occupation_id)`,
    currency: sql`e.data->>'currency'`,
  },
  sorts: { at: AT, createdAt: AT },
  id: sql.ref('e.id'),
};

/** `mayReadEvent` as a condition, or null for whoever reads it all. */
export const readable = (facts: Facts): ReturnType<typeof sql<SqlBool>> | null => {
  const reach = historyReach(facts);
  if (reach.all) return null;
  return sql<SqlBool>`(e.occupation_type = any(${reach.types}) or e.locker_id = any(${reach.lockerIds}))`;
};

/** The same as ways of a page: one for each type, since an index keeps the order of time within one. */
const waysOf = (facts: Facts): ReturnType<typeof sql<SqlBool>>[] | null => {
  const reach = historyReach(facts);
  if (reach.all) return null;
  const lockers = reach.lockerIds.length > 0 ? [sql<SqlBool>`e.locker_id = any(${reach.lockerIds})`] : [];
  return [...reach.types.map((type) => sql<SqlBool>`e.occupation_type = ${type}`), ...lockers];
};

export const listHistory = async (tx: Tx, tenantId: string, facts: Facts, query: ListQuery) => {
  const rows = tx.selectFrom('events as e').selectAll('e').where('e.tenant_id', '=', tenantId);
  const seen = waysOf(facts);
  const said = await waysOfWords(tx, tenantId, query.q?.['$text']);
  const ways = seen && said ? seen.flatMap((one) => said.map((other) => sql<SqlBool>`${one} and ${other}`)) : (said ?? seen);
  return page(rows, LIST, query, tenantId, toEvent, ways);
};

/** For live updates: each with what decides who may read it. */
export const eventsByIds = async (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ event: HistoryEvent; occupationType: OccupationType | null }[]> =>
  (
    await tx
      .selectFrom('events as e')
      .selectAll('e')
      .where('e.tenant_id', '=', tenantId)
      .where(sql<SqlBool>`e.id = any(${ids})`)
      .orderBy('e.at')
      .orderBy('e.id')
      .execute()
  ).map((row) => ({ event: toEvent(row), occupationType: row.occupation_type }));
