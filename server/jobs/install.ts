import { PgBoss } from 'pg-boss';
import { asOwner } from '../db/migrate.ts';
import type { Job } from './jobs.ts';

export const SCHEMA = 'jobs';
export const JOB_NAMES = [
  'message',
  'look-again',
  'settle-command',
  'payment-over',
  'webhook',
  'sweep',
] as const satisfies readonly Job['name'][];
/** A job whose process was killed is given to another after this; none of ours takes longer. */
const EXPIRES_S = 60;

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
    const known = new Set((await boss.getQueues()).map((queue) => queue.name));
    for (const name of JOB_NAMES) {
      if (!known.has(name))
        await boss.createQueue(name, {
          policy: 'short',
          expireInSeconds: EXPIRES_S,
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
