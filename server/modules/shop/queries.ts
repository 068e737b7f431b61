import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { PickupCompany } from '@hatchway/contract/pickup.ts';
import type { Good, Shop, ShopSales, ShopState, Storefront } from '@hatchway/contract/shop.ts';
import { mayBeGone } from '@hatchway/domain/locker.ts';
import { holdFor } from '@hatchway/domain/payment.ts';
import { isPriced } from '@hatchway/domain/price.ts';
import { isOpenAt } from '@hatchway/domain/hours.ts';
import { shopNameOf } from '@hatchway/domain/shop.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { absent } from '../../http/problem.ts';
import { isPayable } from '../integrations/vipps-queries.ts';
import { companyFacts, shownCompany } from '../occupations/context-queries.ts';
import { failingNow } from '../lockers/queries.ts';
import { occupationRows, toOccupation, type OccupationRow } from '../occupations/row-queries.ts';
import { pictureAt } from '../pictures.ts';

export type ShopRow = NonNullable<Awaited<ReturnType<typeof shopRow>>>;
export const shopRow = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('shops as s')
    .leftJoin('public_refs as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.target_id', '=', 's.id').on('r.kind', '=', 'shop'),
    )
    .select(['s.id', 's.open', 's.hours', 's.version', 'r.ref'])
    .where('s.tenant_id', '=', tenantId)
    // The newest of its names; the others lead to it still.
    .orderBy('r.created_at', (order) => order.desc().nullsLast())
    .executeTakeFirst();

type Sold = ShopSales['today'];
/** What came in and went back since then, by currency, of what is sold. */
const soldSince = async (tx: Tx, tenantId: string, since: RawBuilder<string>): Promise<Sold> => {
  const { rows } = await sql<{ count: number; amount: number; currency: string }>`
    select count(*) filter (where type = 'payment_captured')::int as count,
      sum(case type when 'payment_captured' then 1 else -1 end * (data->>'amount')::bigint)::bigint as amount, data->>'currency' as currency
    from events where tenant_id = ${tenantId} and type in ('payment_captured', 'payment_refunded') and occupation_type = 'sale' and at >= ${since}
    group by data->>'currency' order by 3`.execute(tx);
  return rows;
};

type Hours = { open: boolean; hours: Storefront['hours'] };
const stateOf = ({ open, hours }: Hours, payable: boolean, timeZone: string, now: string): ShopState =>
  !open ? 'closed' : !payable ? 'not-payable' : isOpenAt(hours, timeZone, now) ? 'open' : 'outside-hours';

/** The shop as its staff see it. */
export const storefrontOf = async (tx: Tx, deps: Pick<Deps, 'seal' | 'config'>, tenantId: string, now: string): Promise<Storefront> => {
  const row = await shopRow(tx, tenantId);
  const name = row?.ref ?? null;
  const payable = await isPayable(tx, deps, tenantId);
  const { time_zone: timeZone } = await tx.selectFrom('companies').select('time_zone').where('id', '=', tenantId).executeTakeFirstOrThrow();
  return {
    _id: tenantId,
    name,
    url: name === null ? null : `${deps.config.publicUrl}/shop/${name}`,
    open: row?.open ?? false,
    state: stateOf(row ?? { open: false, hours: [] }, payable, timeZone, now),
    hours: row?.hours ?? [],
    payable,
    version: row?.version ?? 0,
  };
};

/** What was sold, to whoever may read payments. */
export const shopSales = async (tx: Tx, tenantId: string, now: string): Promise<ShopSales> => {
  const company = await tx.selectFrom('companies').select('time_zone').where('id', '=', tenantId).executeTakeFirstOrThrow();
  const beginning = (unit: 'day' | 'month') =>
    sql<string>`date_trunc(${unit}, ${now}::timestamptz at time zone ${company.time_zone}) at time zone ${company.time_zone}`;
  return { today: await soldSince(tx, tenantId, beginning('day')), month: await soldSince(tx, tenantId, beginning('month')) };
};

/** Whose shop a name is. Throws `not-found` for no shop's name. */
export const shopOf = async (deps: Deps, typed: string): Promise<{ tenantId: string; name: string }> => {
  const name = shopNameOf(typed);
  const ref =
    name === null
      ? undefined
      : await deps.db.open((tx) =>
          tx.selectFrom('public_refs').select('tenant_id').where('kind', '=', 'shop').where('ref', '=', name).executeTakeFirst(),
        );
  if (!ref || name === null) throw absent();
  return { tenantId: ref.tenant_id, name };
};

/** More than any wall of lockers holds of goods; a shop is not read page by page. */
const MOST = 500;

/** What may be sold now: published, with a price, in nobody's name, certainly still there, and behind a door that opened when it was last asked. */
export const goodsOf = async (tx: Tx, tenantId: string, id?: string): Promise<OccupationRow[]> => {
  const rows = await occupationRows(tx, tenantId)
    .where('o.type', '=', 'sale')
    .where('o.stage', '>=', STAGES.ACQUIRABLE)
    .where('o.stage', '<=', STAGES.CLAIMING)
    .where('o.receiver_name', 'is', null)
    .where('l.out_of_service', 'is', null)
    .where((eb) => eb.not(failingNow))
    .$if(id !== undefined, (query) => query.where('o.id', '=', id ?? ''))
    .orderBy('o.created_at')
    .limit(MOST)
    .execute();
  return rows.filter((row) => isPriced(toOccupation(row).price) && !(row.content !== null && mayBeGone(toOccupation(row), row.content)));
};

type Extra = { has_image: boolean; buyers: number };
const toGood = (row: OccupationRow, { has_image: hasImage, buyers }: Extra, cabinet: string): Good => {
  const o = toOccupation(row);
  const left = Math.max(0, o.quantity - o.held);
  const hold = holdFor(o, 1);
  return {
    id: o.id,
    name: row.asset_name ?? o.assetText ?? '',
    hasImage,
    price: o.price ?? { amount: 0, currency: 'NOK' },
    left,
    hold: row.connection === 'offline' ? 'cabinet-offline' : hold.ok ? null : o.held > 0 ? 'being-bought' : 'sold-out',
    buyers,
    cabinet,
    doorTag: o.doorTag,
  };
};

const extrasOf = async (tx: Tx, tenantId: string, ids: readonly string[]): Promise<Map<string, Extra>> => {
  const { rows } = await sql<Extra & { id: string }>`
    select o.id, a.image_file_id is not null as has_image,
      (select count(*) from payments p where p.tenant_id = o.tenant_id and p.occupation_id = o.id and p.state = 'initiated')::int as buyers
    from occupations o left join assets a on a.tenant_id = o.tenant_id and a.id = o.asset_id
    where o.tenant_id = ${tenantId} and o.id = any(${ids}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, ...extra }) => [id, extra]));
};

const cabinetsOf = async (tx: Tx, tenantId: string, ids: readonly string[]): Promise<(Shop['cabinets'][number] & { id: string })[]> => {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('cabinets as c')
    .innerJoin('sites as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.site_id'))
    .select(['c.id', 'c.number', 'c.name', 'c.columns', 's.name as site', 's.address', 's.opening_hours', 's.hours', 's.tlf'])
    .where('c.tenant_id', '=', tenantId)
    .where('c.id', 'in', ids)
    .orderBy('c.number')
    .execute();
  const tags = await tx.selectFrom('lockers').select(['id', 'door_tag']).where('tenant_id', '=', tenantId).where('cabinet_id', 'in', rows.map(({ id }) => id)).execute(); // prettier-ignore
  const tagOf = new Map(tags.map(({ id, door_tag }) => [id, door_tag]));
  return rows.map((row) => ({
    id: row.id,
    number: String(row.number),
    name: row.name,
    site: { name: row.site, address: row.address, openingHours: row.opening_hours, hours: row.hours, tlf: row.tlf === '' ? null : row.tlf },
    columns: row.columns.map(({ width, doors }) => ({
      width,
      doors: doors.map(({ height, lockerId }) => ({ height, doorTag: lockerId === null ? null : (tagOf.get(lockerId) ?? null) })),
    })),
  }));
};

export type Standing = { state: ShopState; row: ShopRow; company: PickupCompany };
/** How the shop stands to a customer. Throws `not-found` where the company is suspended, or may not sell. */
export const standingOf = async (tx: Tx, deps: Deps, tenantId: string, now: string): Promise<Standing> => {
  const row = await shopRow(tx, tenantId);
  const licensed = await tx.selectFrom('companies').select('licenses').where('id', '=', tenantId).executeTakeFirst();
  const company = await companyFacts(tx, tenantId);
  if (!row || company.suspended || !licensed?.licenses.includes('sales')) throw absent();
  const state = stateOf(row, await isPayable(tx, deps, tenantId), company.timeZone, now);
  return { state, row, company: shownCompany(company) };
};

/** The shop as a customer sees it. Closed, it shows what it is and nothing that it sells. */
export const shopView = async (tx: Tx, deps: Deps, { tenantId, name }: { tenantId: string; name: string }, now: string): Promise<Shop> => {
  const { state, row, company } = await standingOf(tx, deps, tenantId, now);
  const rows = state === 'closed' ? [] : await goodsOf(tx, tenantId);
  const extras = await extrasOf(tx, tenantId, rows.map(({ id }) => id)); // prettier-ignore
  const places = await cabinetsOf(tx, tenantId, [...new Set(rows.flatMap(({ cabinet_id: id }) => id ?? []))]); // prettier-ignore
  const numberOf = new Map(places.map(({ id, number }) => [id, number]));
  const goods = rows.map((one) =>
    toGood(one, extras.get(one.id) ?? { has_image: false, buyers: 0 }, numberOf.get(one.cabinet_id ?? '') ?? ''),
  );
  const cabinets = places.map(({ id: _id, ...place }) => place);
  const seen = { name, company, state, hours: row.hours, goods, cabinets };
  return { rev: createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 22), now, ...seen };
};

const WIDTH = 480;
/** Of what is for sale alone: pictures of other things are the company's own. Throws `not-found`. */
export const goodImage = async (
  tx: Tx,
  deps: Deps,
  tenantId: string,
  id: string,
  now: string,
): Promise<{ bytes: Buffer; etag: string }> => {
  const { state } = await standingOf(tx, deps, tenantId, now);
  const [row] = state === 'closed' ? [] : await goodsOf(tx, tenantId, id);
  const asset = row?.asset_id
    ? await tx
        .selectFrom('assets')
        .select('image_file_id')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', row.asset_id)
        .executeTakeFirst()
    : undefined;
  return pictureAt(tx, tenantId, asset?.image_file_id, WIDTH);
};

export const shopLogo = async (tx: Tx, deps: Deps, tenantId: string, now: string): Promise<{ bytes: Buffer; etag: string }> => {
  await standingOf(tx, deps, tenantId, now);
  return pictureAt(tx, tenantId, (await companyFacts(tx, tenantId)).logoId, WIDTH);
};
