import { createHash } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import type { DoorHold, PickupLink } from '@hatchway/contract/pickup.ts';
import { FETCHED, linkState, opensAgain, useLives } from '@hatchway/domain/access-link.ts';
import { inDoubt } from '@hatchway/domain/locker.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../http/problem.ts';
import { limitsOf } from '../links/queries.ts';
import { reachOfLink, type Answered, type Reach } from '../links/right-queries.ts';
import { doorNow } from '../lockers/queries.ts';
import { companyFacts, shownCompany } from '../occupations/context-queries.ts';
import { hashToken, tenantOfToken } from '../../tokens.ts';
import { activeNow } from '../../stages.ts';
import { miss, type Visit } from './key.ts';
import { reaches } from './reach.ts';

/** The link that a token is of. Throws Problem `unknown-link`, and counts the miss. */
export const linkOf = async (deps: Deps, token: string, visit: Visit): Promise<{ tenantId: string; linkId: string }> => {
  const tenantId = tenantOfToken(token);
  if (tenantId === null) throw await miss(deps, visit, 'unknown-link');
  const found = await deps.db.tenant(tenantId, (tx) =>
    tx
      .selectFrom('access_links')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('token_hash', '=', hashToken(deps, token))
      .executeTakeFirst(),
  );
  if (!found) throw await miss(deps, visit, 'unknown-link');
  return { tenantId, linkId: found.id };
};

/** Its doors that are still there, wall by wall. */
export const linkDoors = (tx: Tx, tenantId: string, lockerIds: readonly string[]) =>
  tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .innerJoin('sites as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.site_id'))
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'l.tenant_id').onRef('o.locker_id', '=', 'l.id').on(activeNow))
    .select([
      'l.id', 'l.door_tag', 'l.size', 'l.content', 'l.out_of_service', 'l.cabinet_id', doorNow.as('door'), 'c.number', 'c.name', 'c.connection',
      's.name as site_name', 's.address', 's.opening_hours', 's.hours', 's.tlf', 's.lat', 's.lng', 'o.stage', 'o.type',
    ])
    .where('l.tenant_id', '=', tenantId)
    .where(sql<SqlBool>`l.id = any(${[...lockerIds]}::uuid[])`)
    .orderBy('c.number')
    .orderBy((eb) => eb.fn('length', ['l.door_tag']))
    .orderBy('l.door_tag')
    .execute(); // prettier-ignore
type Door = Awaited<ReturnType<typeof linkDoors>>[number];

const holdOf = (door: Door, purpose: PickupLink['purpose']): DoorHold | null => {
  if (door.connection === 'offline') return 'cabinet-offline';
  if (door.out_of_service !== null) return 'out-of-service';
  if (purpose !== 'drop-off') return null;
  if (door.stage !== null) return 'taken';
  return inDoubt(door.content, null) ? 'in-doubt' : null;
};
/** What lies there waits to be fetched, and who answers for the link may use that service there. */
export const isWaiting = (door: Pick<Door, 'id' | 'stage' | 'type'>, reach: Reach): boolean =>
  door.stage === STAGES.ACQUIRABLE && FETCHED.some((type) => type === door.type && reach.get(door.id)?.includes(type));

/** Whether a new use could begin at this door now. */
export const beginsAt = (door: Door, purpose: PickupLink['purpose'], reach: Reach): boolean =>
  purpose === 'pick-up' ? isWaiting(door, reach) : ['taken', 'in-doubt'].every((hold) => hold !== holdOf(door, purpose));

const placesOf = (doors: readonly Door[], purpose: PickupLink['purpose'], reach: Reach): PickupLink['places'] =>
  [...Map.groupBy(doors, (door) => door.cabinet_id).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      cabinet: { number: String(first.number), name: first.name, connection: first.connection },
      site: {
        name: first.site_name,
        address: first.address,
        openingHours: first.opening_hours,
        hours: first.hours,
        tlf: first.tlf === '' ? null : first.tlf,
        lat: first.lat,
        lng: first.lng,
      },
      waiting: purpose === 'pick-up' ? group.filter((door) => isWaiting(door, reach)).length : 0,
      doors: group.map((door) => ({ doorTag: door.door_tag, size: door.size, state: door.door, hold: holdOf(door, purpose) })),
    };
  });

type LinkRow = { id: string } & Answered & Parameters<typeof limitsOf>[0];
/** A link for one use that was begun is gone on with by whoever holds it; of one for many nobody knows whose use was whose. */
const currentOf = async (tx: Tx, link: LinkRow, reach: Reach, now: string): Promise<PickupLink['current']> => {
  if (link.max_uses !== 1) return null;
  const use = await tx
    .selectFrom('access_link_uses as u')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'u.tenant_id').onRef('o.id', '=', 'u.occupation_id'))
    .select(['u.id', 'u.at', 'u.door_tag', 'u.occupation_id', 'u.locker_id', 'o.locker_id as lies_in', 'o.type'])
    .where('u.tenant_id', '=', link.tenant_id)
    .where('u.link_id', '=', link.id)
    .orderBy('u.at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!use) return null;
  const occupation = use.occupation_id !== null;
  const lives =
    link.purpose === 'open'
      ? use.locker_id !== null && reach.has(use.locker_id) && opensAgain(limitsOf(link), use.at, now)
      : reaches(reach, use) && useLives(limitsOf(link), use.at, now);
  return lives ? { use: use.id, doorTag: use.door_tag, occupation } : null;
};

/** Throws Problem `unknown-link` where it is gone, `unavailable` where the company is suspended. */
export const linkView = async (tx: Tx, tenantId: string, linkId: string, now: string): Promise<PickupLink> => {
  const link = await tx
    .selectFrom('access_links')
    .select([
      'id',
      'tenant_id',
      'name',
      'purpose',
      'locker_ids',
      'valid_from',
      'valid_to',
      'max_uses',
      'used',
      'revoked_at',
      'created_by',
      'taken_over_by',
    ])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', linkId)
    .executeTakeFirst();
  if (!link) throw new Problem('unknown-link');
  const company = await companyFacts(tx, tenantId);
  if (company.suspended) throw new Problem('unavailable', undefined, { retryAfter: 3600 });
  const reach = await reachOfLink(tx, link, now);
  // Whoever holds it need not know whose right ended: to them it is withdrawn.
  const state = reach.size === 0 ? 'revoked' : linkState(limitsOf(link), now);
  const current = reach.size === 0 ? null : await currentOf(tx, link, reach, now);
  // What is over tells nothing of the doors any more.
  const doors = state === 'active' || current !== null ? await linkDoors(tx, tenantId, [...reach.keys()]) : [];
  const seen = {
    name: link.name,
    purpose: link.purpose,
    company: shownCompany(company),
    state,
    validFrom: link.valid_from,
    validTo: link.valid_to,
    usesLeft: link.max_uses - link.used,
    waiting: link.purpose === 'pick-up' ? doors.filter((door) => isWaiting(door, reach)).length : 0,
    places: placesOf(doors, link.purpose, reach),
    current,
  };
  const rev = createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 22);
  return { rev, now, ...seen };
};
