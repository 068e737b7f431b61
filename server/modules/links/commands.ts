import { sql } from 'kysely';
import type { AccessLinkChange, AccessLinkInput } from '@hatchway/contract/links.ts';
import { handsOn, handsOnAll, LINK_DAYS_MOST, LINK_HOURS, linkState, type LinkPurpose } from '@hatchway/domain/access-link.ts';
import { mayBuild, type Facts } from '@hatchway/domain/access.ts';
import { HOUR, later } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { absent, mustBeSeen, Problem, unknownReference, ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow, updateRow } from '../../rows.ts';
import { hashToken, newToken } from '../../tokens.ts';
import { known } from '../references.ts';
import { limitsOf } from './queries.ts';

const YEAR = LINK_DAYS_MOST * 24 * HOUR;

const told = (tx: Tx, scope: Scope, id: string, method: 'POST' | 'PUT') => record(tx, scope, [], [{ kind: 'links', id, method }]);
/** Whoever looks at its doors sees whether a link opens them. */
const toldOfDoors = (tx: Tx, scope: Scope, link: { purpose: LinkPurpose; locker_ids: readonly string[] }) =>
  link.purpose === 'open'
    ? record(
        tx,
        scope,
        [],
        link.locker_ids.map((id) => ({ kind: 'lockers', id, method: 'PUT' })),
      )
    : undefined;
/** The time between. Throws `rule` for one that is over already, begins after its end, or lasts longer than a year. */
const windowOf = (validFrom: string, validTo: string, now: string): { valid_from: string; valid_to: string } => {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  if (to <= Date.parse(now)) throw ruled('The end is over already', '/validTo');
  if (to <= from) throw ruled('The end is before the beginning', '/validTo');
  if (to - from > YEAR) throw ruled('A link lasts a year at most', '/validTo');
  return { valid_from: new Date(from).toISOString(), valid_to: new Date(to).toISOString() };
};

/** Throws `forbidden` where one of its doors is not the caller's to open for that purpose: nobody hands on what they may not do. */
const throwUnlessHandsOn = (row: { purpose: LinkPurpose; locker_ids: readonly string[] }, facts: Facts): void => {
  if (!handsOnAll({ purpose: row.purpose, lockerIds: row.locker_ids }, facts))
    throw new Problem('forbidden', 'A door of the link is not yours to open for this purpose');
};

/**
 * Every locker must be the maker's to manage: one that is not is unknown to them, in the words for an absent one. And theirs to use for
 * what the link is for, else `rule`.
 */
export const createLink = async (tx: Tx, deps: Deps, scope: Scope, facts: Facts, input: AccessLinkInput): Promise<string> => {
  const { tenantId, now } = scope;
  const lockerIds = await known(tx, tenantId, 'lockers', input.lockerIds, '/lockerIds');
  const foreign = lockerIds.findIndex((id) => !mayBuild([id], facts));
  if (foreign >= 0) throw unknownReference(`/lockerIds/${foreign}`);
  const shut = lockerIds.findIndex((id) => handsOn(input.purpose, id, facts).length === 0);
  if (shut >= 0) throw ruled('You may not open this door for that purpose yourself', `/lockerIds/${shut}`);
  const validFrom = input.validFrom ?? now;
  const times = windowOf(validFrom, input.validTo ?? later(validFrom, LINK_HOURS * HOUR), now);
  const id = newId();
  const token = newToken(tenantId);
  await insertRow(tx, 'access_links', scope, id, {
    name: input.name,
    purpose: input.purpose,
    locker_ids: lockerIds,
    ...times,
    max_uses: input.maxUses,
    token_hash: hashToken(deps, token),
    token_sealed: deps.seal.close(token),
    created_by: jsonb(scope.actor),
  }).execute();
  await told(tx, scope, id, 'POST');
  await toldOfDoors(tx, scope, { purpose: input.purpose, locker_ids: lockerIds });
  return id;
};

/** The row, locked. Throws `not-found` where one of its lockers is not the caller's to manage. */
const locked = async (tx: Tx, tenantId: string, facts: Facts, id: string) => {
  const row = await tx
    .selectFrom('access_links')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || !mayBuild(row.locker_ids, facts)) throw absent();
  return row;
};

/**
 * Throws `stale`, `gone` for one that was withdrawn, `rule` for a time or a number of uses that cannot be, `forbidden` where a longer
 * time or more uses would let in whom the caller may not.
 */
export const changeLink = async (tx: Tx, scope: Scope, facts: Facts, id: string, change: AccessLinkChange): Promise<void> => {
  const row = await locked(tx, scope.tenantId, facts, id);
  mustBeSeen(row, change.version);
  if (row.revoked_at !== null) throw new Problem('gone', 'The link was withdrawn');
  const maxUses = change.maxUses ?? row.max_uses;
  if (maxUses < row.used) throw ruled(`It was used ${row.used} times already`, '/maxUses');
  const moved = change.validFrom !== undefined || change.validTo !== undefined;
  const times = moved ? windowOf(change.validFrom ?? row.valid_from, change.validTo ?? row.valid_to, scope.now) : null;
  const wider = times !== null && (times.valid_from < row.valid_from || times.valid_to > row.valid_to);
  if (wider || maxUses > row.max_uses) throwUnlessHandsOn(row, facts);
  await changeRow(tx, 'access_links', scope, id, { name: change.name, max_uses: maxUses, ...times }).execute();
  await told(tx, scope, id, 'PUT');
  await toldOfDoors(tx, scope, row);
};

/** From this moment on it opens nothing, nor may what was begun with it go on. Doing it twice does it once. */
export const revokeLink = async (tx: Tx, scope: Scope, facts: Facts, id: string): Promise<void> => {
  const row = await locked(tx, scope.tenantId, facts, id);
  if (row.revoked_at !== null) return;
  await changeRow(tx, 'access_links', scope, id, { revoked_at: scope.now }).execute();
  await told(tx, scope, id, 'PUT');
  await toldOfDoors(tx, scope, row);
};

/** From now on it opens in the caller's right. Throws `stale`, `gone`, and `forbidden` where a door of it is not theirs to hand on. */
export const takeOverLink = async (tx: Tx, scope: Scope, facts: Facts, id: string, version: number): Promise<void> => {
  const row = await locked(tx, scope.tenantId, facts, id);
  mustBeSeen(row, version);
  if (row.revoked_at !== null) throw new Problem('gone', 'The link was withdrawn');
  throwUnlessHandsOn(row, facts);
  await changeRow(tx, 'access_links', scope, id, { taken_over_by: jsonb(scope.actor) }).execute();
  await told(tx, scope, id, 'PUT');
};

/**
 * Its address. Throws `gone` for one that was withdrawn: nobody should hand that out; `forbidden` for who may not open its doors
 * themselves, since whoever reads it can.
 */
export const addressOf = async (tx: Tx, deps: Deps, tenantId: string, facts: Facts, id: string): Promise<string> => {
  const row = await tx
    .selectFrom('access_links')
    .select(['purpose', 'locker_ids', 'token_sealed', 'revoked_at'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || !mayBuild(row.locker_ids, facts)) throw absent();
  if (row.revoked_at === null) throwUnlessHandsOn(row, facts);
  const token = row.revoked_at === null ? deps.seal.open(row.token_sealed) : null;
  if (token === null) throw new Problem('gone', 'The link was withdrawn');
  return `${deps.config.publicUrl}/l/${token}`;
};

export type Use = {
  id: string;
  lockerId: string;
  doorTag: string;
  occupationId: string | null;
  claimedAt: string | null;
  name: string | null;
};

/** The link of a hash, locked: two who use it at once do so one after another. Null: there is none. */
export const lockLinkOfHash = (tx: Tx, tenantId: string, hash: Buffer) =>
  tx.selectFrom('access_links').selectAll().where('tenant_id', '=', tenantId).where('token_hash', '=', hash).forUpdate().executeTakeFirst();
export type LinkOfHash = NonNullable<Awaited<ReturnType<typeof lockLinkOfHash>>>;

/** Counts one use and writes down whose it was. Throws `gone` with the state of a link that opens nothing now. */
export const countUse = async (tx: Tx, scope: Scope, link: LinkOfHash, use: Use): Promise<void> => {
  throwUnlessActive(link, scope.now);
  await changeRow(tx, 'access_links', scope, link.id, { used: sql<number>`used + 1` }).execute();
  await tx
    .insertInto('access_link_uses')
    .values({
      tenant_id: scope.tenantId,
      id: use.id,
      link_id: link.id,
      at: scope.now,
      name: use.name,
      locker_id: use.lockerId,
      door_tag: use.doorTag,
      occupation_id: use.occupationId,
      claimed_at: use.claimedAt,
      updated_at: scope.now,
    })
    .execute();
  await told(tx, scope, link.id, 'PUT');
  // Used up, it opens nothing more.
  if (link.used + 1 >= link.max_uses) await toldOfDoors(tx, scope, link);
};

export const throwUnlessActive = (link: LinkOfHash, now: string): void => {
  const state = linkState(limitsOf(link), now);
  if (state !== 'active') throw new Problem('gone', `The link is ${state}`, { data: { state } });
};

/** What became of a use: its door's last word, another door, a claim of its own. */
export const noteUse = async (
  tx: Tx,
  scope: Scope,
  use: { id: string; linkId: string },
  change: { outcome?: string; claimed_at?: string; locker_id?: string; door_tag?: string; occupation_id?: string },
): Promise<void> => {
  await updateRow(tx, 'access_link_uses', scope.tenantId, use.id)
    .set({ ...change, updated_at: scope.now })
    .execute();
  await told(tx, scope, use.linkId, 'PUT');
};

/** The door surely did not open: the use is given back, as if it had not been. */
export const giveBackUse = async (tx: Tx, scope: Scope, use: { id: string; linkId: string }): Promise<void> => {
  const gone = await tx
    .deleteFrom('access_link_uses')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', use.id)
    .returning('id')
    .executeTakeFirst();
  if (!gone) return;
  await changeRow(tx, 'access_links', scope, use.linkId, { used: sql<number>`used - 1` }).execute();
  await told(tx, scope, use.linkId, 'PUT');
};
