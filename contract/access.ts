import { z } from 'zod';
import { id, idParams, text, time } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

const dates = { createdAt: time, updatedAt: time };
export const group = z
  .object({ id, tenantId: id, name: z.string(), description: z.string(), members: z.int(), ...dates })
  .meta({ id: 'Group' });
export const member = z.object({ id, name: z.string(), email: z.string().nullable() }).meta({ id: 'GroupMember' });
export const permission = z
  .object({ id, tenantId: id, name: z.string(), scopes: z.array(z.string()), groups: z.array(id), lockers: z.array(id), ...dates })
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

const list = (sorts: readonly ['createdAt', ...string[]]) => listQuery({ fields: { id: 'uuid', name: 'text' }, sorts });
const groupInput = z.strictObject({ name: text(100), description: z.string().max(500).default('') });
const permissionInput = z.strictObject({
  name: text(100),
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
    query: list(['createdAt', 'name']),
    response: z.array(group),
    errors: [],
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
  route({ method: 'GET', path: '/groups/{id}', access: 'portal', summary: 'One group', params: idParams, response: group, errors: [] }),
  route({
    method: 'PUT',
    path: '/groups/{id}',
    access: 'admin:groups',
    summary: 'Change a group',
    params: idParams,
    body: groupInput,
    response: group,
    errors: ['name-taken'],
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
    response: z.array(member),
    errors: [],
  }),
  route({
    method: 'POST',
    path: '/groups/{id}/members/{userId}',
    access: 'admin:groups',
    summary: 'Put a person into a group',
    params: memberParams,
    body: z.strictObject({}),
    response: 'nothing',
    errors: [],
  }),
  route({
    method: 'DELETE',
    path: '/groups/{id}/members/{userId}',
    access: 'admin:groups',
    summary: 'Take a person out of a group',
    params: memberParams,
    response: 'nothing',
    errors: [],
  }),
] as const;

export const permissions = [
  route({
    method: 'GET',
    path: '/permissions',
    access: 'admin:permissions',
    summary: 'Permissions',
    query: list(['createdAt', 'name']),
    response: z.array(permission),
    errors: [],
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
    errors: [],
  }),
  route({
    method: 'PUT',
    path: '/permissions/{id}',
    access: 'admin:permissions',
    summary: 'Change a permission',
    params: idParams,
    body: permissionInput,
    response: permission,
    errors: ['unknown-reference', 'name-taken', 'rule'],
  }),
  route({
    method: 'DELETE',
    path: '/permissions/{id}',
    access: 'admin:permissions',
    summary: 'Withdraw a permission; it holds for nobody from now on',
    params: idParams,
    response: 'nothing',
    errors: [],
  }),
] as const;

export const keys = [
  route({
    method: 'GET',
    path: '/key',
    access: 'keys',
    summary: 'API keys',
    query: listQuery({ fields: { _id: 'uuid', name: 'text' }, sorts: ['createdAt', 'name'] }),
    response: z.array(apiKey),
    errors: [],
  }),
  route({ method: 'GET', path: '/key/{id}', access: 'keys', summary: 'One API key', params: idParams, response: apiKey, errors: [] }),
  route({
    method: 'POST',
    path: '/key',
    access: 'keys',
    summary: 'Make an API key; its secret is shown this once',
    body: z.strictObject({ name: text(100), scopes: z.array(z.string().max(80)).min(1).max(40), expiresAt: time.nullable().default(null) }),
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
    errors: [],
  }),
] as const;
