import type { PickupKey } from '@hatchway/contract/pickup.ts';
import { useLives, type LinkPurpose } from '@hatchway/domain/access-link.ts';
import { CABINET_NUMBER_PATTERN, pickupCodeOf } from '@hatchway/domain/codes.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import { count, giveBack, left as leftOf, secondsLeft, type Limit } from '../../http/rate-limit.ts';
import { limitsOf } from '../links/queries.ts';
import { reachOfLink } from '../links/right-queries.ts';
import { hashCode, hashToken, tenantOfToken } from '../../tokens.ts';
import { systemScope } from '../../scope.ts';
import { reaches } from './reach.ts';

/** Who asks, and when: what limits are counted by. */
export type Visit = { address: string; now: string };
/** An access link's use, where somebody came in by one. */
export type LinkUse = { linkId: string; useId: string; name: string; purpose: LinkPurpose };
/** `bought`: the payment of a purchase, in the shop or at a cabinet, whose own key somebody came by. */
export type Place = { tenantId: string; occupationId: string; by: LinkUse | null; bought?: string };

const HOUR_S = 3600;
/** Wrong links and numbers, counted apart: nobody finds a link by trying, but trying costs; numbers of cabinets are short. */
const misses = ({ address }: Visit, code: 'unknown-link' | 'unknown-cabinet'): Limit => ({
  bucket: `pickup-miss:${code}:${address}`,
  most: 60,
  seconds: 600,
});
/** A cabinet's keypad: each time that staff lift what shut it, its limits are others. */
type Keypad = { tenantId: string; cabinetId: string; name: string; lifts: number };
const FAMILY_DIGITS = 3;
/** By its first digits: what others at the same address type wrong does not count against a code of another beginning. */
const codesLike = ({ cabinetId, lifts }: Keypad, { address }: Visit, code: string): Limit => ({
  bucket: `code:${cabinetId}:${lifts}:${address}:${code.slice(0, FAMILY_DIGITS)}`,
  most: 5,
  seconds: HOUR_S,
});
const codesAt = ({ cabinetId, lifts }: Keypad): Limit => ({ bucket: `code:${cabinetId}:${lifts}`, most: 30, seconds: HOUR_S });
/** Over all cabinets: else a handful at each of many are hundreds. As many as one cabinet takes from everywhere. */
const codesOf = ({ address }: Visit): Limit => ({ bucket: `code-from:${address}`, most: 30, seconds: HOUR_S });
/** A code that was right from there: whoever stands at the open door is not put out by somebody else's wrong ones. */
const rightFrom = (cabinetId: string, { address }: Visit, hash: Buffer): Limit => ({
  bucket: `code-right:${cabinetId}:${address}:${hash.toString('base64url')}`,
  most: 1,
  seconds: HOUR_S,
});

/** Counted in a transaction of its own: the refusal that follows must not take the count back. */
export const miss = async (deps: Deps, visit: Visit, code: 'unknown-link' | 'unknown-cabinet'): Promise<Problem> => {
  const limit = misses(visit, code);
  const left = await deps.db.open((tx) => count(tx, limit, visit.now));
  return left < 0 ? new Problem('too-many-requests', undefined, { retryAfter: secondsLeft(limit, visit.now) }) : new Problem(code);
};

/** Numbers are short enough to be found by trying: past the limit a right one is not told from a wrong one. */
const barred = async (deps: Deps, visit: Visit): Promise<void> => {
  const limit = misses(visit, 'unknown-cabinet');
  if ((await deps.db.open((tx) => leftOf(tx, limit, visit.now))) <= 0)
    throw new Problem('too-many-requests', undefined, { retryAfter: secondsLeft(limit, visit.now) });
};

const alive = (tx: Tx, tenantId: string, now: string) =>
  tx
    .selectFrom('occupations as o')
    .select('o.id')
    .where('o.tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('o.secrets_until', 'is', null), eb('o.secrets_until', '>', now)]));

/** A link that its use ended with tells whoever holds it so, and nothing else of it. */
const hasEnded = async (tx: Tx, tenantId: string, hash: Buffer): Promise<boolean> => {
  const row = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('ended_token_hash', '=', hash), eb('token_hash', '=', hash)]))
    .executeTakeFirst();
  return row !== undefined;
};

/** Whose token it is. Throws Problem `gone` for one whose use has ended, `unknown-link` for one that never was or was replaced. */
export const byToken = async (deps: Deps, token: string, visit: Visit): Promise<Place> => {
  const tenantId = tenantOfToken(token);
  if (tenantId === null) throw await miss(deps, visit, 'unknown-link');
  const hash = hashToken(deps, token);
  const found = await deps.db.tenant(tenantId, async (tx) => {
    const living = await alive(tx, tenantId, visit.now).where('o.token_hash', '=', hash).executeTakeFirst();
    if (!living && (await hasEnded(tx, tenantId, hash))) throw new Problem('gone');
    return living;
  });
  if (!found) throw await miss(deps, visit, 'unknown-link');
  return { tenantId, occupationId: found.id, by: null };
};

/** The cabinet that bears a number, of whichever company it is. Throws Problem `unknown-cabinet`, or `too-many-requests` after too many of none. */
export const cabinetOf = async (deps: Deps, number: string, visit: Visit): Promise<{ tenantId: string; cabinetId: string }> => {
  await barred(deps, visit);
  return cabinetAt(deps, number, visit);
};

const cabinetAt = async (deps: Deps, number: string, visit: Visit): Promise<{ tenantId: string; cabinetId: string }> => {
  const typed = number.trim();
  const ref = CABINET_NUMBER_PATTERN.test(typed)
    ? await deps.db.open((tx) =>
        tx
          .selectFrom('public_refs')
          .select(['tenant_id', 'target_id'])
          .where('kind', '=', 'cabinet-number')
          .where('ref', '=', typed)
          .executeTakeFirst(),
      )
    : undefined;
  if (!ref) throw await miss(deps, visit, 'unknown-cabinet');
  return { tenantId: ref.tenant_id, cabinetId: ref.target_id };
};

const keypadOf = async (deps: Deps, number: string, visit: Visit): Promise<Keypad> => {
  const { tenantId, cabinetId } = await cabinetAt(deps, number, visit);
  const row = await deps.db.tenant(tenantId, (tx) =>
    tx
      .selectFrom('cabinets')
      .select(['name', 'keypad_lifts'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', cabinetId)
      .executeTakeFirst(),
  );
  if (!row) throw await miss(deps, visit, 'unknown-cabinet');
  return { tenantId, cabinetId, name: row.name, lifts: row.keypad_lifts };
};

/** The try that was the last one: staff see that no other is taken, and until when. */
const noteShut = async (deps: Deps, { tenantId, cabinetId, name, lifts }: Keypad, limit: Limit, now: string): Promise<void> => {
  await deps.db.tenant(tenantId, async (tx) => {
    const until = new Date(Date.parse(now) + secondsLeft(limit, now) * 1000).toISOString();
    const shut = await tx
      .updateTable('cabinets')
      .set({ keypad_shut_at: now, keypad_shut_until: until, updated_at: now })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', cabinetId)
      .where('keypad_lifts', '=', lifts)
      .where((eb) => eb.or([eb('keypad_shut_until', 'is', null), eb('keypad_shut_until', '<=', now)]))
      .returning('id')
      .execute();
    if (shut.length === 0) return;
    const event = { type: 'locker_keypad_shut', cabinetId, data: { cabinet: name } } as const;
    await record(tx, systemScope(tenantId, now), [event], [{ kind: 'cabinets', id: cabinetId, method: 'PUT' }]);
  });
  deps.outbox.wake();
};

/**
 * A code counts for the cabinet that it is typed at, and there for its own doors alone. Each try is counted before the code is looked
 * at, so that many at once try no more than one after another; a right one is given back, and from that address is no try any more.
 * What is no code is none either. Throws Problem `wrong-code` with what is left, or `too-many-codes`: from then on only links work.
 */
const byCode = async (deps: Deps, code: string, cabinet: string, visit: Visit): Promise<Place> => {
  const keypad = await keypadOf(deps, cabinet, visit);
  const { tenantId, cabinetId } = keypad;
  const typed = pickupCodeOf(code);
  if (typed === null) {
    await barred(deps, visit);
    throw new Problem('wrong-code');
  }
  const all = codesAt(keypad);
  const limits = [codesLike(keypad, visit, typed), codesOf(visit), all] as const;
  const hash = hashCode(deps, tenantId, typed);
  const right = rightFrom(cabinetId, visit, hash);
  const find = () =>
    deps.db.tenant(tenantId, (tx) =>
      alive(tx, tenantId, visit.now)
        .innerJoin('lockers as l', (join) => join.onRef('l.tenant_id', '=', 'o.tenant_id').onRef('l.id', '=', 'o.locker_id'))
        .where('l.cabinet_id', '=', cabinetId)
        .where('o.code_hash', '=', hash)
        .executeTakeFirst(),
    );
  const known = (await deps.db.open((tx) => leftOf(tx, right, visit.now))) < right.most;
  const again = known ? await find() : undefined;
  if (again) return { tenantId, occupationId: again.id, by: null };
  await barred(deps, visit);
  const lefts = await deps.db.open(async (tx) => {
    const counted: number[] = [];
    for (const [at, limit] of limits.entries()) {
      counted.push(await count(tx, limit, visit.now));
      if ((counted[at] ?? 0) >= 0) continue;
      // What is refused unseen was no try: neither does one address shut a cabinet for everybody, nor a shut cabinet all others for it.
      for (const before of limits.slice(0, at)) await giveBack(tx, before, visit.now);
      break;
    }
    return counted;
  });
  const left = Math.min(...lefts);
  if (left < 0) throw new Problem('too-many-codes', undefined, { retryAfter: secondsLeft(limits[0], visit.now) });
  const found = await find();
  if (!found) {
    if (lefts.at(-1) === 0) await noteShut(deps, keypad, all, visit.now);
    throw new Problem('wrong-code', undefined, { data: { triesLeft: left } });
  }
  await deps.db.open(async (tx) => {
    for (const limit of limits) await giveBack(tx, limit, visit.now);
    await count(tx, right, visit.now);
  });
  return { tenantId, occupationId: found.id, by: null };
};

/**
 * Throws Problem `unknown-link` in the same words for a link that never was, another link's use, one that may not go on, and one whose
 * content was moved to a door that is not the link's.
 */
const byUse = async (deps: Deps, token: string, useId: string, visit: Visit): Promise<Place> => {
  const tenantId = tenantOfToken(token);
  if (tenantId === null) throw await miss(deps, visit, 'unknown-link');
  const row = await deps.db.tenant(tenantId, async (tx) => {
    const found = await tx
      .selectFrom('access_link_uses as u')
      .innerJoin('access_links as k', (join) => join.onRef('k.tenant_id', '=', 'u.tenant_id').onRef('k.id', '=', 'u.link_id'))
      .innerJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'u.tenant_id').onRef('o.id', '=', 'u.occupation_id'))
      .select([
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
        'u.at',
        'u.occupation_id',
        'o.locker_id as lies_in',
        'o.type',
      ]) // prettier-ignore
      .where('u.tenant_id', '=', tenantId)
      .where('u.id', '=', useId)
      .where('k.token_hash', '=', hashToken(deps, token))
      .executeTakeFirst();
    if (!found?.occupation_id || !useLives(limitsOf(found), found.at, visit.now)) return null;
    return reaches(await reachOfLink(tx, found, visit.now), found) ? { ...found, occupation_id: found.occupation_id } : null;
  });
  if (row === null) throw await miss(deps, visit, 'unknown-link');
  const by = { linkId: row.id, useId, name: row.name, purpose: row.purpose };
  return { tenantId, occupationId: row.occupation_id, by };
};

/** Throws Problem `unknown-link` for none of ours, `gone` where what was bought is not kept any more, or what was borrowed with it came back. */
const byPurchase = async (deps: Deps, token: string, visit: Visit): Promise<Place> => {
  const tenantId = tenantOfToken(token);
  if (tenantId === null) throw await miss(deps, visit, 'unknown-link');
  const row = await deps.db.tenant(tenantId, (tx) =>
    tx
      .selectFrom('payments as p')
      .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.occupation_id'))
      .leftJoin('loans as n', (join) =>
        join
          .onRef('n.tenant_id', '=', 'p.tenant_id')
          .onRef('n.occupation_id', '=', 'p.occupation_id')
          .onRef('n.out_at', '=', 'p.taken_at')
          .on('n.returned_at', 'is', null),
      )
      .select(['p.id', 'p.occupation_id', 'p.taken_at', 'o.type', 'n.id as loan_id'])
      .where('p.tenant_id', '=', tenantId)
      .where('p.key_hash', '=', hashToken(deps, token))
      .executeTakeFirst(),
  );
  if (!row) throw await miss(deps, visit, 'unknown-link');
  if (row.occupation_id === null) throw new Problem('gone');
  if (row.type === 'lending' && row.taken_at !== null && row.loan_id === null) throw new Problem('gone');
  return { tenantId, occupationId: row.occupation_id, by: null, bought: row.id };
};

export const placeOf = (deps: Deps, key: PickupKey, visit: Visit): Promise<Place> =>
  'link' in key
    ? byUse(deps, key.link, key.use, visit)
    : 'purchase' in key
      ? byPurchase(deps, key.purchase, visit)
      : 'token' in key
        ? byToken(deps, key.token, visit)
        : byCode(deps, key.code, key.cabinet, visit);
