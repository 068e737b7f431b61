import { PgBoss } from 'pg-boss';
import { asOwner } from '../db/migrate.ts';
import type { Job } from './jobs.ts';

export const SCHEMA = 'jobs';
export const JOB_NAMES = [
  'message',
  'sms-price',
  'look-again',
  'doubt-elsewhere',
  'settle-command',
  'payment-over',
  'payment-provider',
  'directory',
  'shop',
  'entra',
  'tool',
  'webhook',
  'sweep',
] as const satisfies readonly Job['name'][];
/** A job whose process was killed is given to another after this; all but the sweep take seconds. */
const EXPIRES_S = 60;
/** A sweep of many rows on a slow disk, and reading a large directory for the first time, take minutes. Nobody waits for it to expire: the next minute asks for another one. */
const SWEEP_EXPIRES_S = 900;
const expiry = (name: Job['name']): number => (name === 'sweep' || name === 'entra' ? SWEEP_EXPIRES_S : EXPIRES_S);

/** Brings pg-boss's own tables up to date and makes our queues, as the schema's owner. Repeating it changes nothing. */
export const installJobs = async (ownerUrl: string): Promise<void> => {
  const boss = new PgBoss({
    connectionString: asOwner(ownerUrl),
    schema: SCHEMA,
    max: 1,
    createSchema: false,
    schedule: false,
    supervise: false,
  });
  boss.on('error', () => {}); // what fails is thrown by the calls below
  await boss.start();
  try {
    const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue.expireInSeconds]));
    for (const name of JOB_NAMES) {
      if (known.has(name) && known.get(name) !== expiry(name)) await boss.updateQueue(name, { expireInSeconds: expiry(name) });
      if (!known.has(name))
        await boss.createQueue(name, {
          policy: 'short',
          expireInSeconds: expiry(name),
          retryLimit: 8,
          retryDelay: 1,
          retryBackoff: true,
          retryDelayMax: 60,
        });
    }
  } finally {
    await boss.stop({ graceful: false, close: true });
  }
};
