import { z } from 'zod';
import { id, idParams, seen, text, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

const hours = z
  .int()
  .min(1)
  .max(24 * 366);
/** null leaves the house default, by the service's kind (domain/policy.ts). */
export const policyFields = {
  name: text(100),
  ref: z.string().regex(/^[a-z0-9-]{1,60}$/),
  services: z.array(z.string().max(20)).max(10).default([]),
  lockerIds: z.array(id).max(5000).default([]),
  groupIds: z.array(id).max(200).default([]),
  reserveMinutes: z
    .int()
    .min(1)
    .max(60 * 24 * 60)
    .nullable()
    .default(null),
  pickupHours: hours.nullable().default(null),
  loanHours: hours.nullable().default(null),
  /** Hours around the deadline (negative: before it) at which a reminder goes out. */
  reminders: z.array(z.int().min(-1000).max(1000)).max(10).nullable().default(null),
  claimSeconds: z.int().min(10).max(3600).nullable().default(null),
  claimGraceSeconds: z.int().min(5).max(3600).nullable().default(null),
  maxActivePerPerson: z.int().min(1).max(1000).nullable().default(null),
  price: z
    .strictObject({ amount: z.int().min(0).max(1_000_000_000), currency: z.string().regex(/^[A-Z]{3}$/) })
    .nullable()
    .default(null),
  inspectReturns: z.boolean().default(false),
  staffConfirmsClaim: z.boolean().default(false),
  /** Whom the sign-in page suggests, and which outside provider it goes straight to; told to anybody who knows the ref. */
  loginHint: z.string().max(200).nullable().default(null),
  idpHint: z.string().max(200).nullable().default(null),
} as const;
export const policy = z
  .object({ _id: id, tenantId: id, ...policyFields, version, createdAt: time, updatedAt: time })
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
    errors: [],
  }),
  route({ method: 'GET', path: '/policies/{id}', access: 'portal', summary: 'One policy', params: idParams, response: policy, errors: [] }),
  route({
    method: 'GET',
    path: '/policies/{ref}/login_hint',
    access: 'public',
    summary: 'How those whom a policy is for sign in',
    params: z.strictObject({ ref: z.string().min(1).max(60) }),
    response: z.object({ loginHint: z.string().nullable(), idpHint: z.string().nullable() }),
    errors: [],
  }),
  route({
    method: 'POST',
    path: '/policies',
    access: 'admin:policies',
    summary: 'Make a policy',
    body: z.strictObject(policyFields),
    response: policy,
    errors: ['name-taken', 'unknown-reference', 'rule'],
  }),
  route({
    method: 'PUT',
    path: '/policies/{_id}',
    access: 'admin:policies',
    summary: 'Change a policy',
    params: policyParams,
    body: z.strictObject({ ...policyFields, version: seen }),
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
