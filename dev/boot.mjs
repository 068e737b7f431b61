// The one entry of every npm script. It runs on bare Node 20.19 in a fresh clone, so it uses builtins alone and plain JavaScript:
// install what the lock file names, then hand over to the Node that came with the dependencies (Node 24 runs our TypeScript as it is).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.hatchway-lock');

/** Task names are the names of the npm scripts; each is a file in dev/tasks that exports `run(args)`. */
const tasks = [
  'start',
  'serve',
  'dev',
  'build',
  'check',
  'test',
  'test:all',
  'e2e',
  'bench',
  'gallery',
  'requirements',
  'company',
  'backup',
  'restore',
  'door-icons',
  'sandbox',
];

const isAtLeast = (version, major, minor) => {
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

const stopWith = (sentence) => {
  process.stderr.write(`\n${sentence}\n\n`);
  process.exit(1);
};

/** Whether npm's own note of what lies in node_modules names the same versions as the lock file (somebody ran `npm ci` by hand). */
function matchesInstalled(lockText) {
  try {
    const wanted = JSON.parse(lockText).packages;
    const present = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(([place, entry]) => {
      if (!place.startsWith('node_modules/') || entry.link) return true;
      const found = present[place];
      return found ? found.version === entry.version : Boolean(entry.optional || entry.peer || entry.devOptional);
    });
  } catch {
    return false;
  }
}

/** A registry that answers badly is asked three times; what npm refuses of our own lock file is no better the next time. */
function fetchPackages(npmCi) {
  for (let tries = 1; ; tries++) {
    const done = npmCi();
    process.stderr.write(done.stderr ?? '');
    if (done.status === 0) return;
    if (/EUSAGE|EJSONPARSE|EINTEGRITY|ERESOLVE/.test(String(done.stderr)))
      stopWith(
        'The dependencies could not be installed: package.json, package-lock.json and the packages disagree. What npm said stands above.',
      );
    if (tries === 3)
      stopWith('The machine, not Hatchway, is at fault: npm could not fetch the dependencies in three tries. What it said stands above.');
    process.stdout.write('npm could not fetch the dependencies; trying once more …\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000 * tries);
  }
}

function install() {
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const mark = createHash('sha256').update(`${process.platform} ${process.arch} ${lockText}`).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === mark) return;
  if (!matchesInstalled(lockText)) {
    process.stdout.write('Installing dependencies (once, and again when package-lock.json changes) …\n');
    const npm = process.env.npm_execpath;
    // prefer-offline: the lock file fixes every byte by its hash, so what the cache holds is as good as the registry's answer
    const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    const [command, before] =
      npm && npm.endsWith('.js') ? [process.execPath, [npm]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
    fetchPackages(() =>
      spawnSync(command, [...before, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'pipe'], shell: command.endsWith('.cmd') }),
    );
  }
  writeFileSync(stamp, mark);
}

/** The Node that runs the task: the one from the dependencies where there is one for this machine, else the machine's own. */
function chooseNode() {
  const own = path.join(modules, '.bin', 'node');
  if (existsSync(own)) {
    const node = realpathSync(own);
    // run it once before trusting it: a binary for another C library is there and still can't start
    if (node === realpathSync(process.execPath) || spawnSync(node, ['--version']).status === 0) return node;
  }
  if (isAtLeast(process.versions.node, 22, 18)) {
    process.stdout.write(
      `No Node 24 comes with the dependencies for ${process.platform} ${process.arch}; using this machine's ${process.version}.\n`,
    );
    return process.execPath;
  }
  return stopWith(
    `For ${process.platform} ${process.arch} no Node comes with the dependencies, so Hatchway needs Node 22.18 or newer here; this is ${process.version}.\n` +
      'Get one from https://nodejs.org and start again.',
  );
}

/** Same arguments on another Node. Signals and the exit code pass through, so that callers see one process. */
function handOver(node) {
  const child = spawn(node, process.argv.slice(1), { cwd: process.cwd(), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => stopWith(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The sandbox's pages strip their types with a function that Node still calls experimental; a start says nothing that needs no answer. */
function hushExperiments() {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning' && rest[0]?.type !== 'ExperimentalWarning') emit(warning, ...rest);
  };
}

async function runHere(task, args) {
  hushExperiments();
  process.env.PATH = [path.join(modules, '.bin'), process.env.PATH].filter(Boolean).join(path.delimiter);
  const compiled = path.join(modules, '.cache', 'compile');
  if (module.enableCompileCache) module.enableCompileCache(compiled);
  // for what the task starts in turn: servers, workers of tests
  process.env.NODE_COMPILE_CACHE ??= compiled;
  const file = path.join(root, 'dev', 'tasks', `${task.replace(':', '-')}.ts`);
  const { run } = await import(pathToFileURL(file).href);
  const code = await run(args);
  if (typeof code === 'number') process.exitCode = code;
}

const [task, ...args] = process.argv.slice(2);
if (!isAtLeast(process.versions.node, 20, 19)) {
  stopWith(`Hatchway needs Node 20.19 or newer to begin (it brings its own Node 24 then); this is ${process.version}.`);
} else if (!tasks.includes(task)) {
  stopWith(`${task ? `There is no task "${task}".` : 'Which task?'} One of: ${tasks.join(', ')}.`);
} else {
  install();
  const node = chooseNode();
  // realpath on both sides: npm puts node_modules/.bin first in PATH, so most of the time this already is the right Node
  if (realpathSync(process.execPath) === node) await runHere(task, args);
  else handOver(node);
}
