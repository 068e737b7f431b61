import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from './embedded.ts';
import { installJobs } from '../jobs/install.ts';
import { migrate } from './migrate.ts';
import { testFolder } from './test-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address of the server that this run tests on; the template database's name; the app role's password. */
    cluster: { ownerUrl: string; template: string; appPassword: string };
  }
}

/**
 * One server for a run of tests: the embedded one in a folder of its own (without fsync, which no test can tell), or the one that
 * TEST_DATABASE_URL names. One database is migrated; each test file copies it (test-database.ts).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env['TEST_DATABASE_URL'];
  const folder = external ? undefined : fs.mkdtempSync(path.join(testFolder(), 'hatchway-test-'));
  // Passwords are random, so a guess need not be dear, and connections are cheap. A test's connection asks most statements a few times:
  // planning each of them anew for its values took a sixth of PostgreSQL's time.
  const settings = {
    plan_cache_mode: 'force_generic_plan',
    scram_iterations: '1',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '120',
    shared_buffers: '48MB',
  };
  const embedded = folder === undefined ? undefined : await startEmbedded(folder, { settings });
  const ownerUrl = external ?? embedded?.ownerUrl ?? '';
  // The run's own names, so that several runs on one real server do not meet.
  const run = randomBytes(4).toString('hex');
  const template = `hatchway_template_${run}`;
  const appPassword = external ? 'hatchway-test' : randomBytes(12).toString('hex'); // the role belongs to the whole server
  const inOwner = async (sql: string) => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await inOwner(
    `create database ${template} template template0 encoding 'UTF8'${embedded ? '' : ` lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`}`,
  );
  const templateUrl = new URL(ownerUrl);
  templateUrl.pathname = `/${template}`;
  await migrate(templateUrl.href, { appPassword });
  await installJobs(templateUrl.href);
  project.provide('cluster', { ownerUrl, template, appPassword });
  return async () => {
    if (embedded) await embedded.stop();
    else await inOwner(`drop database ${template} with (force)`);
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
  };
}
