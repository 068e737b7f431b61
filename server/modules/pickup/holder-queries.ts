import { ADDRESS_CHANGED } from '@hatchway/domain/receiver.ts';
import { sql, type SqlBool } from 'kysely';
import { linkState, opensAgain, useLives } from '@hatchway/domain/access-link.ts';
import { HOUR, later } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { LinkOfHash } from '../links/commands.ts';
import { limitsOf } from '../links/queries.ts';
import { reachOf, type Answered, type Reach } from '../links/right-queries.ts';
import { pickupFacts } from './facts.ts';
import { beginsAt, linkDoors } from './link-view.ts';
import { reaches } from './reach.ts';
import { holdOf } from './view.ts';

/** The name of whoever holds this occupation's link or code, where that opens its door now; null where it does not, or was never given. */
export const receiverWhoMayOpen = async (tx: Tx, tenantId: string, occupationId: string, now: string): Promise<string | null> => {
  const given = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', occupationId)
    .where('token_hash', 'is not', null)
    // The one before opens nothing any more, and the new one was sent to nobody.
    .where((eb) => eb.or([eb('contact_error', 'is', null), eb('contact_error', '<>', ADDRESS_CHANGED)]))
    .where((eb) => eb.or([eb('secrets_until', 'is', null), eb('secrets_until', '>', now)]))
    .executeTakeFirst();
  if (!given) return null;
  const facts = await pickupFacts(tx, { tenantId, occupationId, by: null }, now);
  return holdOf(facts, now) === null ? (facts.o.receiver?.name ?? '') : null;
};

const linkColumns = [
  'k.id',
  'k.tenant_id',
  'k.name',
  'k.purpose',
  'k.locker_ids',
  'k.valid_from',
  'k.valid_to',
  'k.max_uses',
  'k.used',
  'k.revoked_at',
  'k.created_by',
  'k.taken_over_by',
] as const;
type Row = Pick<LinkOfHash, 'id' | 'name'> & Answered & Parameters<typeof limitsOf>[0];

/** Whether a use of it that was begun at this door goes on there. */
const goesOn = async (tx: Tx, link: Row, lockerId: string, reach: Reach, now: string): Promise<boolean> => {
  const uses = await tx
    .selectFrom('access_link_uses as u')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'u.tenant_id').onRef('o.id', '=', 'u.occupation_id'))
    .select(['u.id', 'u.at', 'u.locker_id', 'u.occupation_id', 'o.locker_id as lies_in', 'o.type'])
    .where('u.tenant_id', '=', link.tenant_id)
    .where('u.link_id', '=', link.id)
    .where((eb) => eb.or([eb('u.locker_id', '=', lockerId), eb('o.locker_id', '=', lockerId)]))
    .orderBy('u.at', 'desc')
    .limit(5)
    .execute();
  for (const use of uses) {
    if (use.occupation_id === null) {
      if (link.purpose === 'open' && opensAgain(limitsOf(link), use.at, now)) return true;
    } else if (use.lies_in === lockerId && reaches(reach, use) && useLives(limitsOf(link), use.at, now)) {
      const by = { linkId: link.id, useId: use.id, name: link.name, purpose: link.purpose };
      const facts = await pickupFacts(tx, { tenantId: link.tenant_id, occupationId: use.occupation_id, by }, now);
      if (holdOf(facts, now) === null) return true;
    }
  }
  return false;
};

/**
 * Access links that open this door now: active, in the right of somebody who still may, and with something to open it for (a free locker
 * to drop off in, content to fetch); and those with a use that was begun there and goes on.
 */
export const linksThatOpen = async (tx: Tx, tenantId: string, lockerId: string, now: string): Promise<Row[]> => {
  const [door] = await linkDoors(tx, tenantId, [lockerId]);
  if (door === undefined || door.out_of_service !== null) return [];
  const links = await tx
    .selectFrom('access_links as k')
    .select(linkColumns)
    .where('k.tenant_id', '=', tenantId)
    .where('k.revoked_at', 'is', null)
    // Of one that is over, no use goes on for longer (domain/access-link.ts); links are kept for years.
    .where('k.valid_to', '>', later(now, -HOUR))
    .where(sql<SqlBool>`k.locker_ids @> array[${lockerId}::uuid]`)
    .orderBy('k.created_at')
    .execute();
  const open: Row[] = [];
  for (const [at, reach] of (await reachOf(tx, links, now)).entries()) {
    const link = links[at];
    if (link === undefined || !reach.has(lockerId)) continue;
    const begins = linkState(limitsOf(link), now) === 'active' && beginsAt(door, link.purpose, reach);
    if (begins || (await goesOn(tx, link, lockerId, reach, now))) open.push(link);
  }
  return open;
};
