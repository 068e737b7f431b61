import { z } from 'zod';
import { INTEGRATION_STATES } from '@hatchway/domain/integration.ts';
import { CONSENT_FAULTS } from '@hatchway/domain/entra.ts';
import { id, line, seen, time, version } from './common.ts';
import { tid } from './integrations.ts';
import { route } from './route.ts';

export const entra = z
  .object({
    _id: id.nullable(),
    tid: z.string().nullable(),
    state: z.enum(['not-connected', ...INTEGRATION_STATES]).describe('unverified: named, and no administrator of it has consented yet'),
    since: time.nullable().describe('Since when it is as it is'),
    lastSyncAt: time.nullable(),
    lastError: z.string().nullable(),
    /** 0: none is named. */
    version,
    available: z.boolean().describe('Whether the operator registered the application that a directory is read by'),
    signsIn: z.boolean().describe('Whether its people sign in by it here; where Keycloak signs people in, that is Keycloak’s to decide'),
    consentUrl: z
      .string()
      .nullable()
      .describe('Where an administrator of the directory consents, within ten minutes and once; told where it was asked for alone'),
  })
  .meta({ id: 'EntraIntegration' });
export type Entra = z.infer<typeof entra>;

export const entraIntegration = [
  route({
    method: 'GET',
    path: '/integrations/entra',
    access: 'admin:integrations',
    summary: 'The directory integration',
    response: entra,
  }),
  route({
    method: 'POST',
    path: '/integrations/entra',
    access: 'admin:integrations',
    summary: 'Name the directory, and ask its administrator for consent. A person’s own call',
    body: z.strictObject({ tid, version: seen }).describe('Version 0: no directory was named when it was looked at'),
    response: entra,
    errors: ['stale'],
  }),
  route({
    method: 'POST',
    path: '/integrations/entra/consent',
    access: 'admin:integrations',
    summary: 'Go on with what came back from the directory, as whoever began: the consent, then the sign-in. A person’s own call',
    body: z.strictObject({ state: line(200), code: line(4000).optional(), error: line(200).optional() }),
    /** Where to go next; null with no fault: the directory is connected. */
    response: z.object({ url: z.string().nullable(), fault: z.enum(CONSENT_FAULTS).nullable() }),
  }),
  route({
    method: 'POST',
    path: '/integrations/entra/test',
    access: 'admin:integrations',
    summary: 'See whether the directory lets us in',
    body: z.strictObject({}),
    response: entra,
    errors: ['not-connected'],
  }),
  route({
    method: 'POST',
    path: '/integrations/entra/sync',
    access: 'admin:integrations',
    summary: 'Fetch now what changed in the directory',
    body: z.strictObject({}),
    response: entra,
    errors: ['not-connected'],
  }),
  route({
    method: 'DELETE',
    path: '/integrations/entra',
    access: 'admin:integrations',
    summary: 'Let go of the directory: what it gave ends',
    response: 'nothing',
    errors: ['not-found'],
  }),
] as const;
