import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import type { Credential } from './caller.ts';
import type { ProblemDocument } from '@hatchway/contract/problems.ts';
import { problemOf } from './errors.ts';
import { documentOf, Problem, statusOf } from './problem.ts';

const KEPT_MS = 24 * 3600_000;
/** Whoever works on a call says so every few seconds; one of which nothing was heard for so long was cut off with its process. */
const RUNNING_MS = 30_000;

type Answer = { status: number; headers: Record<string, string>; body: unknown };
export type Once = {
  tenantId: string;
  caller: string;
  method: string;
  path: string;
  key: string;
  bodyHash: Buffer;
  secret: boolean;
  /** What may not be done once more unasked: cut off, nobody knows whether it was. */
  movesDoor?: boolean;
  /** What the caller holds, as a hash; of a link or code, which holds the same for as long as it works, none. */
  rights?: string;
};

/** In whatever order they were read. */
const rightsOf = ({ roles, licenses, scopes, grants = [], lockers }: Facts): string => {
  const lists = [roles, licenses, scopes, grants].map((list) => list.toSorted());
  const held = lockers === 'all' ? lockers : Object.entries(lockers).map(([id, on]) => `${id} ${on.toSorted().join(' ')}`);
  return createHash('sha256')
    .update(JSON.stringify([lists, held === 'all' ? held : held.toSorted()]))
    .digest('base64url');
};
export const heldWith = (once: Once, facts: Facts): Once => ({ ...once, rights: rightsOf(facts) });

/** Quoted, or bare; nothing between two quotes is none. */
export const KEY_PATTERN = /^(?:"[\x21-\x7e]{1,200}"|(?!""$)[\x21-\x7e]{1,200})$/;
/** Quoted (structured) and bare keys are taken alike; null: none was sent. Throws Problem `malformed`. */
const readKey = (raw: string | string[] | undefined): string | null => {
  if (raw === undefined) return null;
  const key = String(raw);
  if (!KEY_PATTERN.test(key)) throw new Problem('malformed', 'Idempotency-Key: 1 to 200 visible characters');
  return key.replace(/^"(.+)"$/, '$1');
};

/** The Idempotency-Key of a POST, or null. Throws Problem `malformed`. */
export const keyOf = (
  route: RouteSpec,
  request: FastifyRequest,
  credential: Credential,
  sent: { body: unknown; file: Uint8Array | null },
): Once | null => {
  if (route.method !== 'POST' || !credential.tenantId) return null;
  const key = readKey(request.headers['idempotency-key']);
  if (key === null) return null;
  const caller = credential.kind === 'key' ? `key:${credential.hash.toString('hex').slice(0, 32)}` : credential.subject;
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(sent.body ?? {}))
    .update(sent.file ?? '')
    .digest();
  const { secret = false, movesDoor = false } = route;
  const path = new URL(request.url, 'http://x').pathname;
  return { tenantId: credential.tenantId, caller, method: route.method, path, key, bodyHash, secret, movesDoor };
};

const isIts =
  ({ tenantId, caller, method, path, key }: Once) =>
  (eb: ExpressionBuilder<Database, 'idempotency'>) =>
    eb.and({ tenant_id: tenantId, caller, method, path, key });
const mine = (tx: Tx, once: Once) => tx.updateTable('idempotency').where(isIts(once));

/** Takes the key for this call, or gives the answer that it already has. Two at once: the second waits for the first's commit here. */
const take = async (tx: Tx, once: Once, now: string): Promise<Answer | null> => {
  const { tenantId, caller, method, path, key, bodyHash } = once;
  const expires = new Date(Date.parse(now) + KEPT_MS).toISOString();
  const taken = await tx
    .insertInto('idempotency')
    .values({ tenant_id: tenantId, caller, method, path, key, body_hash: bodyHash, state: 'running', created_at: now, expires_at: expires })
    .onConflict((conflict) => conflict.constraint('idempotency_key').doNothing())
    .returning('key')
    .executeTakeFirst();
  if (taken) return null;
  const known = await tx.selectFrom('idempotency').selectAll().where(isIts(once)).forUpdate().executeTakeFirst();
  if (!known) return take(tx, once, now);
  if (Date.parse(known.expires_at) <= Date.parse(now)) {
    await mine(tx, once)
      .set({ body_hash: bodyHash, state: 'running', status: null, headers: null, answer: null, created_at: now, expires_at: expires })
      .execute();
    return null;
  }
  if (!known.body_hash.equals(bodyHash)) throw new Problem('key-reused');
  if (known.state === 'secret') throw new Problem('already-created');
  // That a cabinet did not answer shows nothing of any row; and of a door that nobody knows opened it is not told that it was.
  if (known.state === 'answered' && (known.status ?? 200) >= 400) throw problemFrom(known.answer as { body: ProblemDocument });
  // What was answered then may be of a row that is none of theirs by now; that it was done is told, so that nobody does it twice.
  const rights = (known.answer as { rights?: string } | null)?.rights;
  if (known.state === 'answered' && rights !== undefined && rights !== once.rights) throw new Problem('done-already');
  if (known.state === 'answered')
    return {
      status: known.status ?? 200,
      headers: known.headers ?? {},
      body: (known.answer as { body?: unknown } | null)?.body,
    };
  if (Date.parse(now) - Date.parse(known.created_at) < RUNNING_MS) throw new Problem('still-running', undefined, { retryAfter: 1 });
  // Whoever stands there may press anew; a program that repeats itself opens no door that somebody has shut meanwhile.
  if (once.movesDoor) throw new Problem('no-answer', 'It was cut off: nobody knows whether the door moved', { data: { code: 'cut-off' } });
  await mine(tx, once).set({ created_at: now }).execute();
  return null;
};

const problemFrom = ({ body: { code, detail, errors = [], data } }: { body: ProblemDocument }): Problem =>
  new Problem(code, detail, { errors, ...(data === undefined ? {} : { data }) });

const keep = (tx: Tx, once: Once, answer: Answer) =>
  mine(tx, once)
    .set(
      once.secret
        ? { state: 'secret' }
        : {
            state: 'answered',
            status: answer.status,
            headers: JSON.stringify(answer.headers),
            answer: JSON.stringify({ body: answer.body, rights: once.rights }),
          },
    )
    .execute();

export const answerOnce = {
  /** The answer is kept by the transaction that did the work: a process killed in between has either done both or nothing. */
  within: async (tx: Tx, once: Once, now: string, act: () => Promise<Answer>): Promise<Answer> => {
    const before = await take(tx, once, now);
    if (before) return before;
    const answer = await act();
    await keep(tx, once, answer);
    return answer;
  },
  /**
   * For work that is no single transaction: a refusal frees the key, a cut leaves it running for a while, and so does whatever ends
   * after the world was asked. `no-answer` is an answer: the door may have opened, and a repetition must not open it once more.
   */
  outside: async (deps: Deps, tenantId: string, once: Once, now: string, act: () => Promise<Answer>): Promise<Answer> => {
    const before = await deps.db.tenant(tenantId, (tx) => take(tx, once, now));
    if (before) return before;
    // However long it takes, a bulk of hundreds too: a second try meanwhile must never do the work twice. The row tells the time.
    const stillRunning = setInterval(() => {
      const at = deps.now().toISOString();
      deps.db
        .tenant(tenantId, (tx) => mine(tx, once).where('state', '=', 'running').set({ created_at: at }).execute())
        .catch((error: unknown) => deps.log.warn({ err: error }, 'a running call could not be marked'));
    }, deps.pace.stillMs);
    const kept = (answer: Answer) => deps.db.tenant(tenantId, (tx) => keep(tx, once, answer));
    try {
      const answer = await act().catch(async (error: unknown) => {
        const problem = problemOf(error);
        const status = statusOf(problem.code);
        if (problem.code === 'no-answer') await kept({ status, headers: {}, body: documentOf(problem) });
        // A cabinet that is away was asked for nothing. Where the database was busy the try is over and is to come again, as after a cut, and
        // need not wait until it counts as one; save what moves a door, which may have been asked.
        else if (status < 500 || problem.code === 'cabinet-offline' || (problem.code === 'unavailable' && !once.movesDoor))
          await deps.db.tenant(tenantId, (tx) => tx.deleteFrom('idempotency').where(isIts(once)).execute());
        throw error;
      });
      await kept(answer);
      return answer;
    } finally {
      clearInterval(stillRunning);
    }
  },
};

/**
 * The operator's key belongs to no company: it is kept with the company that the call makes (whose id then follows from the key) or is
 * about. Their answers hold secrets, so a repetition is told that it was done, never answered again. Throws Problem `malformed`.
 */
export const operatorOnce = (
  headers: FastifyRequest['headers'],
  path: string,
  tenantId: string | undefined,
  body: unknown,
): { tenantId: string; once: Once | null } => {
  const key = readKey(headers['idempotency-key']);
  if (key === null) return { tenantId: tenantId ?? randomUUID(), once: null };
  const id = tenantId ?? idFrom(`company:${key}`);
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest();
  return { tenantId: id, once: { tenantId: id, caller: 'operator', method: 'POST', path, key, bodyHash, secret: true } };
};

/** The same v4 UUID for the same words: what is made under a key, and must be made once, has it. */
export const idFrom = (what: string): string => {
  const bytes = createHash('sha256').update(what).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** Does it unless it was done under this key. Throws Problem `already-created`, `key-reused`. */
export const doneOnce = async <T>(tx: Tx, once: Once | null, now: string, act: () => Promise<T>): Promise<T> => {
  if (once === null) return act();
  await take(tx, once, now);
  const made = await act();
  await keep(tx, once, { status: 200, headers: {}, body: undefined });
  return made;
};
