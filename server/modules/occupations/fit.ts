import { sql } from 'kysely';
import { bestFit, type Wish } from '@hatchway/domain/locker.ts';
import { namesFor, SIZES, type Service, type Size } from '@hatchway/domain/terms.ts';
import { maySeeLocker, mayUseOnLocker, type Facts } from '@hatchway/domain/access.ts';
import { TryAgain, type Tx } from '../../db/database.ts';
import { madeOnce } from '../../db/made-once.ts';
import { Problem } from '../../http/problem.ts';
import { activeNow, stageNo } from '../../stages.ts';
import { doorNow, failingNow, heardNow, openByLink } from '../lockers/queries.ts';

export type Next = { lockerId: string; doorTag: string; why: string };

/** What is put unasked where somebody can open by a link, they could take. */
const isLinked = (tenantId: string) => sql`l.id = any(array(select locker_id from ${openByLink(tenantId)} k))`;
/**
 * Reserved doors stay empty until they are filled, and stand before all others in the order of a look: read once for all of it, 150 of them
 * take half as long as asked one by one. A use has no locker only once it has ended.
 */
const reserved = (tenantId: string) =>
  sql`select r.locker_id from occupations r where r.tenant_id = ${tenantId} and r.stage = ${stageNo('RESERVED')}`;
const REACH_RANK = sql`case l.reach when 'middle' then 0 when 'low' then 1 else 2 end`;

type Look = {
  wish: Wish;
  only: readonly string[] | null;
  size: Size;
  failing: boolean;
  /** Keeps to the site of that cabinet. */
  beside: string | null;
};

/** What a look is asked with. */
type Asked = {
  tenantId: string;
  cabinetId: string | null;
  beside: string | null;
  not: readonly string[];
  only: readonly string[] | null;
};

/**
 * True unless another transaction wrote the locker's row since the look began. PostgreSQL then judges the new row, but still reads the uses
 * of before. Each use that begins or ends at a locker raises its version.
 */
const unchanged = sql`l.version = (select was.version from lockers was where was.tenant_id = l.tenant_id and was.id = l.id)`;

/**
 * The first locker of that size that can be had, in the order of the rule. `look` says what is asked, and `asked` of what. `taking` locks its
 * row, and passes by those that others hold or have just written.
 */
const firstOf = (tx: Tx, { wish, only, size, failing, beside }: Look, asked: Asked, taking: boolean) => {
  const { tenantId } = asked;
  const named = sql.join(
    namesFor(wish.service).map((name) => sql`${name} = any(l.services)`),
    sql` or `,
  );
  return (
    tx
      .selectFrom('lockers as l')
      .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
      .select([
        'l.id',
        'l.cabinet_id',
        'l.door_tag',
        'l.size',
        'l.reach',
        'c.connection',
        doorNow.as('door'),
        'l.content',
        'l.services',
        'l.policy_ref',
      ])
      .where('l.tenant_id', '=', tenantId)
      .where('l.size', '=', sql.lit(size))
      // written out, not beside the statement: only so does any plan see that `lockers_best` serves
      .where('l.content', '=', sql.lit('empty'))
      .where('l.out_of_service', 'is', null)
      .where('l.door', '=', sql.lit('closed'))
      // PostgreSQL takes what equals a parameter, what two tables have alike and what is null for a rare chance, and would read and sort all
      // free lockers; of a bare condition and of a case it has no opinion, and reads the first that fits out of lockers_best.
      .where(failing ? sql<boolean>`${failingNow}` : sql<boolean>`not ${failingNow}`)
      .where(sql<boolean>`case when ${heardNow} then true else false end`)
      .where(sql<boolean>`(l.services = '{}' or ${named})`)
      // Asked for each that is read. Of `not exists` PostgreSQL makes a join, by what it last counted: where it knew of few, each locker was
      // compared with all that the company has by then.
      .where(
        sql<boolean>`case when (select o.id from occupations o where o.tenant_id = l.tenant_id and o.locker_id = l.id and ${activeNow} limit 1)
          is null then ${taking ? unchanged : sql`true`} else false end`,
      )
      .where(sql<boolean>`case when ${isLinked(tenantId)} then false else true end`)
      // of one cabinet, one site or a few doors there are few to ask
      .$if(wish.cabinetId === null && beside === null && only === null, (query) =>
        query.where(sql<boolean>`l.id not in (${reserved(tenantId)})`),
      )
      .$if(wish.cabinetId !== null, (query) => query.where('l.cabinet_id', '=', asked.cabinetId))
      .$if(beside !== null, (query) =>
        query.where(sql<boolean>`c.site_id = (select site_id from cabinets where tenant_id = ${tenantId} and id = ${asked.beside})`),
      )
      .$if(wish.not.length > 0, (query) => query.where(sql<boolean>`l.id <> all(${asked.not}::uuid[])`))
      .$if(only !== null, (query) => query.where(sql<boolean>`l.id = any(${asked.only}::uuid[])`))
      .orderBy(REACH_RANK)
      .orderBy(sql`l.door_tag collate by_name_en`)
      .orderBy('l.id')
      .limit(1)
      .$if(taking, (query) => query.forUpdate('l').skipLocked())
  );
};
type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof firstOf>['executeTakeFirst']>>>;

const asks = new Map<string, (tx: Tx, asked: Asked) => Promise<Row[]>>();
/** One statement for each kind of look. */
const first = async (tx: Tx, tenantId: string, look: Look, taking: boolean): Promise<Row | undefined> => {
  const { wish, only, size, failing, beside } = look;
  const { service, cabinetId, not } = wish;
  const kind = [taking, service, size, failing, cabinetId === null, beside === null, not.length === 0, only === null].join();
  const ask = asks.get(kind) ?? madeOnce((within: Tx, asked: Asked) => firstOf(within, look, asked, taking).compile());
  asks.set(kind, ask);
  const [row] = await ask(tx, { tenantId, cabinetId, beside, not, only });
  return row;
};

/** What the rule says of it, and why it is the one. */
const nextOf = (row: Row | undefined, { wish, failing }: Look): Next | null => {
  if (row === undefined) return null;
  const { id, door_tag: doorTag, cabinet_id: cabinetId, ...known } = row;
  const fit = bestFit([{ ...known, id, doorTag, cabinetId, outOfService: false, occupied: false, failing, linked: false }], wish);
  return fit.ok ? { lockerId: id, doorTag, why: fit.why } : null;
};

/** Lockers that somebody with scopes alone may use for it; null: every one. */
const usable = (service: Service, facts: Facts | null): readonly string[] | null => {
  if (facts === null || mayUseOnLocker(service, '', facts)) return null;
  return facts.lockers === 'all'
    ? []
    : Object.keys(facts.lockers).filter((id) => maySeeLocker(id, facts) && mayUseOnLocker(service, id, facts));
};

const sizesFrom = (size: Size | null): readonly Size[] => SIZES.slice(size === null ? 0 : SIZES.indexOf(size));

/** Where it is looked, one after the other: doors that did not open when last asked come last, whatever their size, and the smallest that will do first. */
const looks = (wish: Wish, facts: Facts | null, beside: string | null = null): Look[] => {
  const only = usable(wish.service, facts);
  return [false, true].flatMap((failing) => sizesFrom(wish.size).map((size) => ({ wish, only, size, failing, beside })));
};

/** The best fitting free locker. Locks nothing. */
const find = async (tx: Tx, tenantId: string, all: readonly Look[]): Promise<Next | null> => {
  for (const look of all) {
    const next = nextOf(await first(tx, tenantId, look, false), look);
    if (next !== null) return next;
  }
  return null;
};

/** The next best door, for whoever stands before one that won't do: in the same cabinet first, else in one of its site. Locks nothing. */
export const nextBest = async (tx: Tx, tenantId: string, wish: Wish, facts: Facts | null): Promise<Next | null> =>
  (await find(tx, tenantId, looks(wish, facts))) ??
  (wish.cabinetId === null ? null : await find(tx, tenantId, looks({ ...wish, cabinetId: null }, facts, wish.cabinetId)));

const take = async (tx: Tx, tenantId: string, look: Look): Promise<(Next & { row: Row }) | null> => {
  const row = await first(tx, tenantId, look, true);
  const next = nextOf(row, look);
  return row === undefined || next === null ? null : { ...next, row };
};

/**
 * Takes the best fitting free locker: its row is locked, and it is free, until the transaction ends. Many at once get one each: a
 * locker whose row another transaction holds is passed by, never waited for, so nothing can deadlock. When all that is left of a size is
 * held by others, theirs may come to nothing: `patient` throws TryAgain then, so that the whole transaction runs again. Null: none is free.
 */
export const takeBest = async (
  tx: Tx,
  tenantId: string,
  wish: Wish,
  facts: Facts | null,
  patient: boolean,
): Promise<(Next & { row: Row }) | null> => {
  for (const look of looks(wish, facts)) {
    const taken = await take(tx, tenantId, look);
    if (taken !== null) return taken;
    if ((await find(tx, tenantId, [look])) === null) continue;
    // What was only written meanwhile can be had now, and what others hold cannot.
    const late = await take(tx, tenantId, look);
    if (late !== null) return late;
    if (patient) throw new TryAgain(new Problem('no-free-locker'));
    return null;
  }
  return null;
};
