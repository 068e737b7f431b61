import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { command, root } from './command.ts';
import { scratch } from './machine.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

/** A real Keycloak for tests, from Maven Central: fetched once, checked, started on the loopback, ended by its own process id. */
const VERSION = '26.7.3';
/** Of `keycloak-quarkus-dist-26.7.3.tar.gz`, as it is published beside it. */
const SHA256 = '77657f30b7e90d70f727712ce1c967f430fd6a5e9f458d32d8c6df0635345f47';
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const OLDEST_JAVA = 17;
/** It lays out its database at the first start, which takes minutes on a busy machine. */
const READY_MS = 10 * 60_000;
const LOOK_MS = 500;
const STOP_MS = 30_000;

const folder = path.join(scratch, `keycloak-${VERSION}`);
const pidFile = path.join(folder, 'pid');
const notRun = (why: string): Error => new Error(`Not run: ${why}`);

const javaOf = async (program: string): Promise<number> => {
  const { code, output } = await command(program, ['-version'], { quiet: true });
  return code === 0 ? Number(/version "(\d+)/.exec(output)?.[1] ?? 0) : 0;
};

/** JAVA_HOME's, or the one in PATH, or whichever the system keeps where Debian and Fedora do. Throws where none is new enough. */
async function findJava(): Promise<string> {
  const kept = '/usr/lib/jvm';
  const named = process.env.JAVA_HOME ?? '';
  const hasJava = (home: string) => home !== '' && existsSync(path.join(home, 'bin/java'));
  if (hasJava(named) && (await javaOf(path.join(named, 'bin/java'))) >= OLDEST_JAVA) return named;
  if ((await javaOf('java')) >= OLDEST_JAVA) return '';
  for (const home of existsSync(kept) ? readdirSync(kept).map((name) => path.join(kept, name)) : [])
    if (hasJava(home) && (await javaOf(path.join(home, 'bin/java'))) >= OLDEST_JAVA) return home;
  throw notRun(
    `Keycloak needs Java ${OLDEST_JAVA} or newer. Install one (apt-get install openjdk-17-jre-headless), or name it in JAVA_HOME.`,
  );
}

/** By Maven, as this machine has it set up: its mirrors and proxies hold. */
async function fetchDistribution(java: string): Promise<void> {
  if (existsSync(path.join(folder, 'bin/kc.sh'))) return;
  const into = path.join(scratch, 'maven');
  const file = path.join(into, `keycloak-quarkus-dist-${VERSION}.tar.gz`);
  console.log(`Fetching Keycloak ${VERSION} (170 MB, once) …`);
  const args = ['-q', '-B', COPY, `-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`, `-DoutputDirectory=${into}`];
  const env: Record<string, string> = java === '' ? {} : { JAVA_HOME: java };
  const fetched = await command('mvn', [...args, `-Dmaven.repo.local=${path.join(into, 'kept')}`], { quiet: true, env });
  if (fetched.code === 127) throw notRun('Keycloak is fetched by Maven, which is not here (apt-get install maven).');
  if (fetched.code !== 0) throw notRun(`Keycloak ${VERSION} cannot be had from Maven Central:\n${fetched.output.slice(-2_000)}`);
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found !== SHA256) {
    rmSync(into, { recursive: true });
    throw notRun(`what was fetched as Keycloak ${VERSION} is something else: its SHA-256 is ${found}.`);
  }
  const unpacked = `${folder}.new`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  const { code, output } = await command('tar', ['xzf', file, '-C', unpacked, '--strip-components=1'], { quiet: true });
  if (code !== 0) throw notRun(`Keycloak could not be unpacked: ${output}`);
  renameSync(unpacked, folder);
  rmSync(into, { recursive: true });
}

export type Keycloak = { url: string; secret: string; admin: { name: string; password: string }; stop: () => Promise<void> };

export const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/realms/pml/.well-known/openid-configuration`).then(
    ({ ok }) => ok,
    () => false,
  );

/** With the realm of `deploy/keycloak`, for a Hatchway at that address; its data is made anew each time. */
export async function startKeycloak(hatchway: string): Promise<Keycloak> {
  const java = await findJava();
  await fetchDistribution(java);
  const data = path.join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(path.join(data, 'import'), { recursive: true });
  copyFileSync(path.join(root, 'deploy/keycloak/pml-realm.json'), path.join(data, 'import/pml-realm.json'));
  const [port, management] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const secret = randomBytes(24).toString('base64url');
  const admin = { name: 'admin', password: randomBytes(24).toString('base64url') };
  const options = [
    '--import-realm',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    '--http-management-host=127.0.0.1',
    `--http-management-port=${management}`,
    `--hostname=${url}`,
    '--cache=local',
  ];
  let said = '';
  let stopped = false;
  const hear = (part: Buffer) => (said = (said + part.toString()).slice(-8_000));
  const launch = (): ChildProcess => {
    const one = spawn(path.join(folder, 'bin/kc.sh'), ['start-dev', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // a group of its own: the script's Java ends with the script, however that ends
      detached: true,
      env: {
        ...process.env,
        ...(java === '' ? {} : { JAVA_HOME: java }),
        JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx512m',
        KC_BOOTSTRAP_ADMIN_USERNAME: admin.name,
        KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
        HATCHWAY_URL: hatchway,
        HATCHWAY_CLIENT_SECRET: secret,
      },
    });
    one.stdout.on('data', hear);
    one.stderr.on('data', hear);
    one.once('error', (error) => (said += error.message));
    writeFileSync(pidFile, String(one.pid ?? ''));
    return one;
  };
  let child = launch();
  console.log(`Starting Keycloak ${VERSION} …`);
  const until = Date.now() + READY_MS;
  while (!(await isUp(url))) {
    if (child.exitCode !== null) throw notRun(`Keycloak ended with ${child.exitCode}:\n${said}`);
    if (Date.now() > until) {
      await end(child);
      throw notRun(`Keycloak was not ready in ten minutes:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  /** A journey kills it in the middle: a service manager starts it anew, on the same data. */
  const keepUp = (): void =>
    void child.once('exit', () => {
      if (stopped) return;
      child = launch();
      keepUp();
    });
  keepUp();
  const stop = () => {
    stopped = true;
    return end(child);
  };
  return { url, secret, admin, stop };
}

/** Ends the one that runs as a power cut would, script and Java; it is started anew then. */
export const killKeycloak = (): void => void process.kill(-Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');

/** The script and its Java. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const group = -child.pid;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(group, 'SIGTERM');
  const hard = setTimeout(() => process.kill(group, 'SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(hard);
}
