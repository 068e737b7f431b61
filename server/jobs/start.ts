import { fromKysely, PgBoss } from 'pg-boss';
import type { Deps } from '../deps.ts';
import { handlers } from './handlers.ts';
import { JOB_NAMES, SCHEMA } from './install.ts';
import type { Job, Jobs } from './jobs.ts';

const POLL_S = 0.5;
const PARALLEL = 4;
const SWEEP_MS = 60_000;

/** pg-boss 12 on the same database, as the app's role: jobs are enqueued by the transaction that wants them. install.ts made its tables. */
export const startJobs = async (deps: Deps, appUrl: string): Promise<Jobs> => {
  const single = deps.config.natsUrl === null;
  const boss = new PgBoss({
    connectionString: appUrl,
    schema: SCHEMA,
    max: 3,
    createSchema: false,
    migrate: false,
    reindex: false,
    schedule: false,
    superviseIntervalSeconds: 10,
    application_name: 'hatchway jobs',
  });
  boss.on('error', (error) => deps.log.error({ err: error }, 'the job queue met an error'));
  await boss.start();
  // This process is the only one, so what is marked active was cut off with the last one: it is due now.
  if (single)
    await boss
      .getDb()
      .executeSql(`update ${SCHEMA}.job set state = 'retry', start_after = now() where state = 'active' and name = any($1)`, [JOB_NAMES]);

  const workers = new Map<string, string>();
  for (const name of JOB_NAMES) {
    const run = async (jobs: { data: Job }[]) => {
      for (const job of jobs) {
        try {
          await handlers[name](deps, job.data as never);
          deps.metrics.jobs.inc({ name, result: 'done' });
        } catch (error) {
          deps.metrics.jobs.inc({ name, result: 'failed' });
          deps.log.warn({ err: error, job: name }, 'a job failed and is tried again');
          throw error;
        }
      }
    };
    workers.set(
      name,
      await boss.work<Job>(
        name,
        { pollingIntervalSeconds: POLL_S, batchSize: 1, localConcurrency: name === 'message' ? PARALLEL : 1 },
        run,
      ),
    );
  }
  const enqueue: Jobs['enqueue'] = async (tx, job, options = {}) => {
    // Without a key of its own every job is another: the queue's policy counts keys.
    const singletonKey = options.key ?? `${Math.random()}`;
    await boss.send(job.name, job, { db: fromKysely(tx), singletonKey, ...(options.at ? { startAfter: options.at } : {}) });
  };
  // Every node's clock asks for the sweep; the key lets one wait for each company, and whoever is free does it.
  const clock = setInterval(() => {
    const ask = async () => {
      const companies = await deps.db.operator((tx) => tx.selectFrom('companies').select('id').execute());
      for (const { id } of companies) await deps.db.tenant(id, (tx) => enqueue(tx, { name: 'sweep', tenantId: id }, { key: id }));
    };
    ask().catch((error: unknown) => deps.log.error({ err: error }, 'the sweep could not be asked for'));
  }, SWEEP_MS);
  clock.unref();
  return {
    enqueue,
    stop: () => {
      clearInterval(clock);
      return boss.stop({ graceful: true, close: true, timeout: 10_000 });
    },
  };
};
