import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command } from './command.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

type Cluster = { /** As its superuser. */ url: string; stop: () => Promise<void> };

async function unprivileged(): Promise<{ uid: number; gid: number } | Record<string, never>> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await command('id', [flag, 'postgres'], { quiet: true })).output.trim());
  return { uid: await id('-u'), gid: await id('-g') };
}

/**
 * A cluster of its own from the system's PostgreSQL: in a temporary folder, on a free port of the loopback, as an unprivileged user, gone
 * afterwards. The system's own cluster, if there is one, is not touched.
 */
export async function startDebianPostgres(binaries: string): Promise<Cluster> {
  const who = await unprivileged();
  const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-postgres-'));
  const password = randomBytes(18).toString('base64url');
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (who.uid !== undefined) for (const place of [folder, passwordFile]) chownSync(place, who.uid, who.gid);

  const data = path.join(folder, 'data');
  const made = await command(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--locale=C.UTF-8'],
    { quiet: true, cwd: folder, ...who },
  );
  if (made.code !== 0) throw new Error(`initdb failed: ${made.output}`);

  const port = await freePort();
  // what tests write need not survive a power cut; max_connections: every test file opens a pool of its own
  const settings = ['max_connections=200', 'fsync=off', 'logging_collector=off', 'log_min_messages=fatal'].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const server = spawn(path.join(binaries, 'postgres'), ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, ...settings], {
    cwd: folder,
    stdio: 'ignore',
    ...who,
  });
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 200; tries++) {
    if (server.exitCode !== null) break;
    const ready = await command(path.join(binaries, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { quiet: true });
    if (ready.code === 0) return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`PostgreSQL of ${binaries} did not start.`);
}
