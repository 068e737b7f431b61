import { z } from 'zod';
import { time } from './common.ts';
import { route } from './route.ts';

const channel = z.object({
  ready: z.boolean().describe('Whether this Hatchway has a provider for it at all'),
  lastAcceptedAt: time.nullable(),
  lastFailedAt: time.nullable(),
  lastError: z.string().nullable().describe('What the provider, or the lack of one, said last'),
  failedToday: z.int(),
});
export const systemState = z
  .object({
    at: time,
    database: z.boolean(),
    broker: z.boolean(),
    cabinets: z.object({ total: z.int(), online: z.int(), unpaired: z.int() }),
    jobs: z
      .object({ waiting: z.int(), late: z.int(), failed: z.int() })
      .describe('Of this company: late ones should have begun a minute ago'),
    mail: channel,
    sms: channel,
  })
  .meta({ id: 'SystemState' });
export type SystemState = z.infer<typeof systemState>;

export const system = [
  route({
    method: 'GET',
    path: '/system',
    access: 'admin:companies',
    summary: 'How the parts stand that the company leans on, and what is under way for it',
    response: systemState,
  }),
] as const;
