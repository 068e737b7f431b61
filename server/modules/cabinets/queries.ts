import { sql, type Selectable } from 'kysely';
import type { Cabinet, Site } from '@hatchway/contract/cabinets.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '../../db/database.ts';
import type { SitesTable } from '../../db/tables/lockers.ts';
import { TWO_CONTROLLERS } from '../../devices/fact.ts';
import { page } from '../../http/list.ts';
import { maySeeSite, seesAllSites, type Facts } from '@hatchway/domain/access.ts';
import { absent } from '../../http/problem.ts';
import { lockersInSight } from '../../sight.ts';

export const toSite = (row: Selectable<SitesTable>): Site => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  address: row.address,
  lat: row.lat,
  lng: row.lng,
  openingHours: row.opening_hours,
  hours: row.hours,
  closedDays: row.closed_days,
  tlf: row.tlf,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The lockers that stand at a site `s`. */
const lockersThere = sql<string[]>`array(select l.id from lockers l join cabinets c on c.tenant_id = l.tenant_id and c.id = l.cabinet_id
  where c.tenant_id = s.tenant_id and c.site_id = s.id)`;
const siteRows = (tx: Tx, tenantId: string) => tx.selectFrom('sites as s').selectAll('s').where('s.tenant_id', '=', tenantId);

/** `maySeeSite`, as a condition. */
export const listSites = (tx: Tx, tenantId: string, facts: Facts, query: ListQuery) => {
  const sight = lockersInSight(facts);
  const rows = siteRows(tx, tenantId);
  return page(
    tx,
    seesAllSites(facts) || sight.all ? rows : rows.where(sql<boolean>`${lockersThere} && ${sight.ids}::uuid[]`),
    {
      fields: { id: sql.ref('s.id'), name: sql.ref('s.name') },
      sorts: { createdAt: { column: sql.ref('s.created_at'), type: 'timestamptz' }, name: { column: sql`lower(s.name)`, type: 'text' } },
      id: sql.ref('s.id'),
    },
    query,
    tenantId,
    toSite,
  );
};

/** Whoever asks; each with who may see it. */
export const sitesByIds = async (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ site: Site; sees: (facts: Facts) => boolean }[]> =>
  (
    await siteRows(tx, tenantId)
      .select(lockersThere.as('lockers'))
      .where(sql<boolean>`s.id = any(${ids})`)
      .execute()
  ).map((row) => ({ site: toSite(row), sees: (facts) => maySeeSite(row.lockers, facts) }));

/** Cabinets in the caller's sight: all of them, or those that hold one of their lockers. */
const rows = (tx: Tx, tenantId: string, facts: Facts) => {
  const sight = lockersInSight(facts);
  const all = cabinetRows(tx, tenantId);
  return sight.all
    ? all
    : all.where(
        sql<boolean>`exists (select 1 from lockers l where l.tenant_id = c.tenant_id and l.cabinet_id = c.id and l.id = any(${sight.ids}))`,
      );
};

const cabinetRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('cabinets as c')
    .innerJoin('sites as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.site_id'))
    .where('c.tenant_id', '=', tenantId)
    .select([
      'c.id',
      'c.tenant_id',
      'c.number',
      'c.site_id',
      's.name as site_name',
      'c.name',
      'c.columns',
      'c.connection',
      'c.connection_at',
      'c.offline_reason',
      'c.last_seen_at',
      'c.clock_behind',
      'c.keypad_shut_at',
      'c.keypad_shut_until',
      'c.firmware',
      'c.can_lock',
      'c.has_sensors',
      'c.credential_hash',
      'c.pairing_hash',
      'c.pairing_expires_at',
      'c.layout_version',
      'c.created_at',
      'c.updated_at',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof cabinetRows>['executeTakeFirstOrThrow']>>;

const toCabinet = (row: Row): Cabinet => ({
  id: row.id,
  tenantId: row.tenant_id,
  number: row.number,
  siteId: row.site_id,
  siteName: row.site_name,
  name: row.name,
  columns: row.columns,
  connection: row.connection,
  connectionAt: row.connection_at,
  twoControllers: row.offline_reason === TWO_CONTROLLERS,
  lastSeenAt: row.last_seen_at,
  clockBehind: row.clock_behind,
  keypadShut: row.keypad_shut_at && row.keypad_shut_until ? { since: row.keypad_shut_at, until: row.keypad_shut_until } : null,
  firmware: row.firmware,
  canLock: row.can_lock,
  hasSensors: row.has_sensors,
  pairing: row.credential_hash ? 'paired' : row.pairing_hash ? 'waiting' : 'unpaired',
  pairingUntil: row.pairing_hash ? row.pairing_expires_at : null,
  version: row.layout_version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const listCabinets = (tx: Tx, tenantId: string, facts: Facts, query: ListQuery) =>
  page(
    tx,
    rows(tx, tenantId, facts),
    {
      fields: {
        id: sql.ref('c.id'),
        siteId: sql.ref('c.site_id'),
        connection: sql.ref('c.connection'),
        number: sql.ref('c.number'),
        name: sql.ref('c.name'),
      },
      sorts: {
        createdAt: { column: sql.ref('c.created_at'), type: 'timestamptz' },
        name: { column: sql`lower(c.name)`, type: 'text' },
        number: { column: sql.ref('c.number'), type: 'int' },
      },
      id: sql.ref('c.id'),
    },
    query,
    tenantId,
    toCabinet,
  );

export const oneCabinet = async (tx: Tx, tenantId: string, facts: Facts, id: string): Promise<Cabinet> =>
  toCabinet(await rows(tx, tenantId, facts).where('c.id', '=', id).executeTakeFirstOrThrow(absent));

/** For the server's own purposes, whoever asks. */
export const cabinetById = async (tx: Tx, tenantId: string, id: string): Promise<Cabinet | null> => {
  const row = await cabinetRows(tx, tenantId).where('c.id', '=', id).executeTakeFirst();
  return row ? toCabinet(row) : null;
};
