import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { opening, openings } from '@hatchway/contract/access.ts';
import {
  factsFrom,
  mayAdminister,
  mayBuildAnywhere,
  mayHaveKeys,
  mayReadAllHistory,
  seesAllLockers,
  type Facts,
  type Named,
} from '@hatchway/domain/access.ts';
import { explainKey, explainPerson, type Door, type Explained, type Held, type Holder } from '@hatchway/domain/opening.ts';
import type { Tx } from '../../db/database.ts';
import { nameOrder } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import { activeNow } from '../../stages.ts';
import { isOfferTo, takersOf } from '../pickup/offer-queries.ts';
import { linksThatOpen, receiverWhoMayOpen } from '../pickup/holder-queries.ts';

type Opening = z.infer<typeof opening>;
type Openings = z.infer<typeof openings>;
type Why = Opening['why'][number];

type Place = Door & { doorTag: string; cabinet: string; occupationId: string | null };
const doors = async (tx: Tx, tenantId: string, which: (rows: ReturnType<typeof places>) => ReturnType<typeof places>): Promise<Place[]> =>
  (await which(places(tx, tenantId)).execute()).map((row) => {
    const occupation: Named | null =
      row.type === null || row.stage === null ? null : { type: row.type, stage: row.stage, lockerId: row.id };
    return { lockerId: row.id, doorTag: row.door_tag, cabinet: row.cabinet, occupation, occupationId: row.occupation_id };
  });
const places = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'l.tenant_id').onRef('o.locker_id', '=', 'l.id').on(activeNow))
    .where('l.tenant_id', '=', tenantId)
    .select(['l.id', 'l.door_tag', 'c.name as cabinet', 'o.id as occupation_id', 'o.type', 'o.stage'])
    .orderBy('l.door_tag');

type Person = Holder & { id: string; name: string; email: string | null };
type PersonRow = { id: string; name: string; email: string | null; roles: string[]; licenses: string[] | null; permissions: Held[] };
/**
 * Members as the guard of every call sees them, each permission with the groups of theirs that it comes through. Asked of one door, that
 * one and whether there are any are told of its lockers: a permission may name thousands, and hundreds hold it.
 */
const people = async (tx: Tx, tenantId: string, accountId: string | null, at: string | null = null): Promise<Person[]> => {
  const lockers =
    at === null ? sql`p.locker_ids` : sql`case when ${at}::uuid = any(p.locker_ids) then array[${at}::uuid] else p.locker_ids[1:1] end`;
  const order = await nameOrder(tx, tenantId);
  const { rows } = await sql<PersonRow>`
    select a.id, a.name, a.email, m.roles, c.licenses,
      coalesce((
        select json_agg(json_build_object('id', p.id, 'name', p.name, 'scopes', p.scopes, 'lockers', ${lockers}, 'groups', mine.groups)
          order by p.name ${order})
        from permissions p
        cross join lateral (
          select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name ${order}) as groups
          from group_members gm join groups g on g.tenant_id = gm.tenant_id and g.id = gm.group_id
          where gm.tenant_id = ${tenantId} and gm.account_id = a.id and gm.group_id = any(p.group_ids)) mine
        where p.tenant_id = ${tenantId} and mine.groups is not null), '[]') as permissions
    from memberships m
    join accounts a on a.id = m.account_id
    left join companies c on c.id = m.tenant_id
    where m.tenant_id = ${tenantId} and a.disabled_at is null and (${accountId}::uuid is null or a.id = ${accountId}::uuid)
    order by a.name ${order}, a.id`.execute(tx);
  return rows.map((row) => ({ ...row, licenses: row.licenses ?? [] }));
};

const toWhy = (reason: Explained): Why => ({
  by: reason.by,
  service: reason.service,
  role: reason.by === 'role' ? reason.role : null,
  scope: reason.by === 'scope' ? reason.scope : null,
  permissions: reason.permissions.map(({ id, name, groups }) => ({ id, name, groups: [...groups] })),
  policies: [],
});
const plain = (by: 'link' | 'receiver' | 'offer', service: string, policies: Why['policies'] = []): Why => ({
  by,
  service,
  role: null,
  scope: null,
  permissions: [],
  policies,
});

/** Whoever opens one of these doors by signing in at its cabinet, and why. */
const offered = async (tx: Tx, tenantId: string, accountIds: readonly string[], found: readonly Place[], now: string) => {
  const types = new Map(
    found.flatMap(({ occupationId, occupation }) => (occupationId && occupation ? [[occupationId, occupation.type]] : [])),
  );
  const takers = await takersOf(tx, tenantId, accountIds, [...types.keys()], now);
  const why = new Map(
    takers.map(({ accountId, occupationId, policies }) => [
      `${accountId} ${occupationId}`,
      plain(
        'offer',
        types.get(occupationId) ?? '',
        policies.map(({ _id: id, name }) => ({ id, name })),
      ),
    ]),
  );
  return (accountId: string, { occupationId }: Place): Why[] => {
    const one = why.get(`${accountId} ${occupationId}`);
    return one === undefined ? [] : [one];
  };
};

/** As the caller may read it elsewhere: a key that changes permissions need not read who opens, only that somebody does and why. */
const shownTo = (facts: Facts, one: Opening): Opening => {
  // The history names whoever acted in it.
  const history = mayReadAllHistory(facts);
  const people = (['accounts', 'memberships', 'groups'] as const).some((noun) => mayAdminister(noun, facts));
  const named = { person: history || people, key: history, link: history || mayBuildAnywhere(facts), receiver: history }[one.kind];
  const detailed = { person: people, key: mayHaveKeys(facts), link: true, receiver: true }[one.kind];
  return { ...one, name: named ? one.name : '', detail: detailed ? one.detail : null };
};

/** Who can open this locker now, and why: people, keys, links, and the receiver of what lies in it. */
const ofLocker = async (tx: Tx, tenantId: string, lockerId: string, now: string): Promise<Openings> => {
  const [door] = await doors(tx, tenantId, (rows) => rows.where('l.id', '=', lockerId));
  if (!door) throw absent();
  const at = { lockerId, doorTag: door.doorTag, cabinet: door.cabinet };
  const members = await people(tx, tenantId, null, lockerId);
  const bySigningIn = await offered(
    tx,
    tenantId,
    members.map((one) => one.id),
    [door],
    now,
  );
  const found: Opening[] = members.map((one) => ({
    kind: 'person',
    id: one.id,
    name: one.name,
    detail: one.email,
    ...at,
    why: [...explainPerson(door, one).map(toWhy), ...bySigningIn(one.id, door)],
  }));
  const keys = await tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'scopes', 'created_by'])
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy(sql`name ${await nameOrder(tx, tenantId)}`)
    .execute();
  for (const key of keys) {
    const maker = members.find((one) => one.id === key.created_by);
    const why = maker ? explainKey(door, factsFrom(maker), key.scopes).map(toWhy) : [];
    found.push({ kind: 'key', id: key.id, name: key.name, detail: key.prefix, ...at, why });
  }
  for (const { id, name, purpose } of await linksThatOpen(tx, tenantId, lockerId, now))
    found.push({ kind: 'link', id, name, detail: purpose, ...at, why: [plain('link', purpose === 'open' ? 'lock-control' : purpose)] });
  const receiver = door.occupationId === null ? null : await receiverWhoMayOpen(tx, tenantId, door.occupationId, now);
  if (receiver !== null && door.occupation !== null)
    found.push({ kind: 'receiver', id: null, name: receiver, detail: null, ...at, why: [plain('receiver', door.occupation.type)] });
  return { everywhere: [], openings: found.filter((one) => one.why.length > 0), more: false };
};

const isEverywhere = (why: Why): boolean => why.by === 'role' && why.service === 'lock-control';

/** As many lockers are told of a person, in as many looks at so many doors: whoever wants to know of one beyond them asks of that one. */
const TOLD = 500;
const LOOK = 1_000;
const LOOKS = 10;

/** Which lockers this person can open now, and why. What opens every one of them is said once, not locker by locker. */
const ofPerson = async (tx: Tx, tenantId: string, accountId: string, now: string): Promise<Openings> => {
  const [person] = await people(tx, tenantId, accountId);
  if (!person) throw absent();
  const everywhere = explainPerson({ lockerId: '', occupation: null }, person).map(toWhy).filter(isEverywhere);
  // A role opens a door by what lies in it; without one only what a permission names and what is offered is of interest.
  const named = [...new Set(person.permissions.flatMap(({ lockers }) => lockers))];
  const byRole = seesAllLockers(factsFrom(person));
  const told: Opening[] = [];
  let after = '';
  for (let look = 0; look < LOOKS; look++) {
    const last = after;
    const found = await doors(tx, tenantId, (rows) =>
      rows
        .where('l.door_tag', '>', last)
        .where(sql<SqlBool>`(${byRole} and o.id is not null or l.id = any(${named}::uuid[]) or ${isOfferTo([accountId])})`)
        .limit(LOOK),
    );
    const bySigningIn = await offered(tx, tenantId, [accountId], found, now);
    for (const door of found) {
      const byRight = explainPerson(door, person).map(toWhy);
      const why = [...byRight.filter((one) => !isEverywhere(one)), ...bySigningIn(accountId, door)];
      if (why.length === 0) continue;
      if (told.length === TOLD) return { everywhere, openings: told, more: true };
      const { lockerId, doorTag, cabinet } = door;
      told.push({ kind: 'person', id: person.id, name: person.name, detail: person.email, lockerId, doorTag, cabinet, why });
    }
    after = found.at(-1)?.doorTag ?? '';
    if (found.length < LOOK) return { everywhere, openings: told, more: false };
  }
  return { everywhere, openings: told, more: true };
};

type Asked = { lockerId?: string | undefined; accountId?: string | undefined };
const explained = async (tx: Tx, tenantId: string, { lockerId, accountId }: Asked, now: string): Promise<Openings> => {
  if (lockerId === undefined)
    return accountId === undefined ? { everywhere: [], openings: [], more: false } : ofPerson(tx, tenantId, accountId, now);
  const all = await ofLocker(tx, tenantId, lockerId, now);
  if (accountId === undefined) return all;
  if ((await people(tx, tenantId, accountId)).length === 0) throw absent();
  return { ...all, openings: all.openings.filter((one) => one.kind === 'person' && one.id === accountId) };
};

/** With both named, that person at that locker; with neither, nothing. Throws Problem `not-found` for what is not of this company. */
export const explainOpenings = async (tx: Tx, tenantId: string, facts: Facts, asked: Asked, now: string): Promise<Openings> => {
  const all = await explained(tx, tenantId, asked, now);
  return { ...all, openings: all.openings.map((one) => shownTo(facts, one)) };
};
