import { z } from 'zod';
import { ROLES } from '@hatchway/domain/terms.ts';
import { id, idParams, text, time } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

export const roles = z.array(z.enum(ROLES));
export const licenses = z.array(z.string().max(40)).max(40);

export const account = z
  .object({
    id,
    name: z.string(),
    email: z.string().nullable(),
    tlf: z.string().nullable(),
    locale: z.string().nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof account>;

export const company = z
  .object({
    id,
    name: z.string(),
    orgNumber: z.string().nullable(),
    contact: z.record(z.string(), z.unknown()),
    address: z.record(z.string(), z.unknown()),
    country: z.string(),
    locale: z.string(),
    timeZone: z.string(),
    licenses: z.array(z.string()),
    suspendedAt: time.nullable(),
    settings: z.record(z.string(), z.unknown()),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Company' });
export type Company = z.infer<typeof company>;

export const me = z
  .object({
    account,
    memberships: z.array(z.object({ tenantId: id, name: z.string(), roles: z.array(z.string()), suspended: z.boolean() })),
    tenantId: id.nullable(),
    roles: z.array(z.string()),
    licenses: z.array(z.string()),
    scopes: z.array(z.string()),
    /** Lockers on which the scopes hold; 'all' where a role covers every locker of the company. */
    lockers: z.union([z.literal('all'), z.record(id, z.array(z.string()))]),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof me>;

export const membership = z
  .object({
    id,
    accountId: id,
    name: z.string(),
    email: z.string().nullable(),
    tlf: z.string().nullable(),
    roles: z.array(z.string()),
    lastSeenAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Membership' });
export const invitation = z
  .object({
    id,
    email: z.string().nullable(),
    tlf: z.string().nullable(),
    roles: z.array(z.string()),
    state: z.enum(['pending', 'accepted', 'expired', 'withdrawn']),
    expiresAt: time,
    invitedBy: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Invitation' });

const tenant = { tenant: z.string() };

export const accounts = [
  route({
    method: 'GET',
    path: '/accounts',
    access: 'admin:accounts',
    summary: 'People with a membership here',
    query: listQuery({ fields: { id: 'uuid', email: 'text', name: 'text' }, sorts: ['createdAt', 'name'], searchable: true }),
    response: z.array(account),
    errors: [],
  }),
  route({
    method: 'GET',
    path: '/accounts/me',
    access: 'signed-in',
    summary: 'The caller: memberships, roles, licences, scopes and the lockers they hold for',
    response: me,
    errors: [],
  }),
  route({
    method: 'PUT',
    path: '/accounts/me',
    access: 'signed-in',
    summary: 'Change one’s own name and language',
    body: z.strictObject({ name: text(100).optional(), locale: z.enum(['en', 'nb']).nullable().optional() }),
    response: account,
    errors: [],
  }),
  route({
    method: 'PUT',
    path: '/accounts/me/company',
    access: 'signed-in',
    summary: 'Choose the company; the next token is for it',
    body: z.strictObject({ tenantId: id }),
    response: 'nothing',
    errors: [],
  }),
  route({
    method: 'GET',
    path: '/accounts/{id}',
    access: 'admin:accounts',
    summary: 'One person with a membership here',
    params: idParams,
    response: account,
    errors: [],
  }),
] as const;

export const companies = [
  route({
    method: 'GET',
    path: '/companies',
    access: 'signed-in',
    summary: 'Companies that the caller belongs to',
    response: z.array(company),
    errors: [],
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}',
    access: 'signed-in',
    summary: 'The tenant’s company',
    params: z.strictObject(tenant),
    response: company,
    errors: ['no-document'],
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}/memberships',
    access: 'admin:memberships',
    summary: 'Members',
    params: z.strictObject(tenant),
    query: listQuery({ fields: { id: 'uuid', accountId: 'uuid' }, sorts: ['createdAt'] }),
    response: z.array(membership),
    errors: [],
  }),
  route({
    method: 'PUT',
    path: '/companies/{tenant}/memberships/{membershipId}',
    access: 'admin:memberships',
    summary: 'Change a member’s roles',
    params: z.strictObject({ ...tenant, membershipId: id }),
    body: z.strictObject({ roles }),
    response: membership,
    errors: ['last-admin'],
  }),
  route({
    method: 'DELETE',
    path: '/companies/{tenant}/memberships/{membershipId}',
    access: 'admin:memberships',
    summary: 'Remove a member; their tokens work on nothing from now on',
    params: z.strictObject({ ...tenant, membershipId: id }),
    response: 'nothing',
    errors: ['last-admin'],
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}/invitations',
    access: 'admin:invitations',
    summary: 'Invitations',
    params: z.strictObject(tenant),
    query: listQuery({ fields: { id: 'uuid', state: 'text', email: 'text' }, sorts: ['createdAt'] }),
    response: z.array(invitation),
    errors: [],
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}/invitations/{id}',
    access: 'admin:invitations',
    summary: 'One invitation',
    params: z.strictObject({ ...tenant, id }),
    response: invitation,
    errors: [],
  }),
  route({
    method: 'POST',
    path: '/companies/{tenant}/invitations',
    access: 'admin:invitations',
    summary: 'Invite a person by e-mail and/or mobile number',
    params: z.strictObject(tenant),
    body: z.strictObject({ email: z.email().max(254).optional(), tlf: z.string().max(20).optional(), roles: roles.default([]) }),
    response: invitation,
    errors: ['rule'],
  }),
  route({
    method: 'DELETE',
    path: '/companies/{tenant}/invitations/{id}',
    access: 'admin:invitations',
    summary: 'Withdraw an invitation',
    params: z.strictObject({ ...tenant, id }),
    response: 'nothing',
    errors: [],
  }),
] as const;

const operatorParams = idParams;
export const operator = [
  route({
    method: 'GET',
    path: '/operator/companies',
    access: 'operator',
    summary: 'All companies',
    response: z.array(company),
    errors: [],
  }),
  route({
    method: 'GET',
    path: '/operator/companies/{id}',
    access: 'operator',
    summary: 'One company',
    params: operatorParams,
    response: company,
    errors: [],
  }),
  route({
    method: 'POST',
    path: '/operator/companies',
    access: 'operator',
    summary: 'Make a company, give its licences, invite its administrator',
    body: z.strictObject({
      id: z.uuidv4().optional(),
      name: text(200),
      licenses,
      country: z.string().length(2).default('NO'),
      admin: z.strictObject({ name: text(100), email: z.email().max(254), tlf: z.string().max(20).optional() }),
    }),
    /** `invitationUrl` is where the administrator accepts; it is mailed too. */
    response: company.extend({ invitationUrl: z.string() }),
    errors: ['name-taken'],
    secret: true,
  }),
  route({
    method: 'PUT',
    path: '/operator/companies/{id}',
    access: 'operator',
    summary: 'Change name or licences, suspend or take back',
    params: operatorParams,
    body: z.strictObject({ name: text(200).optional(), licenses: licenses.optional(), suspended: z.boolean().optional() }),
    response: company,
    errors: [],
  }),
  route({
    method: 'DELETE',
    path: '/operator/companies/{id}',
    access: 'operator',
    summary: 'Delete a company and all that is its own',
    params: operatorParams,
    response: 'nothing',
    errors: [],
  }),
] as const;
