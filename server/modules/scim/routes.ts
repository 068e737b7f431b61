import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { problemOf } from '../../http/errors.ts';
import { networkOf } from '../../http/network.ts';
import { Problem, statusOf } from '../../http/problem.ts';
import { taken } from '../../http/sound.ts';
import { bodyOf, textOf } from '../../http/text.ts';
import type { Scope } from '../../scope.ts';
import { companyOfBearer } from '../directory/bearer-commands.ts';
import { inDirectory, type Run } from '../directory/commands.ts';
import { isFiltered, oneResourceType, oneSchema, resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { documentOf, noResource, ScimError } from './errors.ts';
import { createGroup, deleteGroup, isLarge, listGroups, oneGroup, patchGroup, replaceGroup } from './groups.ts';
import { etagOf, isUnchanged, type Seen } from './meta.ts';
import { readAsked, readWanted, type Asked } from './paging.ts';
import { readOperations, type Operation } from './patch.ts';
import type { Resource, Wanted } from './resource.ts';
import { createUser, deleteUser, listUsers, oneUser, patchUser, replaceUser } from './users.ts';

const MEDIA = 'application/scim+json';
/** A group of ten thousand people in one body. */
const BODY_BYTES = 2 * 1024 * 1024;

type Noun = {
  path: '/Users' | '/Groups';
  list: (tx: Tx, tenantId: string, base: string, asked: Asked) => Promise<unknown>;
  one: (tx: Tx, tenantId: string, base: string, id: string, wanted: Wanted) => Promise<{ resource: Resource; version: number }>;
  create: (run: Run, body: unknown) => Promise<string>;
  replace: (run: Run, id: string, body: unknown, condition: Seen) => Promise<void>;
  patch: (run: Run, id: string, operations: readonly Operation[], condition: Seen) => Promise<void>;
  remove: (run: Run, id: string, condition: Seen) => Promise<void>;
  /** Too much to be told again with each change. */
  isLarge: (tx: Tx, tenantId: string, id: string) => Promise<boolean>;
};
const NOUNS: readonly Noun[] = [
  { path: '/Users', list: listUsers, one: oneUser, create: createUser, replace: replaceUser, patch: patchUser, remove: deleteUser, isLarge: () => Promise.resolve(false) }, // prettier-ignore
  { path: '/Groups', list: listGroups, one: oneGroup, create: createGroup, replace: replaceGroup, patch: patchGroup, remove: deleteGroup, isLarge }, // prettier-ignore
];

const answer = (reply: FastifyReply, status: number, body: unknown) =>
  reply
    .code(status)
    .header('content-type', MEDIA)
    .header('cache-control', 'no-store')
    .send(Buffer.from(JSON.stringify(body)));

/** Whatever is thrown, in SCIM's form. */
const errorOf = (error: unknown): { error: ScimError; retryAfter?: number | undefined } => {
  if (error instanceof ScimError) return { error };
  const problem = error instanceof Problem ? error : problemOf(error);
  const status = statusOf(problem.code);
  return { error: new ScimError(status, problem.message, status === 400 ? 'invalidSyntax' : undefined), retryAfter: problem.retryAfter };
};
const refuse = (request: FastifyRequest, reply: FastifyReply, thrown: unknown) => {
  const { error, retryAfter } = errorOf(thrown);
  if (error.status >= 500 && error.status !== 501 && error.status !== 503) request.log.error({ err: thrown }, 'a request met a defect');
  if (retryAfter !== undefined) void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
  return answer(reply, error.status, documentOf(error));
};

type Open = FastifyRequest & { scim?: string };
const tenantOf = (request: Open): string => {
  if (request.scim === undefined) throw new ScimError(401, 'The bearer opens nothing');
  return request.scim;
};
const one = (header: string | string[] | undefined): string | undefined => [header].flat()[0];
const idIn = (request: FastifyRequest): string => (request.params as { id: string }).id;
const sound = (request: FastifyRequest): unknown => taken(request.body, '');

/** No calls of ours (`/v1`): the wire is SCIM’s (RFC 7643, RFC 7644), for whatever directory a company has. */
export const scimModule = (app: FastifyInstance, deps: Deps): void => {
  const base = `${deps.config.publicUrl}/scim/v2`;
  const run = <T>(request: Open, act: (run: Run) => Promise<T>): Promise<T> => {
    const scope: Scope = { tenantId: tenantOf(request), now: deps.now().toISOString(), actor: { kind: 'system', id: null, name: 'SCIM' } };
    return inDirectory(deps, scope, act);
  };
  const read = <T>(request: Open, act: (tx: Tx, tenantId: string) => Promise<T>): Promise<T> => {
    const tenantId = tenantOf(request);
    return deps.db.tenant(tenantId, (tx) => act(tx, tenantId));
  };

  void app.register(
    (scim, _options, done) => {
      scim.removeAllContentTypeParsers();
      scim.addContentTypeParser(
        [MEDIA, 'application/json'],
        { parseAs: 'buffer', bodyLimit: BODY_BYTES },
        (request, body: Buffer, parsed) => {
          try {
            const text = textOf(body, request.headers['content-type']);
            parsed(null, text === '' ? undefined : bodyOf(text));
          } catch (error) {
            parsed(Object.assign(error as Error, { statusCode: 400 }));
          }
        },
      );
      scim.setErrorHandler((error, request, reply) => refuse(request, reply, error));
      scim.addHook('onRequest', async (request: Open) => {
        const secret = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
        const called = await companyOfBearer(deps, secret, networkOf(request.ip));
        if (called === 'suspended') throw new ScimError(403, 'The company is suspended');
        if (called === 'wrong') throw new ScimError(401, 'The bearer opens nothing');
        request.scim = called.tenantId;
      });
      // A route and no handler of what is not found: pages have one that takes every address.
      scim.all('/*', (request, reply) => refuse(request, reply, noResource(request.url.split('?')[0] ?? '')));

      const discover = (path: string, give: (id: string) => unknown) => {
        scim.route({
          method: ['POST', 'PUT', 'PATCH', 'DELETE'],
          url: path,
          handler: (request, reply) => refuse(request, reply.header('allow', 'GET, HEAD'), new ScimError(405, 'This is read alone')),
        });
        scim.get(path, (request, reply) => {
          // RFC 7644, section 4: these are never filtered.
          if (isFiltered(request.query)) throw new ScimError(403, 'Nothing is filtered here');
          return answer(reply, 200, give((request.params as { id?: string }).id ?? ''));
        });
      };
      discover('/ServiceProviderConfig', () => serviceProviderConfig(base));
      discover('/ResourceTypes', () => resourceTypes(base));
      discover('/ResourceTypes/:id', (id) => oneResourceType(base, id));
      discover('/Schemas', () => schemas(base));
      discover('/Schemas/:id', (id) => oneSchema(base, id));
      for (const path of ['/Me', '/Bulk', '/.search'])
        scim.all(path, (request, reply) => refuse(request, reply, new ScimError(501, 'This is not served here')));

      for (const noun of NOUNS) {
        const { path } = noun;
        const tell = async (request: Open, reply: FastifyReply, id: string, status: number, wanted: Wanted) => {
          const { resource, version } = await read(request, (tx, tenantId) => noun.one(tx, tenantId, base, id, wanted));
          return answer(reply.header('etag', etagOf(version)).header('location', `${base}${path}/${id}`), status, resource);
        };
        scim.get(path, async (request, reply) => {
          const asked = readAsked(taken(request.query, ''));
          return answer(reply, 200, await read(request, (tx, tenantId) => noun.list(tx, tenantId, base, asked)));
        });
        scim.post(`${path}/.search`, async (request, reply) => {
          const asked = readAsked(sound(request));
          return answer(reply, 200, await read(request, (tx, tenantId) => noun.list(tx, tenantId, base, asked)));
        });
        scim.post(path, async (request, reply) => {
          const body = sound(request);
          const wanted = readWanted(request.query);
          const id = await run(request, (made) => noun.create(made, body));
          return tell(request, reply, id, 201, wanted);
        });
        scim.get(`${path}/:id`, async (request, reply) => {
          const wanted = readWanted(request.query);
          const { resource, version } = await read(request, (tx, tenantId) => noun.one(tx, tenantId, base, idIn(request), wanted));
          if (isUnchanged(version, one(request.headers['if-none-match']))) return reply.code(304).header('etag', etagOf(version)).send();
          return answer(reply.header('etag', etagOf(version)), 200, resource);
        });
        scim.put(`${path}/:id`, async (request, reply) => {
          const body = sound(request);
          const wanted = readWanted(request.query);
          await run(request, (made) => noun.replace(made, idIn(request), body, request.headers['if-match']));
          return tell(request, reply, idIn(request), 200, wanted);
        });
        scim.patch(`${path}/:id`, async (request, reply) => {
          const operations = readOperations(sound(request));
          const wanted = readWanted(request.query);
          await run(request, (made) => noun.patch(made, idIn(request), operations, request.headers['if-match']));
          const isWhole = wanted.only === null && wanted.without.length === 0;
          if (isWhole && (await read(request, (tx, tenantId) => noun.isLarge(tx, tenantId, idIn(request))))) return reply.code(204).send();
          return tell(request, reply, idIn(request), 200, wanted);
        });
        scim.delete(`${path}/:id`, async (request, reply) => {
          await run(request, (made) => noun.remove(made, idIn(request), request.headers['if-match']));
          return reply.code(204).send();
        });
      }
      done();
    },
    { prefix: '/scim/v2' },
  );
};
