import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import type { TestLocker } from '../../test-cabinet.ts';
import type { TestServer } from '../../test-server.ts';
import { hashCode, hashToken, newToken } from '../../tokens.ts';

type Row = Record<string, unknown> & { tenant_id: string; created_at: string };
/** A use and what is believed of its locker, as calls have made them. */
export type Pattern = { use: Row; content: string; why: string | null };
export type Copy = { id: string; token: string; code: string };

export const patternOf = async (server: TestServer, id: string): Promise<Pattern> => {
  const [pattern] = await query<Pattern>(
    server.database.ownerUrl,
    `select to_jsonb(o) - 'words' as use, l.content, l.content_why as why
     from occupations o join lockers l on l.tenant_id = o.tenant_id and l.id = o.locker_id where o.id = $1`,
    [id],
  );
  if (!pattern) throw new Error('there is no such use');
  return pattern;
};

const TIMES = ['created_at', 'updated_at', 'stage_at', 'reserved_from', 'reserved_until', 'pickup_from', 'pickup_by'];
let copies = 0;

/**
 * The same in another locker, as if it were made now, with a link and a code of its own. No history tells of it, and nobody was written to.
 * It takes one statement, where the calls take the processors twenty times as long.
 */
export const copied = async (
  server: TestServer,
  { use, content, why }: Pattern,
  locker: { id: string; doorTag: string },
  more: object = {},
): Promise<Copy> => {
  const { deps } = server;
  const tenantId = use.tenant_id;
  const later = deps.now().getTime() - Date.parse(use.created_at);
  const moved = (at: unknown) => (typeof at === 'string' ? new Date(Date.parse(at) + later).toISOString() : at);
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
    ...Object.fromEntries(TIMES.map((name) => [name, moved(use[name])])),
    ...(use['token_hash'] === null ? {} : secrets),
    ...more,
    id,
    locker_id: locker.id,
    door_tag: locker.doorTag,
  };
  const columns = Object.keys(row).join(', ');
  await query(
    server.database.ownerUrl,
    `with held as (update lockers set content = $2, content_why = $3, content_at = $4 where id = $5)
     insert into occupations (${columns}) select ${columns} from jsonb_populate_record(null::occupations, $1)`,
    [JSON.stringify(row), content, why, deps.now().toISOString(), locker.id],
  );
  return { id, token, code };
};

/** The first by the calls of `make`; each after it by a row, in its own locker and else as they answered for the first. */
export const likeTheFirst = <T extends { id: string }>(
  server: () => TestServer,
  make: (door: TestLocker) => Promise<T>,
): ((door: TestLocker) => Promise<T>) => {
  let first: { made: T; pattern: Pattern } | null = null;
  return async (door) => {
    if (first) {
      const { id } = await copied(server(), first.pattern, door);
      return { ...first.made, id, lockerId: door.id, doorTag: door.doorTag, compartment: door.compartment };
    }
    const made = await make(door);
    first = { made, pattern: await patternOf(server(), made.id) };
    return made;
  };
};
