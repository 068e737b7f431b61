import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { query, testDatabase, type TestDatabase } from './db/test-database.ts';
import { EXIT_AGAIN, EXIT_CONFIG, startFault } from './start-fault.ts';
import { testServer } from './test-server.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hatchway-fault-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await database.close();
});

const node = (code: string, more: object = {}) => Object.assign(new Error(`${code}: what Node says`), { code, ...more });

describe.each<[string, unknown, RegExp, number]>([
  ['Node, the disk full', node('ENOSPC', { path: '/data/pg' }), /^The disk is full, where \/data\/pg lies/, EXIT_AGAIN],
  ['Node, the quota used up', node('EDQUOT'), /^The disk is full, where DATA_DIR \(\/data\)/, EXIT_AGAIN],
  ['initdb, the disk full', new Error('initdb failed: could not write to file: No space left on device'), /disk is full/, EXIT_AGAIN],
  ['PostgreSQL, the disk full', Object.assign(new Error('could not extend file'), { code: '53100' }), /disk is full/, EXIT_AGAIN],
  [
    'PostgreSQL, started on a full disk',
    new Error('PostgreSQL did not start: it ended with 1: No space left on device'),
    /full/,
    EXIT_AGAIN,
  ],
  ['a disk that is read-only', node('EROFS', { path: '/data/pg' }), /^The disk is read-only, where \/data\/pg lies/, EXIT_AGAIN],
  [
    'a folder on a read-only disk',
    node('ENOENT', { path: '/data/pg', syscall: 'mkdir' }),
    /^\/data\/pg cannot be made: its disk is read-only/,
    EXIT_AGAIN,
  ],
  ['initdb, on a read-only disk', new Error('initdb failed: Read-only file system'), /read-only/, EXIT_AGAIN],
  ['a folder of somebody else', node('EACCES', { path: '/data' }), /^\/data cannot be written as this user/, EXIT_CONFIG],
  ['a certificate that is not there', node('ENOENT', { path: '/tls/key.pem' }), /^\/tls\/key\.pem cannot be read/, EXIT_CONFIG],
  ['a port that is taken', node('EADDRINUSE', { port: 8080, address: '127.0.0.1' }), /^Port 8080 of 127\.0\.0\.1/, EXIT_CONFIG],
  ['PostgreSQL away', node('ECONNREFUSED'), /^PostgreSQL cannot be reached/, EXIT_AGAIN],
  ['PostgreSQL still starting', Object.assign(new Error('starting up'), { code: '57P03' }), /^PostgreSQL cannot be reached/, EXIT_AGAIN],
  [
    'a login that PostgreSQL refuses',
    Object.assign(new Error('password authentication failed'), { code: '28P01' }),
    /refuses/,
    EXIT_CONFIG,
  ],
  ['a database that is none', Object.assign(new Error('database "x" does not exist'), { code: '3D000' }), /refuses/, EXIT_CONFIG],
  ['our own sentence', new Error('Another process serves this database.'), /^Another process/, 1],
])('a start that fails: %s', (_how, error, sentence, exitCode) => {
  it('is told in one sentence', () => {
    const fault = startFault(error, '/data');
    expect(fault).toEqual({ sentence: expect.stringMatching(sentence), exitCode });
    expect(fault.sentence).not.toMatch(/\n|\bat .*:\d+:\d+/);
  });
});

const faultOf = async (config: Parameters<typeof testServer>[0]): Promise<string> => {
  const error = await testServer({ database, ...config }).then(
    (server) => server.stop().then(() => new Error('it started')),
    (failure: unknown) => failure,
  );
  return startFault(error, folder).sentence;
};

describe('a start for real', () => {
  it('is refused as a superuser, and as whoever may act as the owner', async () => {
    expect(await faultOf({ config: { databaseUrl: database.ownerUrl } })).toMatch(
      /^DATABASE_URL signs in as \w+, whom row-level security does not hold/,
    );
    const name = `hatchway_member_${process.pid}`;
    await query(database.ownerUrl, `create role ${name} login password 'a' in role hatchway_owner`);
    const member = new URL(database.url);
    member.username = name;
    member.password = 'a';
    expect(await faultOf({ config: { databaseUrl: member.href } })).toMatch(new RegExp(`signs in as ${name}`));
    await query(database.ownerUrl, `drop role ${name}`);
  });

  it('names a folder that cannot be one, and a database that is away', async () => {
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    expect(await faultOf({ config: { databaseUrl: null, dataDir: path.join(file, 'data') } })).toMatch(
      /cannot be written as this user \(ENOTDIR\)/,
    );
    expect(await faultOf({ config: { databaseUrl: 'postgres://hatchway_app:x@127.0.0.1:1/hatchway' } })).toMatch(
      /^PostgreSQL cannot be reached/,
    );
  });

  it('goes on without the bus, which may come back', async () => {
    const server = await testServer({
      database,
      config: { natsUrl: 'nats://127.0.0.1:1', mqttUrl: 'mqtt://127.0.0.1:1', logLevel: 'silent' },
    });
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { database: true, broker: false, bus: false, stopping: false }]);
    await server.stop();
  });

  it('is refused for a wrong word of the environment', () => {
    expect(() => readConfig({})).toThrow(/PUBLIC_URL/);
  });
});
