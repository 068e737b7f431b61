import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { argumentsOf, inputIssue, missing } from '@hatchway/contract/checks.ts';
import { needsBody, type InputOf, type OutputOf, type RouteKey, type RouteSpec } from '@hatchway/contract/route.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Scope } from '../scope.ts';
import { mayCall } from './access.ts';
import { authenticate, loadCaller, scopeOf, type Caller, type Credential } from './caller.ts';
import { check } from './check.ts';
import { answerOnce, heldWith, keyOf, type Once } from './idempotency.ts';
import { written, type KeptPage } from './kept-rows.ts';
import { nextLink, type Listed } from './list.ts';
import { readPicture, type Picture } from './picture.ts';
import { networkOf } from './network.ts';
import { malformed, Problem } from './problem.ts';
import { outgoing } from './shape.ts';
import { taken } from './sound.ts';
import { readForm } from './upload.ts';
import { sayWhose } from './whose.ts';

type RowOf<T> = T extends readonly (infer Row)[] ? Row : never;
/** What a handler may answer: what the contract's response schema takes, a page of a list, nothing, or bytes. */
type ResultIn<R extends RouteSpec> = R['response'] extends z.ZodType
  ? InputOf<R['response']> | Listed<InputOf<R['response']>> | KeptPage<RowOf<InputOf<R['response']>>>
  : R['response'] extends { binary: string }
    ? Binary | FileAnswer
    : void;
type Binary = { bytes: Uint8Array; etag: string };
/** Text that is written while it is fetched, to be saved under a name. */
export type FileAnswer = { stream: Readable; name: string };

export type Asked<R extends RouteSpec> = {
  deps: Deps;
  params: OutputOf<R['params']>;
  query: OutputOf<R['query']>;
  body: OutputOf<R['body']>;
  /** The uploaded picture of a form call, re-encoded; null without one. */
  image: Picture | null;
  /** The uploaded file of a call that reads CSV, as it came. */
  file: Uint8Array | null;
  /** ISO time of this request: the clock of every rule in it. */
  now: string;
  /** The peer's network, for limits. Never logged with what it asked. */
  address: string;
  headers: FastifyRequest['headers'];
};
/** `caller` is who the access of the route promises: nobody on public routes. `scope`: in their name, at the time of the request. */
type Known<R extends RouteSpec> = R['access'] extends 'public' | 'operator'
  ? object
  : R extends { secretIn: string }
    ? { caller?: Caller; scope?: Scope }
    : { caller: Caller; scope: Scope };
/** `tx`: the request's one transaction, in the caller's company. `after` runs when it has committed; what a call other than GET recorded is carried on then. */
export type Within<R extends RouteSpec> = Asked<R> & Known<R> & { tx: Tx; after: (run: () => void) => void };
/** The caller as the database knows them now, for calls that last; throws where they may not make it any more. What then writes holds their rights until it has. */
export type Again = (tx: Tx, hold?: 'rights') => Promise<Caller>;
/** `once`: the key that it came under. It carries on what it recorded itself: `deps.outbox.wake()` after its commit. */
export type Outside<R extends RouteSpec> = Asked<R> &
  (R['access'] extends 'public' | 'operator' ? object : { caller: Caller; scope: Scope; again: Again; once: Once | null });

/**
 * A plain function runs inside the request's transaction, and its answer is kept for Idempotency-Key in that same transaction.
 * `outside` is for calls that wait for the world (a door, a provider): they open short transactions of their own.
 */
export type Handler<R extends RouteSpec> =
  | ((asked: Within<R>) => Promise<ResultIn<R>>)
  | { outside: (asked: Outside<R>) => Promise<ResultIn<R>> };
type Handlers<Rs extends readonly RouteSpec[]> = { [R in Rs[number] as RouteKey<R>]: Handler<R> };

/** An id of another form than ours is told in the specification's words, as a missing one is. */
const checkParams = (route: RouteSpec, params: Record<string, unknown>): unknown => {
  try {
    return check(route.params, params, '/params');
  } catch (error) {
    const at = error instanceof Problem ? error.errors[0]?.pointer : undefined;
    const named = argumentsOf(route.path).find(({ param }) => at === `/params/${param}`);
    throw named && error instanceof Problem ? new Problem('malformed', missing(named.argument), { errors: error.errors }) : error;
  }
};

/** The specification's words name one place, and not always one of the wire: what the schema finds beside them says where. */
const throwInWords = (route: RouteSpec, raw: { params: Record<string, unknown>; body: unknown }): void => {
  const words = inputIssue(`${route.method} ${route.path}`, raw);
  if (!words) return;
  try {
    check(route.params, raw.params, '/params');
    check(route.body, raw.body, '');
  } catch (error) {
    throw error instanceof Problem ? new Problem('malformed', words, { errors: error.errors }) : error;
  }
  throw new Problem('malformed', words);
};

/** Of a call that declares no query: a word that would be ignored was meant for something. */
const NO_WORDS = z.strictObject({});

const read = async (route: RouteSpec, request: FastifyRequest) => {
  if (request.isMultipart() && !route.form) throw new Problem('unsupported-media');
  const form = request.isMultipart() && route.form ? await readForm(request, route.form) : null;
  const raw = {
    params: request.params as Record<string, unknown>,
    body: form ? form.data : request.body === undefined && !needsBody(route) ? {} : request.body,
  };
  throwInWords(route, raw);
  if (raw.body === undefined) throw malformed([{ pointer: '', detail: 'the body is missing' }]);
  const sent = {
    params: taken(raw.params, '/params') as Record<string, unknown>,
    query: taken(request.query, '/query'),
    body: taken(raw.body, ''),
  };
  throwInWords(route, sent);
  return {
    params: checkParams(route, sent.params),
    query: check(route.query ?? NO_WORDS, sent.query, '/query'),
    body: route.method === 'GET' ? undefined : check(route.body, sent.body, ''),
    image: form?.image ?? null,
    file: form?.file ?? null,
  };
};

const isListed = (result: unknown): result is Listed<unknown> =>
  typeof result === 'object' && result !== null && 'rows' in result && 'next' in result;

const isKept = (result: unknown): result is KeptPage<unknown> => typeof result === 'object' && result !== null && 'kept' in result;

/** `json`: the body is JSON already. */
type Answer = { status: number; headers: Record<string, string>; body: unknown; json?: true };
type Served = RouteSpec & { outgoing: (value: unknown) => unknown };
/** The answer passes its schema on the way out: a field that nobody declared cannot leave. */
const answerOf = (route: Served, result: unknown, url: string): Answer => {
  if (route.response === 'nothing' || result === undefined) return { status: 204, headers: {}, body: undefined };
  if ('binary' in route.response) return { status: 200, headers: {}, body: result };
  const kept = isKept(result);
  if (!kept && !isListed(result)) return { status: 200, headers: {}, body: route.outgoing(result) };
  const headers: Record<string, string> = {};
  if (result.next) headers['link'] = nextLink(url, result.next);
  if (result.total !== null) headers['x-total-count'] = String(result.total);
  if (kept) return { status: 200, headers, body: written(result, route.outgoing), json: true };
  return { status: 200, headers, body: route.outgoing(result.rows) };
};

const send = (route: RouteSpec, answer: Answer, request: FastifyRequest, reply: FastifyReply) => {
  void reply.code(answer.status).headers(answer.headers);
  if (answer.json) return reply.type('application/json; charset=utf-8').send(answer.body);
  if (typeof route.response !== 'object' || !('binary' in route.response)) return reply.send(answer.body);
  const file = answer.body as Binary | FileAnswer;
  if ('stream' in file)
    return reply
      .type(`${route.response.binary}; charset=utf-8`)
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .send(file.stream);
  const { bytes, etag } = file;
  // What shows a secret is kept nowhere, so it has nothing to be compared with either.
  if (route.secret) return reply.type(route.response.binary).send(bytes);
  void reply.header('etag', etag).header('cache-control', 'private, no-cache');
  const held = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (held.includes(etag) || held.includes('*')) return reply.code(304).send();
  return reply.type(route.response.binary).send(bytes);
};

type Loose = ((asked: unknown) => Promise<unknown>) | { outside: (asked: unknown) => Promise<unknown> };

const run = async (deps: Deps, route: Served, handler: Loose, request: FastifyRequest, credential: Credential | null): Promise<Answer> => {
  const { image: bytes, ...input } = await read(route, request).catch(async (error: unknown) => {
    // Whoever may not make the call at all hears that, not what is wrong with their input.
    if (credential) await callerOf(deps, route, credential);
    throw error;
  });
  // Decoding is dear and waits its turn: only for who may make the call, and never inside the transaction.
  if (bytes && credential) await callerOf(deps, route, credential);
  const image = bytes ? await readPicture(bytes) : null;
  const asked = { deps, ...input, image, now: deps.now().toISOString(), address: networkOf(request.ip), headers: request.headers };
  const once = credential?.tenantId ? keyOf(route, request, credential, { body: input.body, file: bytes ?? input.file }) : null;
  const known = (caller: Caller) => ({ caller, scope: scopeOf(caller, asked.now) });
  const ran: (() => void)[] = [];
  const within = async (tx: Tx, caller?: Caller) => {
    if (typeof handler !== 'function') throw new Error(`${route.method} ${route.path} has no handler for a transaction`);
    ran.length = 0; // a retried transaction starts over
    return answerOf(
      route,
      await handler({ ...asked, tx, ...(caller && known(caller)), after: (act: () => void) => ran.push(act) }),
      request.url,
    );
  };
  if (typeof handler !== 'function') {
    const { outside } = handler;
    const caller = credential ? await callerOf(deps, route, credential) : undefined;
    const again: Again = (tx, hold) => callerIn(tx, deps, route, credential, hold);
    const held = once && caller ? heldWith(once, caller.facts) : null;
    const act = async () =>
      answerOf(route, await outside({ ...asked, ...(caller && { ...known(caller), again, once: held }) }), request.url);
    return held ? answerOnce.outside(deps, held.tenantId, held, asked.now, act) : act();
  }
  const db = route.method === 'GET' ? deps.db.reads : deps.db.writes;
  const work = () => {
    if (route.access === 'operator') return db.operator((tx) => within(tx));
    if (!credential?.tenantId)
      return credential
        ? db.account(credential.subject, async (tx) => {
            const caller = await loadCaller(tx, credential, asked.now);
            mayCall(route.access, caller);
            return within(tx, caller);
          })
        : db.open((tx) => within(tx));
    return db.tenant(credential.tenantId, async (tx) => {
      const caller = await loadCaller(tx, credential, asked.now, holdFor(route));
      mayCall(route.access, caller);
      return once ? answerOnce.within(tx, heldWith(once, caller.facts), asked.now, () => within(tx, caller)) : within(tx, caller);
    });
  };
  const done = await work();
  // at once, not at the relay's next tick: whoever lost a right is asked again by it too
  if (route.method !== 'GET') deps.outbox.wake();
  for (const act of ran) act();
  return done;
};

/** What only reads is of one moment anyway. */
const holdFor = ({ method, access }: RouteSpec) =>
  method === 'GET' ? undefined : access === 'admin:memberships' ? ('members' as const) : ('rights' as const);

const callerIn = async (tx: Tx, deps: Deps, route: RouteSpec, credential: Credential | null, hold?: 'rights'): Promise<Caller> => {
  if (!credential) throw new Problem('unauthenticated');
  const caller = await loadCaller(tx, credential, deps.now().toISOString(), hold);
  mayCall(route.access, caller);
  return caller;
};

const callerOf = async (deps: Deps, route: RouteSpec, credential: Credential): Promise<Caller> => {
  const load = (tx: Tx) => callerIn(tx, deps, route, credential);
  return credential.tenantId ? deps.db.tenant(credential.tenantId, load) : deps.db.account(credential.subject, load);
};

const holdsSecret = ({ secretIn }: RouteSpec, body: unknown): boolean =>
  secretIn !== undefined && typeof body === 'object' && body !== null && Object.hasOwn(body, secretIn);

/**
 * Serves the calls of one noun: `serve(app, deps, routes, { 'GET /x': … })`. The type makes it impossible to forget one, or to serve
 * one that is not declared.
 */
export const serve = <const Rs extends readonly RouteSpec[]>(
  app: FastifyInstance,
  deps: Deps,
  routes: Rs,
  handlers: NoInfer<Handlers<Rs>>,
): void => {
  const loose = handlers as unknown as Record<string, Loose>;
  for (const spec of routes) {
    const { response } = spec;
    const route: Served = {
      ...spec,
      outgoing: typeof response === 'object' && !('binary' in response) ? outgoing(response) : () => undefined,
    };
    const handler = loose[`${route.method} ${route.path}`];
    if (!handler) throw new Error(`no handler for ${route.method} ${route.path}`);
    app.route({
      method: route.method,
      url: `/v1${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const open = route.access === 'public' || holdsSecret(route, request.body);
        const credential = open ? null : await authenticate(deps, route.access, request);
        if (route.secret || open) void reply.header('cache-control', 'no-store');
        const readAs = (as: Credential | null) => run(deps, route, handler, request, as);
        const answer = await readAs(credential).catch(async (error: unknown) => {
          throw await sayWhose(deps, route, credential, error, readAs);
        });
        return send(route, answer, request, reply);
      },
    });
  }
};
