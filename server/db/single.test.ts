import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onlyProcess } from './single.ts';
import { query, testDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const lost = () => {
  throw new Error('lost');
};
const holders = async () =>
  (
    await query<{ pid: number }>(
      database.ownerUrl,
      `select pid from pg_stat_activity where application_name = 'hatchway single' and datname = current_database()`,
    )
  ).map((row) => row.pid);

it('lets one process in, refuses the second in words, and the next one when the first has gone', async () => {
  const first = await onlyProcess(database.url, lost);
  await expect(onlyProcess(database.url, lost, { patienceMs: 200 })).rejects.toThrow(/Another process serves this database.*NATS_URL/);
  await first.release();
  const second = await onlyProcess(database.url, lost, { patienceMs: 5_000 });
  await second.release();
});

it('is shared by those with a bus, and by none without one', async () => {
  const [first, second] = [
    await onlyProcess(database.url, lost, { shared: true }),
    await onlyProcess(database.url, lost, { shared: true }),
  ];
  await expect(onlyProcess(database.url, lost, { patienceMs: 200 })).rejects.toThrow('Another process serves this database. Stop it');
  await first.release();
  await expect(onlyProcess(database.url, lost, { patienceMs: 200 })).rejects.toThrow('Another process');
  await second.release();
  const alone = await onlyProcess(database.url, lost);
  await expect(onlyProcess(database.url, lost, { shared: true, patienceMs: 200 })).rejects.toThrow('without NATS_URL');
  await alone.release();
});

it('is free again after kill -9', async () => {
  const module = path.join(import.meta.dirname, 'single.ts');
  const script = `import { onlyProcess } from ${JSON.stringify(module)}; await onlyProcess(${JSON.stringify(database.url)}, () => {}); console.log('held');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await expect(onlyProcess(database.url, lost, { patienceMs: 100 })).rejects.toThrow('Another process');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = await onlyProcess(database.url, lost);
  await next.release();
});

it('takes the lock again when the database cut its connection, and gives up when another was quicker', async () => {
  const holder = await onlyProcess(database.url, lost);
  const [pid] = await holders();
  await query(database.ownerUrl, 'select pg_terminate_backend($1)', [pid]);
  await expect.poll(async () => (await holders()).filter((one) => one !== pid)).toHaveLength(1);
  await expect(onlyProcess(database.url, lost, { patienceMs: 100 })).rejects.toThrow('Another process');
  await holder.release();
  await expect.poll(holders).toEqual([]);
});
