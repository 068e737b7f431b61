import { sql } from 'kysely';
import type { LinkOpened, OpenOutcome } from '@hatchway/contract/pickup.ts';
import { opensAgain, useLives, type LinkPurpose } from '@hatchway/domain/access-link.ts';
import { sameTag } from '@hatchway/domain/codes.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { idFrom } from '../../http/idempotency.ts';
import { Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { countUse, giveBackUse, lockLinkOfHash, noteUse, throwUnlessActive, type LinkOfHash } from '../links/commands.ts';
import { limitsOf } from '../links/queries.ts';
import { reachOfLink, type Reach } from '../links/right-queries.ts';
import { openDoor } from '../lockers/door-commands.ts';
import { attempt, load } from '../occupations/commands.ts';
import { registerDropOff } from '../occupations/registration-commands.ts';
import { lockOccupation } from '../occupations/row-queries.ts';
import { hashToken } from '../../tokens.ts';
import { open } from './acts.ts';
import { claimUseOf, openOutcome, STAYED_SHUT } from './facts.ts';
import type { Place, Visit } from './key.ts';
import { rightOn } from './link-right.ts';
import { isWaiting, linkDoors, linkOf, linkView } from './link-view.ts';
import { countPress, keyOfPress, pressedOnce, type Header } from './press.ts';

type Asked = {
  token: string;
  doorTag?: string | undefined;
  cabinet?: string | undefined;
  use?: string | undefined;
  name?: string | undefined;
};
/** The link, locked, with what it opens now, and the id that a use which begins with this press has. */
type Held = LinkOfHash & { reach: Reach; use: string };
type Press = Visit & { header: Header };
type Door = { lockerId: string; doorTag: string };
type Begun = Door & { use: string; occupationId: string | null; counted: boolean; outcome: OpenOutcome | null; scope: Scope };
type BegunBy = Begun & { purpose: LinkPurpose };
type Opened = Pick<LinkOpened, 'use' | 'outcome' | 'pickup'>;

const otherDoor = (): Problem =>
  new Problem('door-tag-mismatch', undefined, { errors: [{ pointer: '/doorTag', detail: 'not a door of this link' }] });

/** In the cabinet that somebody says they stand at, where they say so. */
const isAt =
  ({ cabinet }: Pick<Asked, 'cabinet'>) =>
  (door: { number: number }): boolean =>
    cabinet === undefined || String(door.number) === cabinet.trim();

/** Which of its doors is meant. Throws Problem `gone` for a link that was withdrawn, `door-tag-mismatch` for a door that is not its own, or where none of several is named. */
const doorOf = async (tx: Tx, link: Held, asked: Pick<Asked, 'doorTag' | 'cabinet'>, now: string) => {
  const { doorTag } = asked;
  if (link.revoked_at !== null) throwUnlessActive(link, now);
  const doors = (await linkDoors(tx, link.tenant_id, [...link.reach.keys()])).filter(isAt(asked));
  const door =
    doorTag === undefined ? (doors.length === 1 ? doors[0] : undefined) : doors.find((one) => sameTag(one.door_tag) === sameTag(doorTag));
  if (!door) throw otherDoor();
  return door;
};

/** Opens its door without naming what lies there: it changes no stage, as lock control does not. */
const beginOpening = async (tx: Tx, scope: Scope, link: Held, asked: Asked): Promise<Begun> => {
  const again =
    asked.use === undefined
      ? undefined
      : await tx
          .selectFrom('access_link_uses')
          .select(['id', 'at', 'locker_id', 'door_tag'])
          .where('tenant_id', '=', scope.tenantId)
          .where('id', '=', asked.use)
          .where('link_id', '=', link.id)
          .executeTakeFirst();
  const door = await doorOf(tx, link, { ...asked, doorTag: asked.doorTag ?? again?.door_tag }, scope.now);
  const picked = { lockerId: door.id, doorTag: door.door_tag, occupationId: null, scope };
  if (door.out_of_service !== null) throw new Problem('out-of-service');
  const offline = door.connection === 'offline' ? ('offline' as const) : null;
  if (again?.locker_id === door.id && opensAgain(limitsOf(link), again.at, scope.now))
    return { ...picked, use: again.id, counted: false, outcome: offline };
  throwUnlessActive(link, scope.now);
  const { use } = link;
  // Known to be away: nothing is counted that cannot be opened.
  if (offline === null) await countUse(tx, scope, link, { id: use, ...picked, claimedAt: null, name: asked.name ?? null });
  return { ...picked, use, counted: offline === null, outcome: offline };
};

/** Its lockers where somebody stands. */
const lockersAt = async (tx: Tx, link: Held, asked: Asked): Promise<readonly string[]> =>
  asked.cabinet === undefined
    ? [...link.reach.keys()]
    : (await linkDoors(tx, link.tenant_id, [...link.reach.keys()])).filter(isAt(asked)).map(({ id }) => id);

/** Registers a drop-off on a door of its own: the one that was chosen, else the best of them. */
const beginDropOff = async (tx: Tx, deps: Deps, scope: Scope, link: Held, asked: Asked): Promise<Begun> => {
  throwUnlessActive(link, scope.now);
  const chosen = asked.doorTag === undefined ? null : await doorOf(tx, link, asked, scope.now);
  if (chosen?.connection === 'offline') throw new Problem('cabinet-offline');
  const { occupation } = await registerDropOff(
    tx,
    deps,
    scope,
    { lockerId: chosen?.id, note: asked.name },
    rightOn(await lockersAt(tx, link, asked)),
  );
  const { use } = link;
  const door = { lockerId: occupation.lockerId, doorTag: occupation.doorTag, occupationId: occupation.id };
  await countUse(tx, scope, link, { id: use, ...door, claimedAt: null, name: asked.name ?? null });
  return { ...door, use, counted: true, outcome: null, scope };
};

/** When its door did not open as it was last asked to, for this very use of the locker; null where it did, or was not asked. */
const stayedShutAt = sql<string | null>`(select case when c.outcome in ('refused', 'offline') then c.issued_at end from commands c
  where c.tenant_id = occupations.tenant_id and c.occupation_id = occupations.id and c.op = 'open'
  order by c.issued_at desc limit 1)`;

/** Claims what has waited longest behind one of its doors, what stayed shut after all else. Somebody quicker is passed by. */
const beginPickUp = async (tx: Tx, deps: Deps, scope: Scope, link: Held, asked: Asked): Promise<Begun> => {
  throwUnlessActive(link, scope.now);
  const doors = (await linkDoors(tx, scope.tenantId, [...link.reach.keys()])).filter(
    (door) =>
      isAt(asked)(door) &&
      isWaiting(door, link.reach) &&
      door.out_of_service === null &&
      (asked.doorTag === undefined || sameTag(door.door_tag) === sameTag(asked.doorTag)),
  );
  const here = doors.filter((door) => door.connection === 'online').map((door) => door.id);
  if (here.length === 0) throw new Problem(doors.length > 0 ? 'cabinet-offline' : 'nothing-waiting');
  const rows = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('locker_id', 'in', here)
    .where('stage', '=', STAGES.ACQUIRABLE)
    // Else a door that jams keeps whoever fetches from all that came after it; of several such, each comes in its turn.
    .orderBy(stayedShutAt, (order) => order.asc().nullsFirst())
    .orderBy('pickup_from')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const { id } of rows) {
    const tried = await attempt(tx, deps, scope, id, { kind: 'claim' }, { as: 'link' });
    if (!tried.ok) continue;
    const { lockerId, doorTag } = tried.occupation;
    const { use } = link;
    await countUse(tx, scope, link, { id: use, lockerId, doorTag, occupationId: id, claimedAt: scope.now, name: asked.name ?? null });
    return { lockerId, doorTag, occupationId: id, use, counted: true, outcome: null, scope };
  }
  throw new Problem('nothing-waiting');
};

/** What this very press began before it was cut off. */
const begunBefore = (tx: Tx, link: LinkOfHash, use: string) =>
  tx
    .selectFrom('access_link_uses')
    .select(['id', 'at', 'locker_id', 'door_tag', 'occupation_id'])
    .where('tenant_id', '=', link.tenant_id)
    .where('link_id', '=', link.id)
    .where('id', '=', use)
    .executeTakeFirst();

const begin = (deps: Deps, tenantId: string, asked: Asked, { now, header }: Press): Promise<BegunBy> =>
  deps.db.tenant(tenantId, async (tx) => {
    const link = await lockLinkOfHash(tx, tenantId, hashToken(deps, asked.token));
    if (!link) throw new Problem('unknown-link');
    const reach = await reachOfLink(tx, link, now);
    if (reach.size === 0) throw new Problem('gone', 'The link is revoked', { data: { state: 'revoked' } });
    const scope: Scope = { tenantId, now, actor: { kind: 'person', id: null, name: link.name } };
    const { purpose } = link;
    const key = keyOfPress(header);
    const keyed = key === null ? newId() : idFrom(`use:${link.id}:${key}`);
    const before = await begunBefore(tx, link, keyed);
    const held = { ...link, reach, use: before ? newId() : keyed };
    if (purpose === 'open') return { ...(await beginOpening(tx, scope, held, { ...asked, use: before?.id ?? asked.use })), purpose };
    // Cut off after it was set aside: it goes on with that, instead of setting another locker aside.
    if (before?.occupation_id && before.locker_id && reach.has(before.locker_id) && useLives(limitsOf(link), before.at, now)) {
      const door = { lockerId: before.locker_id, doorTag: before.door_tag, occupationId: before.occupation_id };
      return { ...door, use: before.id, counted: true, outcome: null, scope, purpose };
    }
    const begun = await (purpose === 'drop-off' ? beginDropOff : beginPickUp)(tx, deps, scope, held, asked);
    return { ...begun, purpose };
  });

/** Where the door surely stayed shut nobody has had anything of the use; else it stays counted, and opens again. */
const openIt = async (deps: Deps, linkId: string, begun: Begun): Promise<{ use: string | null; outcome: OpenOutcome }> => {
  if (begun.outcome !== null) return { use: null, outcome: begun.outcome };
  const answer = await openDoor(deps, begun.scope, { lockerId: begun.lockerId });
  const outcome = openOutcome(answer.outcome, answer.code);
  const scope = { ...begun.scope, now: deps.now().toISOString() };
  const shut = begun.counted && STAYED_SHUT.includes(outcome);
  await deps.db.tenant(scope.tenantId, (tx) =>
    shut ? giveBackUse(tx, scope, { id: begun.use, linkId }) : noteUse(tx, scope, { id: begun.use, linkId }, { outcome }),
  );
  return { use: shut ? null : begun.use, outcome };
};

/**
 * The same for what was registered or claimed with the use. Of a claim that failed nothing is left, so its use is given back; what was
 * registered stands, and its use goes on.
 */
const openFor = async (deps: Deps, token: string, place: Place, { use, doorTag, purpose, scope }: BegunBy): Promise<Opened> => {
  const answer = await open(deps, place, { doorTag }, scope.now);
  if (purpose !== 'pick-up' || !STAYED_SHUT.includes(answer.outcome)) return { use, ...answer };
  const { tenantId, occupationId } = place;
  const after = { ...scope, now: deps.now().toISOString() };
  return deps.db.tenant(tenantId, async (tx) => {
    // The link before the occupation, as where a use begins.
    const link = await lockLinkOfHash(tx, tenantId, hashToken(deps, token));
    await lockOccupation(tx, tenantId, occupationId);
    // Its own claim runs still: seen open after all, or let in again meanwhile. Whatever else became of the thing, nobody had it by this use.
    if (!link || (await claimUseOf(tx, await load(tx, tenantId, occupationId))) === use) return { use, ...answer };
    await giveBackUse(tx, after, { id: use, linkId: link.id });
    return { use: null, outcome: answer.outcome, pickup: null };
  });
};

/** One press on an access link, whatever it is for. Throws Problem `unknown-link`, `gone` with its state, or why its door stays shut. */
export const openByLink = async (deps: Deps, asked: Asked, press: Press): Promise<LinkOpened> => {
  const { tenantId, linkId } = await linkOf(deps, asked.token, press);
  await countPress(deps, `link-press:${linkId}`, press);
  const what = `link ${asked.doorTag ?? ''} ${asked.cabinet ?? ''} ${asked.use ?? ''} ${asked.name ?? ''}`;
  const answer = await pressedOnce(deps, { tenantId, name: `link:${linkId}` }, press, what, async () => {
    // Looked at first: a company that is suspended opens nothing.
    await deps.db.tenant(tenantId, (tx) => linkView(tx, tenantId, linkId, press.now));
    const begun = await begin(deps, tenantId, asked, press);
    deps.outbox.wake();
    const { use, doorTag, occupationId, purpose } = begun;
    const by = { linkId, useId: use, name: begun.scope.actor.name, purpose };
    const did =
      occupationId === null
        ? { ...(await openIt(deps, linkId, begun)), pickup: null }
        : await openFor(deps, asked.token, { tenantId, occupationId, by }, begun);
    const after = deps.now().toISOString();
    const link = await deps.db.tenant(tenantId, (tx) => linkView(tx, tenantId, linkId, after));
    return { ...did, doorTag, link };
  });
  deps.outbox.wake();
  return answer;
};
