import { z } from 'zod';
import { email, idParams, name, seen, tlf } from './common.ts';
import { listQuery } from './list.ts';
import { company, country, invitation, licenses } from './people.ts';
import { compared, comparing } from './payments.ts';
import { route } from './route.ts';

/** Who runs Hatchway itself: makes companies, gives licences, suspends. A key of its own, and of no company. */

const smsMonth = z
  .object({
    month: z.string().describe('As 2026-11'),
    messages: z.int().describe('Those that a gateway took, and the parts that it bills'),
    segments: z.int(),
    unsure: z.int().describe('Of so many more nobody knows whether they went out'),
    prices: z
      .array(z.object({ currency: z.string(), amount: z.number(), messages: z.int() }))
      .describe('What gateways said that they billed, for so many of those messages, by currency'),
  })
  .meta({ id: 'SmsMonth' });
export type SmsMonth = z.infer<typeof smsMonth>;

export const operator = [
  route({
    method: 'GET',
    path: '/operator/companies',
    access: 'operator',
    summary: 'All companies',
    query: listQuery({ fields: { id: 'uuid', name: 'text' }, sorts: ['createdAt', 'name'] }),
    response: z.array(company),
  }),
  route({
    method: 'GET',
    path: '/operator/companies/{id}',
    access: 'operator',
    summary: 'One company',
    params: idParams,
    response: company,
  }),
  route({
    method: 'POST',
    path: '/operator/companies',
    access: 'operator',
    summary: 'Make a company, give its licences, invite its administrator',
    body: z.strictObject({
      id: z.uuidv4().toLowerCase().optional(),
      name: name(200),
      licenses,
      country: country.default('NO'),
      admin: z.strictObject({ name: name(100), email: email, tlf: tlf.optional() }),
    }),
    /** `invitationUrl` is where the administrator accepts; it is mailed too. */
    response: company.extend({ invitationUrl: z.string() }),
    errors: ['name-taken', 'rule'],
    secret: true,
  }),
  route({
    method: 'POST',
    path: '/operator/companies/{id}/invitations',
    access: 'operator',
    summary: 'Invite an administrator anew; what the operator sent before and nobody took is withdrawn',
    params: idParams,
    body: z.strictObject({ email: email, tlf: tlf.optional() }),
    response: invitation.extend({ invitationUrl: z.string() }),
    errors: ['gone', 'rule'],
    secret: true,
  }),
  route({
    method: 'PUT',
    path: '/operator/companies/{id}',
    access: 'operator',
    summary: 'Change name or licences, suspend or take back',
    params: idParams,
    body: z.strictObject({
      name: name(200).optional(),
      licenses: licenses.optional(),
      suspended: z.boolean().optional(),
      version: seen,
    }),
    response: company,
    errors: ['stale', 'gone'],
  }),
  route({
    method: 'GET',
    path: '/operator/companies/{id}/export',
    access: 'operator',
    summary: 'All that is a company’s own, a line of JSON for each row, without its secrets',
    params: idParams,
    response: { binary: 'application/x-ndjson' },
    errors: ['gone'],
  }),
  route({
    method: 'GET',
    path: '/operator/companies/{id}/reconcile',
    access: 'operator',
    summary: 'What a company’s payment provider says of each payment of a day, beside what we say',
    params: idParams,
    query: comparing,
    response: z.array(compared),
    errors: ['gone', 'not-connected'],
  }),
  route({
    method: 'GET',
    path: '/operator/companies/{id}/sms',
    access: 'operator',
    summary: 'What a company’s SMS weighed and cost, by the months of its clock, the newest of the last twelve first',
    params: idParams,
    response: z.array(smsMonth),
    errors: ['gone'],
  }),
  route({
    method: 'GET',
    path: '/operator/identity',
    access: 'operator',
    summary: 'Who signs people in, and how far a provider outside has been told of them',
    response: z.strictObject({
      provider: z.enum(['embedded', 'keycloak']),
      issuer: z.string(),
      waiting: z.int().describe('People of whom it is to be told something; the embedded one reads the database itself'),
      waitingSince: z.iso.datetime().nullable(),
      lastToldAt: z.iso.datetime().nullable(),
      lastError: z.string().nullable().describe('Why it did not take the newest of those that wait'),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/operator/companies/{id}',
    access: 'operator',
    summary: 'Delete a company and all that is its own',
    params: idParams,
    response: 'nothing',
  }),
] as const;
