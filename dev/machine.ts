import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { command, root, tool } from './command.ts';

/** What the tests need from the machine and npm does not bring: a browser, and for `test:all` a PostgreSQL of the system. */

const isRoot = process.getuid?.() === 0;
const hasApt = existsSync('/usr/bin/apt-get');
let updated = false;

/** The machine lacks something, or could not fetch it: no word about the product. */
const machineFault = (sentence: string): Error => new Error(`The machine, not Hatchway, is at fault: ${sentence}`);

const TRIES = 3;
const PAUSE_MS = 5_000;
async function apt(args: string[]): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const { code, output } = await command('apt-get', args, { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } });
    if (code === 0) return true;
    console.error(output);
    if (tries === TRIES) return false;
    console.log('The system’s packages could not be fetched; trying once more …');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries));
  }
}

async function installPackages(packages: string[]): Promise<boolean> {
  if (!isRoot || !hasApt) return false;
  console.log(`Installing ${packages.join(', ')} from the system's packages (once) …`);
  // a new machine's package lists are empty or old; once a run is enough
  updated ||= await apt(['update', '-qq']);
  return apt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

/** Chromium without a window to draw: the same engine on two thirds of the processor's time, and half of what the tests take is the browser's. */
const shell = '/usr/bin/chromium-headless-shell';
const browsers = [shell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome-stable', '/usr/bin/google-chrome'];

async function playwrightsOwn(): Promise<string | null> {
  const { chromium } = await import('@playwright/test');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

/** The browser for journeys and pictures: CHROMIUM, the system's, or what Playwright fetched; installed when there is none. */
export async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw machineFault(`CHROMIUM names ${named}, which does not exist.`);
  }
  const present = () => browsers.find((file) => existsSync(file));
  if (existsSync(shell) || (await installPackages([path.basename(shell), 'fonts-liberation']))) return shell;
  const found = present() ?? (await playwrightsOwn());
  if (found) return found;
  if (await installPackages(['chromium', 'fonts-liberation'])) return present() ?? '';
  console.log('Fetching a browser for the tests (once) …');
  await tool('playwright/cli.js', ['install', 'chromium'], { quiet: true });
  const fetched = await playwrightsOwn();
  if (fetched) return fetched;
  throw machineFault(
    'the browser journeys need Chromium. Install it (Debian: apt-get install chromium) or name one with CHROMIUM=/path/to/chromium.',
  );
}

const versions = () =>
  existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql')
        .filter((version) => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`))
        .sort((a, b) => Number(b) - Number(a))
    : [];

/** The folder with initdb and postgres of Debian's newest installed PostgreSQL; installed when there is none. */
export async function findPostgres(): Promise<string> {
  const present = () => {
    const version = versions()[0];
    return version ? `/usr/lib/postgresql/${version}/bin` : null;
  };
  const found = present() ?? ((await installPackages(['postgresql'])) ? present() : null);
  if (found) return found;
  throw machineFault("the server tests on a real PostgreSQL need Debian's: apt-get install postgresql.");
}

/** Where runs put what they leave: reports, traces, temporary clusters. */
export const scratch = path.join(root, '.tmp');
