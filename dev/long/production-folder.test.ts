import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '@hatchway/server/db/ports.ts';
import { OWN_FONT } from '@hatchway/server/identity/pages/style.ts';
import { APART } from '../bundle.ts';
import { writeProductionFolder } from '../production-folder.ts';

// Copied to where there is nothing of the repository, and started without its environment.

const above = fs.mkdtempSync(path.join(os.tmpdir(), 'hatchway-folder-'));
fs.chmodSync(above, 0o755);
const folder = path.join(above, 'hatchway');
const data = path.join(above, 'data');
beforeAll(async () => void (await writeProductionFolder(folder)));
afterAll(() => fs.rmSync(above, { recursive: true, force: true }));

const environment = { PATH: '/usr/bin:/bin', DATA_DIR: data };
const run = (...args: string[]) => spawnSync(path.join(folder, 'hatchway'), args, { cwd: above, env: environment, encoding: 'utf8' });

it('serves all that production serves, ends cleanly, and restores what it backed up', async () => {
  const port = await freePort();
  const server = spawn(path.join(folder, 'hatchway'), ['serve'], {
    cwd: above,
    env: {
      ...environment,
      PORT: String(port),
      HOST: '127.0.0.1',
      MQTT_PORT: '0',
      PUBLIC_URL: 'https://lockers.example',
      SECRET_KEY: 'of-this-test-and-32-characters-long',
      LOG_LEVEL: 'error',
    },
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const status = (at: string) =>
      fetch(`http://127.0.0.1:${port}${at}`).then(
        (answer) => answer.status,
        () => 0,
      );
    await vi.waitFor(async () => expect([await status('/readyz'), said]).toEqual([200, '']), { timeout: 100_000, interval: 50 });
    const pages = ['/', '/portal/', '/config', '/v1/openapi.json', '/v1/docs', OWN_FONT, '/sandbox/'];
    expect(await Promise.all(pages.map(status))).toEqual([200, 200, 200, 200, 200, 200, 404]);
    const html = await (await fetch(`http://127.0.0.1:${port}/portal/`)).text();
    const files = [...html.matchAll(/(?:src|href)="(\/portal\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).not.toEqual([]);
    expect(await Promise.all([...files, '/realms/pml/protocol/openid-connect/certs'].map(status))).toEqual([...files, ''].map(() => 200));
    const backup = run('backup', '--to', 'hatchway.backup');
    expect([backup.stderr, backup.status]).toEqual(['', 0]);
  } finally {
    server.kill('SIGTERM');
  }
  expect([await ended, said]).toEqual([0, '']);
  const refused = run('restore', '--from', 'hatchway.backup');
  expect([refused.status, refused.stderr]).toEqual([78, `${data} holds a database already: name an empty DATA_DIR.\n`]);
  fs.rmSync(data, { recursive: true });
  expect(run('restore', '--from', 'hatchway.backup').stdout).toContain('Restored as of');
});

it('leads nowhere out of itself', () => {
  const links = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name));
  // PostgreSQL's libraries, since it was started
  expect(links).not.toEqual([]);
  expect(links.filter((link) => !fs.realpathSync(link).startsWith(folder))).toEqual([]);
});

it('keeps nobody’s data, and gives way to no build while something else lies in it', async () => {
  for (const task of [['serve'], ['restore', '--from', 'hatchway.backup']]) {
    const { status, stderr } = spawnSync(path.join(folder, 'hatchway'), task, {
      cwd: folder,
      env: { PATH: environment.PATH, PUBLIC_URL: 'https://lockers.example', SECRET_KEY: 'of-this-test-and-32-characters-long' },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([78, expect.stringContaining('lies in the folder of Hatchway itself')]);
  }
  fs.mkdirSync(path.join(folder, '.data'));
  await expect(writeProductionFolder(folder)).rejects.toThrow('.data, which no build wrote');
  fs.rmdirSync(path.join(folder, '.data'));
  await writeProductionFolder(folder);
});

it('holds each package that is loaded when it is first used', () => {
  const load = `for (const name of ${JSON.stringify(APART)}) await import(name)`;
  const loaded = spawnSync(path.join(folder, 'node'), ['--input-type=module', '--eval', load], {
    cwd: path.join(folder, 'server'),
    env: environment,
    encoding: 'utf8',
  });
  expect([loaded.stderr, loaded.status]).toEqual(['', 0]);
});

it('says what it takes', () => {
  const { status, stderr } = run();
  expect([status, stderr]).toEqual([78, 'serve, backup --to <file> or restore --from <file>\n']);
});
