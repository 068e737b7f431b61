import { sql } from 'kysely';
import { fromKysely, PgBoss, type JobResult, type WorkOptions } from 'pg-boss';
import { isLost } from '../db/errors.ts';
import type { Deps } from '../deps.ts';
import { handlers } from './handlers.ts';
import { JOB_NAMES, SCHEMA } from './install.ts';
import type { Job, Jobs } from './jobs.ts';

/** One look for all queues. Each worker's own would be thirty a second, nearly all for nothing. */
const LOOK_MS = 500;
/** A worker that was not woken looks by itself, should a look of ours hang. */
const BACKSTOP_S = 30;
/** The queues in which something is due. */
const DUE = `select queue as name from unnest($1::text[]) queue where exists (
  select from ${SCHEMA}.job j where j.name = queue and j.state < 'active' and not j.blocked and j.start_after < now())`;
/** Taken at once. A batch expires as one, so a sweep is a batch alone; and is over as one, so a webhook is one too: the next company's would wait for it. */
const BATCH = {
  message: 4,
  'sms-price': 4,
  'look-again': 20,
  'doubt-elsewhere': 20,
  'settle-command': 20,
  'payment-over': 20,
  'payment-provider': 4,
  directory: 1,
  shop: 1,
  entra: 1,
  tool: 1,
  webhook: 1,
  sweep: 1,
} as const satisfies Record<Job['name'], number>;
/** Messages and what else waits for the other side of a wire go out beside each other; the rest is done one after the other. */
const WAITING: { readonly [N in Job['name']]?: number } = { message: 2, 'payment-provider': 2, shop: 2, entra: 2, tool: 2, webhook: 4 };
/**
 * Of each of those workers so many, and no more of one company's at once on this node: an address that hangs holds two places for ten
 * seconds, not all. What did not answer well the last time has as many of its own, and keeps none of the company's others waiting.
 */
const PER_COMPANY: { readonly [N in Job['name']]?: number } = { webhook: 2 };
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
  /** Answers whether it was told. That the whole database is away is told by the calls, which are asked for it. */
  const tell = async (error: unknown, what: string): Promise<boolean> => {
    const ask = () => deps.db.open((tx) => sql`select 1`.execute(tx));
    const isNews = !isLost(error) || (await ask().then(() => true, () => false)); // prettier-ignore
    if (isNews) deps.log.error({ err: error }, what);
    return isNews;
  };
  boss.on('error', (error) => void tell(error, 'the job queue met an error'));
  await boss.start();
  // This process is the only one, so what is marked active was cut off with the last one: it is due now.
  if (single)
    await boss
      .getDb()
      .executeSql(`update ${SCHEMA}.job set state = 'retry', start_after = now() where state = 'active' and name = any($1)`, [JOB_NAMES]);

  for (const name of JOB_NAMES) {
    const done = async (job: { id: string; data: Job }): Promise<JobResult> => {
      try {
        await handlers[name](deps, job.data as never);
        deps.metrics.jobs.inc({ name, result: 'done' });
        return { id: job.id, status: 'completed' };
      } catch (error) {
        deps.metrics.jobs.inc({ name, result: 'failed' });
        deps.log.warn({ err: error, job: name }, 'a job failed and is tried again');
        return { id: job.id, status: 'failed' };
      }
    };
    const run = async (jobs: { id: string; data: Job }[]): Promise<JobResult[]> => {
      if (name in WAITING) return Promise.all(jobs.map(done));
      const results: JobResult[] = [];
      for (const job of jobs) results.push(await done(job));
      return results;
    };
    const perCompany = PER_COMPANY[name];
    const options = {
      pollingIntervalSeconds: BACKSTOP_S,
      batchSize: BATCH[name],
      ...(perCompany ? { localConcurrency: perCompany, localGroupConcurrency: perCompany } : {}),
      perJobResults: true,
    } as const;
    for (let n = WAITING[name] ?? 1; n > 0; n--) {
      const worker: string = await boss.work<Job, void, WorkOptions & { perJobResults: true }>(name, options, (jobs) => {
        // Fetches again as soon as these are done: at one look each half second, what waits would wait longer the more of it there is.
        boss.notifyWorker(worker);
        return run(jobs);
      });
    }
  }
  const wake = async () => {
    const { rows } = await boss.getDb().executeSql(DUE, [JOB_NAMES]);
    const due = new Set<string>(rows.map((row: { name: string }) => row.name));
    for (const { id, name } of boss.getWipData()) if (due.has(name)) boss.notifyWorker(id);
  };
  let looking = Promise.resolve();
  let stopped = false;
  let away = false;
  const look = () => {
    looking = wake()
      .then(
        () => (away = false),
        async (error: unknown) => {
          away ||= await tell(error, 'the job queues could not be looked at');
        },
      )
      .then(() => {
        if (!stopped) next = setTimeout(look, LOOK_MS);
      });
  };
  let next = setTimeout(look, LOOK_MS);
  const enqueue: Jobs['enqueue'] = async (tx, job, options = {}) => {
    // Without a key of its own every job is another: the queue's policy counts keys.
    const singletonKey = options.key ?? `${Math.random()}`;
    await boss.send(job.name, job, {
      db: fromKysely(tx),
      singletonKey,
      group: { id: 'failing' in job ? `${job.tenantId} failing` : job.tenantId },
      ...(options.at ? { startAfter: options.at } : {}),
    });
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
    stop: async () => {
      stopped = true;
      clearTimeout(next);
      clearInterval(clock);
      await looking;
      await boss.stop({ graceful: true, close: true, timeout: 10_000 });
    },
  };
};
