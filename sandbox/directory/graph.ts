import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isBadDay, failure } from './befall.ts';
import type { Directory } from './directory.ts';
import { nameOf, type Group, type Member, type Person, type Tenant } from './store.ts';

/**
 * Microsoft Graph v1.0 below `prefix`, as far as people and groups go: delta, organization and members, by
 * microsoftgraph/microsoft-graph-docs (concepts/delta-query-overview, -users, -groups; api-reference/v1.0/api/user-delta, group-delta).
 */

type Kind = 'users' | 'groups';
type Row = Record<string, unknown>;
/** What follows a page that was not the last. */
type Round = { tid: string; kind: Kind; pages: Row[][]; deltaLink: string };
/** Where the next round begins; `late`: who was held back by a fault. */
type Since = { tid: string; kind: Kind; seq: number; late: string[]; select: string[] };

const USER = ['id', 'displayName', 'givenName', 'surname', 'userPrincipalName', 'mail', 'mobilePhone', 'preferredLanguage'];
const encode = (value: Since): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (text: string): Since | null => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Since;
  } catch {
    return null;
  }
};
const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.max(1, Math.ceil(all.length / size)) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** A property that never was set is not told at all. */
const userRow = (person: Person, select: readonly string[]): Row => {
  if (person.removed !== null) return { id: person.id, '@removed': { reason: person.removed } };
  const all: Row = { ...person, displayName: nameOf(person), userType: 'Member' };
  return Object.fromEntries([...new Set(['id', ...select])].filter((name) => all[name] !== null && all[name] !== undefined).map((name) => [name, all[name]])); // prettier-ignore
};
const memberRow = ({ personId, isGroup, removed }: Member): Row => ({
  '@odata.type': isGroup ? '#microsoft.graph.group' : '#microsoft.graph.user',
  id: personId,
  ...(removed === null ? {} : { '@removed': { reason: 'deleted' } }),
});
const groupRow = ({ id, displayName, removed }: Group, members: readonly Member[]): Row =>
  removed !== null
    ? { id, '@removed': { reason: removed } }
    : {
        id,
        displayName,
        groupTypes: [],
        securityEnabled: true,
        ...(members.length > 0 ? { 'members@delta': members.map(memberRow) } : {}),
      };

/** The last one that is there has no name that is one; of who is gone, nothing but that they are can be read. */
const spoiled = (rows: readonly Row[]): Row[] => {
  const last = rows.findLastIndex((row) => row['@removed'] === undefined);
  return rows.map((row, at) =>
    row['@removed'] === undefined ? (at === last ? { ...row, displayName: 7 } : row) : { ...row, '@removed': {}, displayName: 7 },
  );
};

export function mountGraph(app: FastifyInstance, directory: Directory, { prefix, address }: { prefix: string; address: string }): void {
  const { store, tokens, faults, pageSize } = directory;
  const rounds = new Map<string, Round>();

  const handle =
    (run: (tenant: Tenant, request: FastifyRequest, reply: FastifyReply) => unknown) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      const claims = token.split('.').length === 3 ? tokens.read(token) : null;
      const tenant = typeof claims?.['tid'] === 'string' ? store.tenant(claims['tid']) : null;
      if (await isBadDay(directory, tenant?.tid ?? null, request, reply)) return reply;
      if (!tenant || claims?.['aud'] !== 'https://graph.microsoft.com' || faults.take(['expired-token'], tenant.tid))
        return reply.code(401).send(failure('InvalidAuthenticationToken', 'Access token has expired or is not yet valid.'));
      if (faults.take(['throttled'], tenant.tid))
        return reply.code(429).header('retry-after', '7').send(failure('TooManyRequests', 'Too many requests. Please try again later.'));
      if (!tenant.consented.includes(String(claims['appid'])))
        return reply.code(403).send(failure('Authorization_RequestDenied', 'Insufficient privileges to complete the operation.'));
      return run(tenant, request, reply);
    };

  const rowsOf = ({ tid, kind, seq, late, select }: Since): { rows: Row[]; late: string[] } => {
    if (kind === 'groups') {
      const changed = store.changedGroups(tid, seq);
      // A large group comes in parts, and any group may.
      const size = faults.take(['shuffled'], tid) ? 1 : 20;
      const rows = changed.flatMap(({ group, members }) => chunks(members, size).map((some) => groupRow(group, some)));
      return { rows: size === 1 ? rows.toReversed() : rows, late: [] };
    }
    const known = new Map(store.changedPeople(tid, seq).map((one) => [one.id, one]));
    for (const id of late) {
      const person = store.person(id);
      if (person) known.set(id, person);
    }
    const people = [...known.values()].toSorted((a, b) => a.changed - b.changed);
    const held = people.length > 0 && faults.take(['member-first'], tid) ? people.splice(-1) : [];
    return { rows: people.map((one) => userRow(one, select)), late: held.map(({ id }) => id) };
  };

  const page = (kind: Kind, round: Round, reply: FastifyReply) => {
    const [value = [], ...pages] = round.pages;
    // A neighbour that was broken into would like to have our token.
    const host = faults.take(['foreign-link'], round.tid) ? 'https://graph.example.test' : address;
    const context = { '@odata.context': `${address}/v1.0/$metadata#${kind}` };
    if (pages.length === 0) return reply.send({ ...context, '@odata.deltaLink': `${host}${round.deltaLink}`, value });
    const skip = randomUUID();
    rounds.set(skip, { ...round, pages });
    return reply.send({ ...context, '@odata.nextLink': `${host}/v1.0/${kind}/delta?$skiptoken=${skip}`, value });
  };

  const delta = (kind: Kind) =>
    handle(({ tid }, request, reply) => {
      if (kind === 'groups' && faults.take(['groups-refused'], tid))
        return reply.code(403).send(failure('Authorization_RequestDenied', 'Insufficient privileges to complete the operation.'));
      const query = request.query as Record<string, string>;
      const gone = () =>
        reply
          .code(410)
          .header('location', `${address}/v1.0/${kind}/delta?$deltatoken=`)
          .send(failure('syncStateNotFound', 'The sync state generation is not found. The delta token is expired and data must be synchronized again.')); // prettier-ignore
      const { $skiptoken: skip, $deltatoken: told } = query;
      if (skip !== undefined) {
        const round = rounds.get(skip);
        if (round?.tid !== tid || round.kind !== kind) return gone();
        return page(kind, round, reply);
      }
      const select = query['$select']?.split(',') ?? USER;
      const since = told ? decode(told) : { tid, kind, seq: 0, late: [], select };
      const isKnown = since?.tid === tid && since.kind === kind && since.seq <= store.last();
      if (!isKnown || (told && faults.take(['gone'], tid))) return gone();
      const { rows: all, late } = rowsOf(since);
      const rows = faults.take(['unreadable'], tid) ? spoiled(all) : all;
      const next = encode({ ...since, seq: store.last(), late });
      return page(kind, { tid, kind, pages: chunks(rows, pageSize), deltaLink: `/v1.0/${kind}/delta?$deltatoken=${next}` }, reply);
    });

  app.get(`${prefix}/v1.0/users/delta`, delta('users'));
  app.get(`${prefix}/v1.0/groups/delta`, delta('groups'));
  app.get(
    `${prefix}/v1.0/organization/:id`,
    handle(({ tid, name, domain }, request, reply) =>
      (request.params as { id: string }).id === tid
        ? reply.send({
            '@odata.context': `${address}/v1.0/$metadata#organization/$entity`,
            id: tid,
            displayName: name,
            verifiedDomains: [{ name: domain, isDefault: true, isInitial: true, type: 'Managed' }],
          })
        : reply.code(404).send(failure('Request_ResourceNotFound', 'Resource does not exist.')),
    ),
  );
  app.get(
    `${prefix}/v1.0/groups/:id/members`,
    handle(({ tid }, request, reply) => {
      const group = store.group((request.params as { id: string }).id);
      if (group?.tid !== tid || group.removed !== null)
        return reply.code(404).send(failure('Request_ResourceNotFound', 'Resource does not exist.'));
      const ids = store.members(tid).filter(({ groupId }) => groupId === group.id);
      const people = ids.flatMap(({ personId }) => store.person(personId) ?? []);
      const value = people.map((one) => ({ '@odata.type': '#microsoft.graph.user', ...userRow(one, USER) }));
      return reply.send({ '@odata.context': `${address}/v1.0/$metadata#directoryObjects`, value });
    }),
  );
}
