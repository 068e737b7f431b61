import type { FastifyInstance } from 'fastify';
import { mountFaults } from '../mount-faults.ts';
import { mountPages } from '../pages.ts';
import { DEMO_APP, fillTenant, type Directory } from './directory.ts';
import { FAULTS } from './faults.ts';
import { mountGraph } from './graph.ts';
import { mountLogin } from './login.ts';
import { nameOf, type NewPerson, type Store, type Tenant } from './store.ts';

/** What stands before the login's and Graph's own paths beside a server. */
export const ENTRA_LOGIN = '/sandbox/directory/login';
export const ENTRA_GRAPH = '/sandbox/directory/graph';

const text = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 100) : '');
/** A person as the page's form sends one; null without a name. */
function readPerson(body: unknown): NewPerson | null {
  const { givenName, surname, mail, mobilePhone, isAdmin } = (body ?? {}) as Record<string, unknown>;
  if (text(givenName) === '' && text(surname) === '') return null;
  return {
    givenName: text(givenName),
    surname: text(surname),
    ...(mail === undefined ? {} : { mail: text(mail) || null }),
    mobilePhone: text(mobilePhone) || null,
    isAdmin: isAdmin === true,
  };
}

/** What the page of the directories shows of one of them. */
const booksOf = (store: Store, tenant: Tenant) => {
  const members = store.members(tenant.tid);
  return {
    tenants: store.tenants().map(({ tid, name }) => ({ tid, name })),
    tenant,
    people: store.people(tenant.tid).map((person) => ({ ...person, name: nameOf(person) })),
    groups: store.groups(tenant.tid).map((group) => ({
      ...group,
      members: members.filter(({ groupId }) => groupId === group.id).map(({ personId }) => personId),
    })),
    app: DEMO_APP,
  };
};
export type DirectoryBooks = ReturnType<typeof booksOf> & { login: string; graph: string; alone: boolean };

type Where = { origin: string; login?: string; graph?: string; alone?: boolean };

/** The wire of both hosts, their pages, and at `/sandbox/directory` people and groups. For a demo on loopback; never mounted in production. */
export function mountDirectory(
  app: FastifyInstance,
  directory: Directory,
  { origin, login = ENTRA_LOGIN, graph = ENTRA_GRAPH, alone = false }: Where,
): void {
  const { store, faults } = directory;
  const at = '/sandbox/directory';
  mountLogin(app, directory, { prefix: login, address: origin + login });
  mountGraph(app, directory, { prefix: graph, address: origin + graph });
  mountPages(app, { '/directory': 'directory' });
  app.get(`${at}/`, (_request, reply) => reply.redirect(at, 308));

  app.get<{ Querystring: { tid?: string } }>(`${at}/books`, (request, reply) => {
    const tenant = store.tenant(request.query.tid ?? '') ?? store.tenants()[0];
    if (!tenant) return reply.code(404).send({ error: 'there is no directory' });
    const books: DirectoryBooks = { ...booksOf(store, tenant), login: origin + login, graph: origin + graph, alone };
    return reply.header('cache-control', 'no-store').send(books);
  });
  app.post(`${at}/tenants`, (request, reply) => {
    const name = text((request.body as { name?: unknown } | null)?.name);
    if (name === '') return reply.code(400).send({ error: 'name is needed' });
    return reply.code(201).send(fillTenant(store, name));
  });

  const absent = { error: 'not found' };
  app.post<{ Params: { tid: string } }>(`${at}/:tid/people`, (request, reply) => {
    const tenant = store.tenant(request.params.tid);
    if (!tenant) return reply.code(404).send(absent);
    const input = readPerson(request.body);
    return input ? reply.code(201).send(store.addPerson(tenant, input)) : reply.code(400).send({ error: 'a name is needed' });
  });
  app.post<{ Params: { tid: string } }>(`${at}/:tid/groups`, (request, reply) => {
    const tenant = store.tenant(request.params.tid);
    const name = text((request.body as { name?: unknown } | null)?.name);
    if (!tenant) return reply.code(404).send(absent);
    return name === '' ? reply.code(400).send({ error: 'name is needed' }) : reply.code(201).send(store.addGroup(tenant, name));
  });
  app.delete<{ Params: { tid: string } }>(`${at}/:tid/consent`, (request, reply) => {
    const tenant = store.tenant(request.params.tid);
    if (!tenant) return reply.code(404).send(absent);
    store.consent(tenant, DEMO_APP.clientId, false);
    return reply.code(204).send();
  });
  app.patch<{ Params: { id: string } }>(`${at}/people/:id`, (request, reply) => {
    const person = store.person(request.params.id);
    if (!person || person.removed !== null) return reply.code(404).send(absent);
    const { accountEnabled } = (request.body ?? {}) as Record<string, unknown>;
    if (typeof accountEnabled !== 'boolean') return reply.code(400).send({ error: 'accountEnabled is needed' });
    return reply.send(store.changePerson(person, { accountEnabled }));
  });
  app.delete<{ Params: { id: string } }>(`${at}/people/:id`, (request, reply) => {
    const person = store.person(request.params.id);
    if (!person || person.removed !== null) return reply.code(404).send(absent);
    store.removePerson(person);
    return reply.code(204).send();
  });
  type Membership = { Params: { group: string; person: string } };
  for (const method of ['PUT', 'DELETE'])
    app.route<Membership>({
      method,
      url: `${at}/groups/:group/members/:person`,
      handler: ({ params }, reply) => {
        const [group, person] = [store.group(params.group), store.person(params.person)];
        if (!group || person?.tid !== group.tid || person.removed !== null) return reply.code(404).send(absent);
        store.setMember(group, person, method === 'PUT');
        return reply.code(204).send();
      },
    });

  mountFaults(app, at, FAULTS, faults, [store]);
}
