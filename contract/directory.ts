import { z } from 'zod';
import { DIRECTORY_PROBLEMS, DIRECTORY_SOURCES } from '@hatchway/domain/directory.ts';
import { ROLES } from '@hatchway/domain/terms.ts';
import { id, idParams, seen, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

const source = z.enum(DIRECTORY_SOURCES);

/** A person as the directory says, and what became of that here. */
export const directoryPerson = z
  .object({
    id,
    source,
    name: z.string(),
    userName: z.string(),
    email: z.string().nullable(),
    tlf: z.string().nullable(),
    active: z.boolean().describe('The directory’s word'),
    taken: z.boolean().describe('They are a member here by it'),
    accountId: id.nullable(),
    problem: z.enum(DIRECTORY_PROBLEMS).nullable().describe('Why something is not here as the directory says'),
    leftOut: z.array(z.enum(['email', 'tlf'])).describe('Left out of their account, since somebody else has it'),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'DirectoryPerson' });
export type DirectoryPerson = z.infer<typeof directoryPerson>;

export const directoryGroup = z
  .object({
    id,
    source,
    name: z.string(),
    members: z.int().describe('People in it, as far as the directory has told of them'),
    groupsInside: z.int().describe('Groups in it, whose people get nothing by it'),
    roles: z.array(z.string()).describe('What its people get here'),
    groups: z.array(id),
    permissions: z.array(id),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'DirectoryGroup' });
export type DirectoryGroup = z.infer<typeof directoryGroup>;

export const scim = z
  .object({
    address: z.string(),
    prefix: z.string().nullable().describe('The first characters of the bearer; null where none opens anything'),
    madeAt: time.nullable(),
    madeBy: z.string().nullable(),
    lastUsedAt: time.nullable(),
    ended: z.enum(['withdrawn', 'maker']).nullable().describe('Why the last one opens nothing any more'),
  })
  .meta({ id: 'Scim' });
export type Scim = z.infer<typeof scim>;

const counts = z.object({ source, taken: z.int(), left: z.int(), inactive: z.int(), groups: z.int() }).meta({ id: 'DirectoryCounts' });
export type DirectoryCounts = z.infer<typeof counts>;

export const directory = [
  route({
    method: 'GET',
    path: '/directory',
    access: 'admin:integrations',
    summary: 'How many people and groups each directory has told of',
    response: z.array(counts),
  }),
  route({
    method: 'GET',
    path: '/directory/people',
    access: 'admin:integrations',
    summary: 'People that a directory told of: who was taken over, who was not, and why',
    query: listQuery({
      fields: { id: 'uuid', source: 'text', active: 'bool', taken: 'bool', problem: 'text' },
      sorts: ['createdAt', 'name'],
      searchable: true,
    }),
    response: z.array(directoryPerson),
  }),
  route({
    method: 'POST',
    path: '/directory/people/{personId}/take-over',
    access: 'admin:integrations',
    summary: 'Try once more; whom somebody removed by hand is taken over again',
    params: z.strictObject({ personId: id }),
    body: z.strictObject({}),
    response: directoryPerson,
  }),
  route({
    method: 'GET',
    path: '/directory/groups',
    access: 'admin:integrations',
    summary: 'Groups that a directory told of, and what their people get here',
    query: listQuery({ fields: { id: 'uuid', source: 'text' }, sorts: ['createdAt', 'name'], searchable: true }),
    response: z.array(directoryGroup),
  }),
  route({
    method: 'PUT',
    path: '/directory/groups/{id}',
    access: 'admin:integrations',
    summary: 'Say what the people of a group of the directory get here; nobody gives more than they hold',
    params: idParams,
    body: z.strictObject({
      roles: z.array(z.enum(ROLES)).max(20),
      groups: z.array(id).max(100),
      permissions: z.array(id).max(100),
      version: seen,
    }),
    response: directoryGroup,
    errors: ['stale', 'unknown-reference', 'in-use-elsewhere'],
  }),
  route({
    method: 'GET',
    path: '/directory/scim',
    access: 'admin:integrations',
    summary: 'Where a directory calls SCIM, and whether it may',
    response: scim,
  }),
  route({
    method: 'POST',
    path: '/directory/scim/bearer',
    access: 'admin:integrations',
    summary: 'Make the bearer that a directory calls SCIM with, in the place of the one before; it is shown this once. A person’s own call',
    body: z.strictObject({}),
    response: scim.extend({ secret: z.string() }),
    secret: true,
  }),
  route({
    method: 'DELETE',
    path: '/directory/scim/bearer',
    access: 'admin:integrations',
    summary: 'Withdraw the bearer; who was taken over stays',
    response: 'nothing',
    errors: ['not-found'],
  }),
  route({
    method: 'DELETE',
    path: '/directory/scim',
    access: 'admin:integrations',
    summary: 'Let go of the directory that called SCIM: what it gave ends, and who came by it alone is no member any more',
    response: 'nothing',
  }),
] as const;
