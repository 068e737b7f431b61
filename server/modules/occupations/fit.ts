import { sql } from 'kysely';
import { bestFit, ranked, type Candidate, type Fit, type Wish } from '@hatchway/domain/locker.ts';
import { namesFor, SIZES, type Service, type Size } from '@hatchway/domain/terms.ts';
import { maySeeLocker, mayUseOnLocker, type Facts } from '@hatchway/domain/access.ts';
import { TryAgain, type Tx } from '../../db/database.ts';
import { Problem } from '../../http/problem.ts';
import { activeNow } from '../../stages.ts';
import { doorNow, failingNow, heardNow, openByLink } from '../lockers/queries.ts';

/** More than this are never looked at: the first that fit are as good as any, and 50,000 lockers cost what 100 do. */
const CANDIDATES = 64;

export type Next = { lockerId: string; doorTag: string; why: string };

/** What is put unasked where somebody can open by a link, they could take. */
const isLinked = (tenantId: string) => sql`l.id = any(array(select locker_id from ${openByLink(tenantId)} k))`;
const REACH_RANK = sql`case l.reach when 'middle' then 0 when 'low' then 1 else 2 end`;

/** Lockers that can probably be had, near the order that the rule will give them. Locks nothing. */
const candidates = async (
  tx: Tx,
  tenantId: string,
  wish: Wish,
  only: readonly string[] | null,
  size: Size,
  failing: boolean,
  beside: string | null,
): Promise<Candidate[]> => {
  const named = sql.join(
    namesFor(wish.service).map((name) => sql`${name} = any(l.services)`),
    sql` or `,
  );
  const rows = await tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .select(['l.id', 'l.cabinet_id', 'l.door_tag', 'l.size', 'l.reach', 'c.connection', doorNow.as('door'), 'l.content', 'l.services'])
    .where('l.tenant_id', '=', tenantId)
    .where('l.size', '=', sql.lit(size))
    // written out, not beside the statement: only so does any plan see that `lockers_best` serves
    .where('l.content', '=', sql.lit('empty'))
    .where('l.out_of_service', 'is', null)
    .where('l.door', '=', sql.lit('closed'))
    // PostgreSQL takes what equals a parameter, or compares two tables, for a rare chance, and would sort all free lockers; of a bare
    // condition and of a case it has no opinion, and reads the first that fit out of lockers_best.
    .where(failing ? sql<boolean>`${failingNow}` : sql<boolean>`not ${failingNow}`)
    .where(sql<boolean>`case when ${heardNow} then true else false end`)
    .where(sql<boolean>`(l.services = '{}' or ${named})`)
    // Asked for each that is read. Of `not exists` PostgreSQL makes a join, by what it last counted: where it knew of few, each locker was
    // compared with all that the company has by then.
    .where(
      sql<boolean>`(select o.id from occupations o where o.tenant_id = l.tenant_id and o.locker_id = l.id and ${activeNow} limit 1) is null`,
    )
    .where(sql<boolean>`case when ${isLinked(tenantId)} then false else true end`)
    .$if(wish.cabinetId !== null, (query) => query.where('l.cabinet_id', '=', wish.cabinetId ?? ''))
    .$if(beside !== null, (query) =>
      query.where(sql<boolean>`c.site_id = (select site_id from cabinets where tenant_id = ${tenantId} and id = ${beside})`),
    )
    .$if(wish.not.length > 0, (query) => query.where(sql<boolean>`l.id <> all(${[...wish.not]}::uuid[])`))
    .$if(only !== null, (query) => query.where(sql<boolean>`l.id = any(${[...(only ?? [])]}::uuid[])`))
    .orderBy(REACH_RANK)
    .orderBy(sql`length(l.door_tag)`)
    .orderBy('l.door_tag')
    .limit(CANDIDATES)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    cabinetId: row.cabinet_id,
    doorTag: row.door_tag,
    size: row.size,
    reach: row.reach,
    connection: row.connection,
    door: row.door,
    content: row.content,
    outOfService: false,
    services: row.services,
    occupied: false,
    failing,
    linked: false,
  }));
};

/** Lockers that somebody with scopes alone may use for it; null: every one. */
const usable = (service: Service, facts: Facts | null): readonly string[] | null => {
  if (facts === null || mayUseOnLocker(service, '', facts)) return null;
  return facts.lockers === 'all'
    ? []
    : Object.keys(facts.lockers).filter((id) => maySeeLocker(id, facts) && mayUseOnLocker(service, id, facts));
};

const sizesFrom = (size: Size | null): readonly Size[] => SIZES.slice(size === null ? 0 : SIZES.indexOf(size));

type Found = { fit: Extract<Fit, { ok: true }>; ranked: readonly Candidate[] };
/**
 * The best fitting free locker, size by size, so that the smallest that will do is found first; `beside` keeps to the site of that
 * cabinet. Locks nothing.
 */
const find = async (tx: Tx, tenantId: string, wish: Wish, facts: Facts | null, beside: string | null = null): Promise<Found | null> => {
  const only = usable(wish.service, facts);
  // Doors that did not open when last asked come last, whatever their size.
  for (const failing of [false, true]) {
    for (const size of sizesFrom(wish.size)) {
      const found = await candidates(tx, tenantId, wish, only, size, failing, beside);
      const fit = bestFit(found, wish);
      if (fit.ok) return { fit, ranked: ranked(found, wish) };
    }
  }
  return null;
};

/** The next best door, for whoever stands before one that won't do: in the same cabinet first, else in one of its site. Locks nothing. */
export const nextBest = async (tx: Tx, tenantId: string, wish: Wish, facts: Facts | null): Promise<Next | null> => {
  const found =
    (await find(tx, tenantId, wish, facts)) ??
    (wish.cabinetId === null ? null : await find(tx, tenantId, { ...wish, cabinetId: null }, facts, wish.cabinetId));
  if (found === null) return null;
  const door = found.ranked.find((one) => one.id === found.fit.lockerId);
  return door ? { lockerId: door.id, doorTag: door.doorTag, why: found.fit.why } : null;
};

/**
 * Takes the best fitting free locker: its row is locked, and it is free, until the transaction ends. Many at once get one each: a
 * locker whose row another transaction holds is passed by, never waited for, so nothing can deadlock. When all that is left is held by
 * others, theirs may come to nothing: `patient` throws TryAgain then, so that the whole transaction runs again. Null: none is free.
 */
export const takeBest = async (tx: Tx, tenantId: string, wish: Wish, facts: Facts | null, patient: boolean): Promise<Next | null> => {
  const not = new Set(wish.not);
  for (;;) {
    const found = await find(tx, tenantId, { ...wish, not: [...not] }, facts);
    if (found === null) return null;
    const ids = found.ranked.map((one) => one.id);
    const locked = await tx
      .selectFrom('lockers')
      .select(['id', 'door_tag', 'size', 'content', 'out_of_service'])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .orderBy(sql`array_position(${ids}::uuid[], id)`)
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!locked) {
      if (patient) throw new TryAgain(new Problem('no-free-locker'));
      return null;
    }
    // Its last user may have committed between the look and the lock: what holds is what is read now.
    const { rows } = await sql<{ free: boolean }>`
      select l.content = 'empty' and l.out_of_service is null
        and not exists (select from occupations o where o.tenant_id = l.tenant_id and o.locker_id = l.id and ${activeNow})
        and not ${isLinked(tenantId)} as free
      from lockers l where l.tenant_id = ${tenantId} and l.id = ${locked.id}`.execute(tx);
    if (!rows[0]?.free) {
      not.add(locked.id);
      continue;
    }
    const why = wish.size === null ? 'smallest-free' : locked.size === wish.size ? 'exact-size' : 'next-size-up';
    return { lockerId: locked.id, doorTag: locked.door_tag, why };
  }
};
