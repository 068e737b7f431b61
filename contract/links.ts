import { z } from 'zod';
import { LINK_PURPOSES, LINK_STATES, LINK_USES, LINK_USES_MOST } from '@hatchway/domain/access-link.ts';
import { actor, id, idParams, moment, name, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

/**
 * An access link without its secret. `doors` are those of its lockers that are still there; `opens` is false for one that stays shut since
 * who answers for the link may not open it any more.
 */
export const accessLink = z
  .object({
    id,
    tenantId: id,
    name: z.string(),
    purpose: z.enum(LINK_PURPOSES),
    lockerIds: z.array(id),
    doors: z.array(z.object({ lockerId: id, doorTag: z.string(), opens: z.boolean() })),
    validFrom: time,
    validTo: time,
    maxUses: z.int(),
    used: z.int(),
    state: z.enum(LINK_STATES).describe('As of now: waiting, active, used-up, expired or revoked'),
    lastUsedAt: time.nullable(),
    revokedAt: time.nullable(),
    createdBy: actor,
    answeredBy: actor.describe('In whose right it opens: its maker’s, or that of who took it over'),
    version: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'AccessLink' });
export type AccessLink = z.infer<typeof accessLink>;

/** One use. `name` is what the person wrote, if anything; `outcome` is the controller's last word on the door. */
export const accessLinkUse = z
  .object({
    id,
    at: time,
    name: z.string().nullable(),
    lockerId: id.nullable(),
    doorTag: z.string(),
    occupationId: id.nullable(),
    outcome: z.string().nullable(),
  })
  .meta({ id: 'AccessLinkUse' });
export type AccessLinkUse = z.infer<typeof accessLinkUse>;

const limits = {
  name: name(100),
  validFrom: moment.optional(),
  validTo: moment.optional().describe('24 hours after its beginning, unless said'),
};
const input = z.strictObject({
  ...limits,
  lockerIds: z.array(id).min(1).max(500),
  purpose: z.enum(LINK_PURPOSES),
  maxUses: z.int().min(1).max(LINK_USES_MOST).default(LINK_USES),
});
export type AccessLinkInput = z.output<typeof input>;
const change = z.strictObject({ version, ...limits, maxUses: z.int().min(1).max(LINK_USES_MOST).optional() });
export type AccessLinkChange = z.output<typeof change>;
const withUrl = accessLink.extend({ url: z.string() }).meta({ id: 'AccessLinkWithUrl' });

export const links = [
  route({
    method: 'GET',
    path: '/links',
    access: 'builder',
    summary: 'Access links on lockers that the caller may manage',
    query: listQuery({
      fields: { id: 'uuid', name: 'text', purpose: 'text', state: 'text', lockerIds: 'uuids', validTo: 'time' },
      sorts: ['createdAt', 'name', 'validTo'],
      searchable: true,
    }),
    response: z.array(accessLink),
  }),
  route({
    method: 'POST',
    path: '/links',
    access: 'builder',
    summary: 'Make an access link; its address is the secret',
    body: input,
    response: withUrl,
    errors: ['rule', 'unknown-reference'],
    secret: true,
  }),
  route({
    method: 'GET',
    path: '/links/{id}',
    access: 'builder',
    summary: 'An access link with who used it, when and at which door, newest first (the last 200)',
    params: idParams,
    response: accessLink.extend({ uses: z.array(accessLinkUse) }).meta({ id: 'AccessLinkWithUses' }),
  }),
  route({
    method: 'GET',
    path: '/links/{id}/url',
    access: 'builder',
    summary: 'Its address once more, to be copied or printed',
    params: idParams,
    response: z.object({ url: z.string() }),
    errors: ['gone'],
    secret: true,
  }),
  route({
    method: 'GET',
    path: '/links/{id}/qr',
    access: 'builder',
    summary: 'Its address as a square code, to be shown or printed',
    params: idParams,
    response: { binary: 'image/svg+xml' },
    errors: ['gone'],
    secret: true,
  }),
  route({
    method: 'PUT',
    path: '/links/{id}',
    access: 'builder',
    summary: 'Change its name, its time or how often it may be used',
    params: idParams,
    body: change,
    response: accessLink,
    errors: ['stale', 'rule', 'gone'],
  }),
  route({
    method: 'POST',
    path: '/links/{id}/take-over',
    access: 'builder',
    summary: 'Answer for it from now on: it opens what the caller may open, no longer what its maker may',
    params: idParams,
    body: z.strictObject({ version }),
    response: accessLink,
    errors: ['stale', 'gone'],
  }),
  route({
    method: 'DELETE',
    path: '/links/{id}',
    access: 'builder',
    summary: 'Withdraw it: it opens nothing from this moment',
    params: idParams,
    response: 'nothing',
  }),
] as const;
