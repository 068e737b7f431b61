import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import type { TestLocker } from '../../test-cabinet.ts';
import type { TestServer } from '../../test-server.ts';
import { hashCode, hashToken, newToken } from '../../tokens.ts';

type Row = Record<string, unknown> & { tenant_id: string; created_at: string };
/** A use and what is believed of its locker, as calls have made them. */
export type Pattern = { use: Row; locker: Record<string, unknown> };
export type Copy = { id: string; token: string; code: string };

export const patternOf = async (server: TestServer, id: string): Promise<Pattern> => {
  const [pattern] = await query<Pattern>(
    server.database.ownerUrl,
    `select to_jsonb(o) - 'words' as use,
       jsonb_build_object('content', l.content, 'content_why', l.content_why, 'content_at', l.content_at, 'occupancy', l.occupancy,
         'occupancy_at', l.occupancy_at, 'sensed', l.sensed, 'sensed_since', l.sensed_since) as locker
     from occupations o join lockers l on l.tenant_id = o.tenant_id and l.id = o.locker_id where o.id = $1`,
    [id],
  );
  if (!pattern) throw new Error('there is no such use');
  return pattern;
};

const TIMES = [
  'created_at',
  'updated_at',
  'stage_at',
  'reserved_from',
  'reserved_until',
  'pickup_from',
  'pickup_by',
  'door_opened_at',
  'door_closed_at',
];
const LOCKER_TIMES = ['content_at', 'occupancy_at', 'sensed_since'];
let copies = 0;

/**
 * The same in another locker, as if it were made now, with a link and a code of its own: one statement in place of two or three calls.
 * No history tells of it, and nobody was written to: a test of these makes it by its calls.
 */
export const copied = async (
  server: TestServer,
  { use, locker }: Pattern,
  door: { id: string; doorTag: string },
  more: object = {},
): Promise<Copy> => {
  const { deps } = server;
  const tenantId = use.tenant_id;
  const later = deps.now().getTime() - Date.parse(use.created_at);
  const moved = (from: Record<string, unknown>, names: string[]) =>
    Object.fromEntries(
      names.map((name) => [name, typeof from[name] === 'string' ? new Date(Date.parse(from[name]) + later).toISOString() : null]),
    );
  const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
  const token = newToken(tenantId);
  // far from one another: a wrong one that differs by a digit is no other's
  const code = String((++copies * 7919) % 1_000_000).padStart(6, '0');
  const secrets = {
    token_sealed: hex(deps.seal.close(token)),
    token_hash: hex(hashToken(deps, token)),
    code_sealed: hex(deps.seal.close(code)),
    code_hash: hex(hashCode(deps, tenantId, code)),
  };
  const id = newId();
  const row = {
    ...use,
    ...moved(use, TIMES),
    ...(use['token_hash'] === null ? {} : secrets),
    ...more,
    id,
    locker_id: door.id,
    door_tag: door.doorTag,
  };
  const columns = Object.keys(row).join(', ');
  await query(
    server.database.ownerUrl,
    `with held as (
       update lockers l set content = p.content, content_why = p.content_why, content_at = p.content_at, occupancy = p.occupancy,
         occupancy_at = p.occupancy_at, sensed = p.sensed, sensed_since = p.sensed_since
       from jsonb_populate_record(null::lockers, $2) p where l.id = $3)
     insert into occupations (${columns}) select ${columns} from jsonb_populate_record(null::occupations, $1)`,
    [JSON.stringify(row), JSON.stringify({ ...locker, ...moved(locker, LOCKER_TIMES) }), door.id],
  );
  return { id, token, code };
};

/**
 * The first by the calls of `make`; each after it by a row, in its own locker and else as they answered for the first. What is asked for
 * with `more` of its own is always made by its calls.
 */
export const likeTheFirst = <T extends { id: string }, M = never>(
  server: () => TestServer,
  make: (door: TestLocker, more?: M) => Promise<T>,
): ((door: TestLocker, more?: M) => Promise<T>) => {
  let first: { made: T; pattern: Pattern } | null = null;
  return async (door, more) => {
    if (more !== undefined) return make(door, more);
    if (first) {
      const { id } = await copied(server(), first.pattern, door);
      return { ...first.made, id, lockerId: door.id, doorTag: door.doorTag, compartment: door.compartment };
    }
    const made = await make(door);
    first = { made, pattern: await patternOf(server(), made.id) };
    return made;
  };
};
