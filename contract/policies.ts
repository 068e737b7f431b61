import { z } from 'zod';
import { id, idParams, line, name, seen, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

const hours = z
  .int()
  .min(1)
  .max(24 * 366);
const named = { name: name(100), ref: z.string().regex(/^[a-z0-9-]{1,60}$/) };
/** null leaves the house default, by the service's kind (domain/policy.ts). */
const rules = z.strictObject({
  services: z.array(z.string().max(20)).max(10),
  lockerIds: z.array(id).max(5000),
  groupIds: z.array(id).max(200),
  reserveMinutes: z
    .int()
    .min(1)
    .max(60 * 24 * 60)
    .nullable(),
  pickupHours: hours.nullable(),
  loanHours: hours.nullable(),
  reminders: z
    .array(z.int().min(-1000).max(1000))
    .max(10)
    .nullable()
    .describe('Hours around the deadline (negative: before it) at which a reminder goes out'),
  claimSeconds: z.int().min(10).max(3600).nullable(),
  claimGraceSeconds: z.int().min(5).max(3600).nullable(),
  maxActivePerPerson: z.int().min(1).max(1000).nullable(),
  price: z.strictObject({ amount: z.int().min(0).max(1_000_000_000), currency: z.string().regex(/^[A-Z]{3}$/) }).nullable(),
  inspectReturns: z.boolean(),
  staffConfirmsClaim: z.boolean(),
  loginHint: line(200)
    .nullable()
    .describe('Whom the sign-in page suggests, and which outside provider it goes straight to; told to anybody who knows the ref'),
  idpHint: line(200).nullable(),
});
/** What a new one is where nothing is said: for everything and everybody, by the house's times, for nothing. */
const { shape } = rules;
const made = {
  services: shape.services.default([]),
  lockerIds: shape.lockerIds.default([]),
  groupIds: shape.groupIds.default([]),
  reserveMinutes: shape.reserveMinutes.default(null),
  pickupHours: shape.pickupHours.default(null),
  loanHours: shape.loanHours.default(null),
  reminders: shape.reminders.default(null),
  claimSeconds: shape.claimSeconds.default(null),
  claimGraceSeconds: shape.claimGraceSeconds.default(null),
  maxActivePerPerson: shape.maxActivePerPerson.default(null),
  price: shape.price.default(null),
  inspectReturns: shape.inspectReturns.default(false),
  staffConfirmsClaim: shape.staffConfirmsClaim.default(false),
  loginHint: shape.loginHint.default(null),
  idpHint: shape.idpHint.default(null),
};
export const policy = z
  .object({ _id: id, tenantId: id, ...named, ...shape, version, createdAt: time, updatedAt: time })
  .meta({ id: 'Policy' });
export type Policy = z.infer<typeof policy>;
const policyParams = z.strictObject({ _id: id });

export const policies = [
  route({
    method: 'GET',
    path: '/policies',
    access: 'portal',
    summary: 'Policies',
    query: listQuery({ fields: { _id: 'uuid', ref: 'text', name: 'text' }, sorts: ['createdAt', 'name'], searchable: true }),
    response: z.array(policy),
  }),
  route({ method: 'GET', path: '/policies/{id}', access: 'portal', summary: 'One policy', params: idParams, response: policy }),
  route({
    method: 'GET',
    path: '/policies/{ref}/login_hint',
    access: 'public',
    summary: 'How those whom a policy is for sign in',
    params: z.strictObject({ ref: z.string().min(1).max(60) }),
    response: z.object({ loginHint: z.string().nullable(), idpHint: z.string().nullable() }),
  }),
  route({
    method: 'POST',
    path: '/policies',
    access: 'admin:policies',
    summary: 'Make a policy',
    body: z.strictObject({ ...named, ...made }),
    response: policy,
    errors: ['name-taken', 'unknown-reference', 'rule'],
  }),
  route({
    method: 'PUT',
    path: '/policies/{_id}',
    access: 'admin:policies',
    summary: 'Change a policy; what is not given stays as it was',
    params: policyParams,
    body: rules.partial().extend({ ...named, version: seen }),
    response: policy,
    errors: ['name-taken', 'unknown-reference', 'rule', 'in-use-elsewhere', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/policies/{_id}',
    access: 'admin:policies',
    summary: 'Delete a policy that no locker and no running occupation names',
    params: policyParams,
    response: 'nothing',
    errors: ['in-use-elsewhere'],
  }),
] as const;
