import { z } from 'zod';
import { id, idParams, lines, moment, name, seen, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

const dates = { createdAt: time, updatedAt: time };
export const member = z.object({ id, name: z.string(), email: z.string().nullable() }).meta({ id: 'GroupMember' });
/** As many of its members stand in a group itself; all of them, page by page, in `GET /groups/{id}/members`. */
export const GROUP_MEMBERS = 50;
export const group = z
  .object({
    id,
    tenantId: id,
    name: z.string(),
    description: z.string(),
    members: z.array(member).max(GROUP_MEMBERS).describe('The first of them by name; none to who may not see who is in a group'),
    count: z.int().describe('How many are in members'),
    total: z.int().describe('How many are in the group'),
    version,
    ...dates,
  })
  .meta({ id: 'Group' });
export const permission = z
  .object({ id, tenantId: id, name: z.string(), scopes: z.array(z.string()), groups: z.array(id), lockers: z.array(id), version, ...dates })
  .meta({ id: 'Permission' });
export const apiKey = z
  .object({
    _id: id,
    tenantId: id,
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(z.string()),
    createdBy: z.string(),
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable(),
    ...dates,
  })
  .meta({ id: 'ApiKey' });

/** Why somebody may open a door: a role; a scope, which a person has by permissions through groups; an access link; a receiver's code; an offer. */
const reason = z
  .object({
    by: z.enum(['role', 'scope', 'link', 'receiver', 'offer']),
    service: z
      .string()
      .describe('What it opens the door for: lock-control opens it by itself, any other word only while that use is in the locker'),
    role: z.string().nullable(),
    scope: z.string().nullable(),
    permissions: z.array(z.object({ id, name: z.string(), groups: z.array(z.object({ id, name: z.string() })) })),
    policies: z
      .array(z.object({ id, name: z.string() }))
      .describe('Of an offer: those that let them take it by signing in at the cabinet; none where they took it so and have it'),
  })
  .meta({ id: 'OpeningReason' });
export const opening = z
  .object({
    kind: z.enum(['person', 'key', 'link', 'receiver']),
    id: z.string().nullable().describe('Of the person, key or link; null for a receiver, who has a code and no account'),
    name: z.string().describe('Empty to a key that may not read it elsewhere'),
    detail: z
      .string()
      .nullable()
      .describe('E-mail of a person, the first characters of a key, purpose of a link. Null to a key that may not read it elsewhere'),
    lockerId: id,
    doorTag: z.string(),
    cabinet: z.string(),
    why: z.array(reason),
  })
  .meta({ id: 'Opening' });
export const openings = z
  .object({
    everywhere: z.array(reason).describe('What opens every locker of the company, whatever lies in it; asked of a person alone'),
    openings: z.array(opening),
    more: z
      .boolean()
      .describe('Of a person: they can open further lockers, which are not listed; asked of a locker too, it is answered for that one'),
  })
  .meta({ id: 'Openings' });

const named = listQuery({ fields: { id: 'uuid', name: 'text' }, sorts: ['createdAt', 'name'], searchable: true });
const groupInput = z.strictObject({ name: name(100), description: lines(500).default('') });
const permissionInput = z.strictObject({
  name: name(100),
  scopes: z.array(z.string().max(80)).max(10),
  groups: z.array(id).max(200),
  lockers: z.array(id).max(5000),
});
const memberParams = z.strictObject({ id, userId: id });

export const groups = [
  route({
    method: 'GET',
    path: '/groups',
    access: 'portal',
    summary: 'Groups',
    query: named,
    response: z.array(group),
  }),
  route({
    method: 'POST',
    path: '/groups',
    access: 'admin:groups',
    summary: 'Make a group',
    body: groupInput,
    response: group,
    errors: ['name-taken'],
  }),
  route({ method: 'GET', path: '/groups/{id}', access: 'portal', summary: 'One group', params: idParams, response: group }),
  route({
    method: 'PUT',
    path: '/groups/{id}',
    access: 'admin:groups',
    summary: 'Change a group; a description that is not given stays as it was',
    params: idParams,
    body: groupInput.extend({ description: lines(500).optional(), version: seen }),
    response: group,
    errors: ['name-taken', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/groups/{id}',
    access: 'admin:groups',
    summary: 'Delete a group; what permissions gave through it is gone',
    params: idParams,
    response: 'nothing',
    errors: ['in-use-elsewhere'],
  }),
  route({
    method: 'GET',
    path: '/groups/{id}/members',
    access: 'admin:groups',
    summary: 'Members of a group',
    params: idParams,
    query: listQuery({ fields: { id: 'uuid', email: 'email', name: 'text' }, sorts: ['createdAt', 'name'] }),
    response: z.array(member),
  }),
  route({
    method: 'POST',
    path: '/groups/{id}/members/{userId}',
    access: 'admin:groups',
    summary: 'Put a person into a group',
    params: memberParams,
    body: z.strictObject({}),
    response: 'nothing',
  }),
  route({
    method: 'DELETE',
    path: '/groups/{id}/members/{userId}',
    access: 'admin:groups',
    summary: 'Take a person out of a group',
    params: memberParams,
    response: 'nothing',
    errors: ['by-directory'],
  }),
] as const;

export const permissions = [
  route({
    method: 'GET',
    path: '/permissions/explain',
    access: 'admin:permissions',
    summary: 'Who can open this locker, and why; or which lockers this person can open, and why',
    query: z.strictObject({ lockerId: id.optional(), accountId: id.optional() }),
    response: openings,
    errors: ['not-found'],
  }),
  route({
    method: 'GET',
    path: '/permissions',
    access: 'admin:permissions',
    summary: 'Permissions',
    query: named,
    response: z.array(permission),
  }),
  route({
    method: 'POST',
    path: '/permissions',
    access: 'admin:permissions',
    summary: 'Grant scopes on lockers to groups',
    body: permissionInput,
    response: permission,
    errors: ['unknown-reference', 'name-taken', 'rule'],
  }),
  route({
    method: 'GET',
    path: '/permissions/{id}',
    access: 'admin:permissions',
    summary: 'One permission',
    params: idParams,
    response: permission,
  }),
  route({
    method: 'PUT',
    path: '/permissions/{id}',
    access: 'admin:permissions',
    summary: 'Change a permission',
    params: idParams,
    body: permissionInput.extend({ version: seen }),
    response: permission,
    errors: ['unknown-reference', 'name-taken', 'rule', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/permissions/{id}',
    access: 'admin:permissions',
    summary: 'Withdraw a permission; it holds for nobody from now on',
    params: idParams,
    response: 'nothing',
  }),
] as const;

export const keys = [
  route({
    method: 'GET',
    path: '/key',
    access: 'keys',
    summary: 'API keys',
    query: listQuery({ fields: { _id: 'uuid', name: 'text' }, sorts: ['createdAt', 'name'], searchable: true }),
    response: z.array(apiKey),
  }),
  route({ method: 'GET', path: '/key/{id}', access: 'keys', summary: 'One API key', params: idParams, response: apiKey }),
  route({
    method: 'POST',
    path: '/key',
    access: 'keys',
    summary: 'Make an API key; its secret is shown this once',
    body: z.strictObject({
      name: name(100),
      scopes: z.array(z.string().max(80)).min(1).max(40),
      expiresAt: moment.nullable().default(null),
    }),
    response: apiKey.extend({ secret: z.string() }),
    errors: ['rule'],
    secret: true,
  }),
  route({
    method: 'DELETE',
    path: '/key/{_id}',
    access: 'keys',
    summary: 'Revoke an API key',
    params: z.strictObject({ _id: id }),
    response: 'nothing',
  }),
] as const;
