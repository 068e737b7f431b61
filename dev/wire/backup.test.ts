import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startEmbedded } from '@hatchway/server/db/embedded.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { PASSWORD, testCompany } from '@hatchway/server/test-company.ts';
import { testServer, unique } from '@hatchway/server/test-server.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { backUp, placeOf, restore } from '@hatchway/server/backups.ts';
import { signIn } from '../person.ts';

// A company that works is saved while it works, and goes on from the backup: in an empty folder, and in a PostgreSQL outside (that of
// this run, which is Debian's where the long tests run on it).

const above = fs.mkdtempSync(path.join(os.tmpdir(), 'hatchway-backup-'));
fs.chmodSync(above, 0o755);
const at = (name: string) => path.join(above, name);
const file = at('all.backup');
const embedded = (dataDir: string) => placeOf({ DATA_DIR: dataDir });
let person: { email: string; group: string };
let counts: Record<string, number>;

const countAll = async (url: string): Promise<Record<string, number>> => {
  const tables = await query<{ name: string }>(
    url,
    `select relnamespace::regnamespace || '.' || relname as name from pg_class
     where relnamespace::regnamespace::text in ('public', 'jobs') and relkind = 'r' order by 1`,
  );
  // One after the other: each query is a connection of its own, and there are more tables than the server takes of those.
  const counted: Record<string, number> = {};
  for (const { name } of tables) counted[name] = (await query<{ n: number }>(url, `select count(*)::int as n from ${name}`))[0]?.n ?? 0;
  return counted;
};

/** As a server that starts on it: whoever worked there signs in, reads what they made, and makes more. */
const worksOn = async (config: NonNullable<Parameters<typeof testServer>[0]>['config']) => {
  const server = await testServer({ config: { ...config, logLevel: 'silent' } });
  try {
    const { api } = await signIn(server.url, { email: person.email, password: PASSWORD });
    expect((await api('GET /groups')).map(({ name }) => name)).toContain(person.group);
    await api('POST /groups', { body: { name: unique() } });
  } finally {
    await server.stop();
  }
};

beforeAll(async () => {
  const server = await testServer({ config: { databaseUrl: null, dataDir: at('first') } });
  const admin = await (await testCompany(server)).person(['admin'], 'Åse "Q", \\ Østby\n;');
  person = { email: admin.email, group: `Æ (${unique()}), "x" \\.` };
  await admin.api('POST /groups', { body: { name: person.group } });
  await backUp(embedded(at('first')), file);
  await server.stop();
  const first = await startEmbedded(path.join(at('first'), 'pg'));
  counts = await countAll(first.ownerUrl);
  await first.stop();
});
afterAll(() => fs.rmSync(above, { recursive: true, force: true }));

describe('a backup', () => {
  it('is a private file, and is not written over', async () => {
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    await expect(backUp(embedded(at('first')), file)).rejects.toThrow('not written over');
    await expect(backUp(embedded(at('nothing')), at('none.backup'))).rejects.toThrow('holds no database');
  });

  it('is restored into an outside PostgreSQL that has never seen Hatchway, with its roles, and out of it again into an empty folder', async () => {
    const { ownerUrl, appPassword } = inject('cluster');
    const name = `hatchway_restored_${unique()}`;
    await query(ownerUrl, `create database ${name} template template0 encoding 'UTF8'`);
    const [owner, app] = [new URL(ownerUrl), new URL(ownerUrl)];
    for (const url of [owner, app]) url.pathname = `/${name}`;
    app.username = 'hatchway_app';
    app.password = appPassword;
    const place = placeOf({ DATABASE_URL: app.href, DATABASE_OWNER_URL: owner.href });
    expect((await restore(place, file)).tables).toBe(Object.keys(counts).length);
    const rows = await countAll(owner.href);
    expect(Object.keys(rows)).toEqual(Object.keys(counts));
    expect(rows['public.memberships']).toBe(counts['public.memberships']);
    await expect(restore(place, file)).rejects.toThrow('holds tables already');
    await worksOn({ databaseUrl: app.href, databaseOwnerUrl: owner.href });
    await backUp(place, at('outside.backup'));
    await restore(embedded(at('second')), at('outside.backup'));
    await worksOn({ databaseUrl: null, dataDir: at('second') });
    await expect(restore(embedded(at('second')), file)).rejects.toThrow('holds a database already');
    await query(ownerUrl, `drop database ${name} with (force)`);
  });

  it.each<[string, (text: Buffer, packed: Buffer) => Buffer]>([
    ['cut short', (_text, packed) => packed.subarray(0, packed.length / 2)],
    ['another file', () => Buffer.from('no backup at all')],
    ['without its end', (text) => gzipSync(text.subarray(0, text.lastIndexOf('{"end"')))],
    ['a row taken out', (text) => gzipSync(text.toString().replace(/^"\(.*\n/m, ''))],
    ['a row changed', (text) => gzipSync(text.toString().replace('Østby', 'Vestby'))],
    ['of a newer Hatchway', (text) => gzipSync(text.toString().replace('"migrations":{', '"migrations":{"999_later.sql":"x",'))],
  ])('that is damaged makes nothing: %s', async (_how, damage) => {
    const packed = fs.readFileSync(file);
    fs.writeFileSync(at('damaged'), damage(gunzipSync(packed), packed));
    await expect(restore(embedded(at('fourth')), at('damaged'))).rejects.toThrow(
      /cannot be read|no whole backup|is damaged|other migrations/,
    );
    expect(fs.existsSync(path.join(at('fourth'), 'pg'))).toBe(false);
  });
});
