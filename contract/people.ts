import { COLOUR_PATTERN } from '@hatchway/domain/colour.ts';
import { z } from 'zod';
import { ALERT_EVENTS } from '@hatchway/domain/alerts.ts';
import { ROLES } from '@hatchway/domain/terms.ts';
import { code, email, id, idParams, line, name, plain, time, tlf, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

export const roles = z.array(z.enum(ROLES)).max(ROLES.length);
export const country = z.string().regex(/^[A-Z]{2}$/, 'two capital letters, such as NO');
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

const contact = z.strictObject({ name: line(100), email: z.union([z.literal(''), email]), tlf: tlf });
const address = z.strictObject({ street: line(200), postalCode: plain(20), city: line(100) });
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not a time of day, such as 22:00');

/** Whom the company wants told of what, and how; `all` is every one of them. */
export const alert = z.strictObject({
  event: z.enum([...ALERT_EVENTS, 'all']),
  channel: z.enum(['sms', 'mail']),
  to: code(254).min(3),
});
export type Alert = z.infer<typeof alert>;
const settings = {
  retentionDays: z.int().min(1).max(3650).describe('Days after its end until an occupation loses its personal data'),
  senderName: z
    .string()
    .regex(/^[A-Za-z0-9 ]{0,11}$/, 'at most 11 letters without accents, digits and spaces')
    .describe('Stands as the sender of an SMS'),
  alerts: z.array(alert).max(50),
  quietHours: z
    .strictObject({ from: clock, to: clock })
    .nullable()
    .describe('In the company’s own time zone; alerts and reminders wait until it is over'),
  color: z
    .string()
    .regex(COLOUR_PATTERN, 'not a colour, such as #1c6b3a')
    .nullable()
    .describe('On the pages that customers see; null: ours'),
  doorOpenMinutes: z.int().min(1).max(1440),
  offlineMinutes: z.int().min(1).max(1440),
};
export const companySettings = z.object(settings).meta({ id: 'CompanySettings' });
export type CompanySettings = z.infer<typeof companySettings>;

export const company = z
  .object({
    id,
    name: z.string(),
    orgNumber: z.string().nullable(),
    contact: z.object({ name: z.string(), email: z.string(), tlf: z.string() }),
    address: z.object({ street: z.string(), postalCode: z.string(), city: z.string() }),
    country: z.string(),
    locale: z.string(),
    timeZone: z.string(),
    licenses: z.array(z.string()),
    suspendedAt: time.nullable(),
    settings: companySettings.describe('alerts name people’s addresses: only administrators read them, others get an empty list'),
    hasLogo: z.boolean(),
    version,
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
    lockers: z
      .union([z.literal('all'), z.record(id, z.array(z.string()))])
      .describe('Lockers on which the scopes hold; ’all’ where a role covers every locker of the company'),
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
    version,
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
    query: listQuery({ fields: { id: 'uuid', email: 'email', name: 'text' }, sorts: ['createdAt', 'name'], searchable: true }),
    response: z.array(account),
  }),
  route({
    method: 'GET',
    path: '/accounts/me',
    access: 'signed-in',
    summary: 'The caller: memberships, roles, licences, scopes and the lockers they hold for',
    response: me,
  }),
  route({
    method: 'PUT',
    path: '/accounts/me',
    access: 'signed-in',
    summary: 'Change one’s own name and language',
    body: z.strictObject({ name: name(100).optional(), locale: z.enum(['en', 'nb']).optional() }),
    response: account,
  }),
  route({
    method: 'PUT',
    path: '/accounts/me/company',
    access: 'signed-in',
    summary: 'Choose the company; the next token is for it',
    body: z.strictObject({ tenantId: id }),
    response: 'nothing',
    errors: ['not-found'],
  }),
  route({
    method: 'GET',
    path: '/accounts/{id}',
    access: 'admin:accounts',
    summary: 'One person with a membership here',
    params: idParams,
    response: account,
  }),
] as const;

export const companies = [
  route({
    method: 'GET',
    path: '/companies',
    access: 'company',
    summary: 'Companies that the caller belongs to; a key’s own',
    response: z.array(company),
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}',
    access: 'company',
    summary: 'The tenant’s company',
    params: z.strictObject(tenant),
    response: company,
    errors: ['no-document'],
  }),
  route({
    method: 'PUT',
    path: '/companies/{tenant}',
    access: 'admin:companies',
    summary: 'Change details, settings and logo (JSON, or form data with an image); what is not given stays as it was',
    params: z.strictObject(tenant),
    body: z.strictObject({
      version,
      name: name(200).optional(),
      orgNumber: code(40).nullable().optional(),
      contact: contact.optional(),
      address: address.optional(),
      country: country.optional(),
      locale: z.enum(['en', 'nb']).optional(),
      timeZone: z.string().max(60).optional(),
      settings: z.strictObject(settings).partial().optional(),
    }),
    form: true,
    response: company,
    errors: ['stale', 'rule', 'too-large', 'unsupported-media', 'image-unreadable'],
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}/logo',
    access: 'company',
    summary: 'The company’s logo, as WebP',
    params: z.strictObject(tenant),
    query: z.strictObject({ size: z.enum(['96', '480', '1200']).default('480') }),
    response: { binary: 'image/webp' },
  }),
  route({
    method: 'DELETE',
    path: '/companies/{tenant}/logo',
    access: 'admin:companies',
    summary: 'Take the logo away',
    params: z.strictObject(tenant),
    response: company,
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}/memberships',
    access: 'admin:memberships',
    summary: 'Members',
    params: z.strictObject(tenant),
    query: listQuery({
      fields: { id: 'uuid', accountId: 'uuid', email: 'email', roles: 'texts', lastSeenAt: 'time' },
      sorts: ['createdAt', 'name', 'lastSeenAt'],
      searchable: true,
    }),
    response: z.array(membership),
  }),
  route({
    method: 'PUT',
    path: '/companies/{tenant}/memberships/{membershipId}',
    access: 'admin:memberships',
    summary: 'Change a member’s roles',
    params: z.strictObject({ ...tenant, membershipId: id }),
    body: z.strictObject({ roles, version }),
    response: membership,
    errors: ['last-admin', 'by-directory', 'stale'],
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
    query: listQuery({
      fields: { id: 'uuid', state: 'text', email: 'email', tlf: 'text', roles: 'texts' },
      sorts: ['createdAt', 'expiresAt'],
      searchable: true,
    }),
    response: z.array(invitation),
  }),
  route({
    method: 'GET',
    path: '/companies/{tenant}/invitations/{id}',
    access: 'admin:invitations',
    summary: 'One invitation',
    params: z.strictObject({ ...tenant, id }),
    response: invitation,
  }),
  route({
    method: 'POST',
    path: '/companies/{tenant}/invitations',
    access: 'admin:invitations',
    summary: 'Invite a person by e-mail and/or mobile number',
    params: z.strictObject(tenant),
    body: z.strictObject({ email: email.optional(), tlf: tlf.optional(), roles: roles.default([]) }),
    response: invitation,
    errors: ['rule', 'invited-already'],
  }),
  route({
    method: 'POST',
    path: '/companies/{tenant}/invitations/{id}/resend',
    access: 'admin:invitations',
    summary: 'Send an invitation anew, for another 14 days; the link that was sent before works no more',
    params: z.strictObject({ ...tenant, id }),
    body: z.strictObject({}),
    response: invitation,
    errors: ['invitation-over'],
  }),
  route({
    method: 'DELETE',
    path: '/companies/{tenant}/invitations/{id}',
    access: 'admin:invitations',
    summary: 'Withdraw an invitation',
    params: z.strictObject({ ...tenant, id }),
    response: 'nothing',
  }),
] as const;
