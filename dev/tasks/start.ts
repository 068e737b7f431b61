import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { stopChildren } from '../command.ts';
import { beginAnew, usualFolder } from '../data-folder.ts';
import { buildBundle, buildFrontends } from '../frontends.ts';
import { demoMember, demoPassword, logins } from '../demo/people.ts';
import { needPort } from '@hatchway/server/db/ports.ts';
import type * as Start from '../start.ts';
import { runUntilTold } from '@hatchway/server/until-told.ts';
import { vippsAt } from '../vipps-address.ts';

const bold = (text: string) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text);
const dim = (text: string) => (process.stdout.isTTY ? `\x1b[2m${text}\x1b[0m` : text);

function welcome({ origin, demoKey }: Start.Hatchway, seconds: number): string {
  const rows = (pairs: [string, string][]) => pairs.map(([name, what]) => `  ${name.padEnd(22)} ${what}`).join('\n');
  return [
    '',
    bold(`Hatchway runs at ${origin}`) + dim(`  (started in ${seconds.toFixed(1)} s, Ctrl-C stops it)`),
    '',
    rows([
      ['Staff portal', `${origin}/portal/`],
      ['End-user site', `${origin}/`],
      [
        'Sandbox',
        `${origin}/sandbox/   virtual cabinets, the inbox that catches each SMS and e-mail, a payer’s phone, a webshop, an asset tool, a directory`,
      ],
      ['API', `${origin}/v1/docs`],
    ]),
    '',
    `${bold('Sign in as')}  ${dim(`password of each: ${demoPassword}`)}`,
    rows([
      ...logins.map(({ email, what }): [string, string] => [email, what]),
      [demoMember, 'of the directory: its own page signs them in'],
    ]),
    ...(demoKey ? ['', rows([['Demo API key', demoKey]])] : []),
    '',
  ].join('\n');
}

/** One file, made anew where the sources changed. The sources themselves take more memory, and their traces name their lines. */
const load = async (fromSources: boolean): Promise<typeof Start> =>
  fromSources ? import('../start.ts') : ((await import(pathToFileURL(await buildBundle('dev')).href)) as typeof Start);

/** `npm start`: everything with the sandbox and the demo company, on the loopback, for looking and trying. */
export async function run(args: string[]): Promise<number | undefined> {
  const began = performance.now();
  const { values } = parseArgs({
    args,
    options: { fresh: { type: 'boolean', default: false }, sources: { type: 'boolean', default: false } },
  });
  if (process.env.HOST !== undefined) {
    console.error(
      'npm start listens on the loopback only, since its people sign in with a known password; it takes no HOST.\nFor others to reach it, run it in production: npm run serve (docs/operations.md).',
    );
    return 1;
  }
  const port = Number(process.env.PORT ?? 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    console.error(`PORT is "${process.env.PORT}", not a port.`);
    return 1;
  }
  const vippsUrl = vippsAt(process.env.VIPPS_URL);
  if (vippsUrl === null) {
    console.error('VIPPS_URL must be https, or http on this machine (npm run sandbox -- vipps), with no login in it.');
    return 1;
  }
  return runUntilTold(
    async (signal) => {
      await needPort(port);
      if (values.fresh) await beginAnew(usualFolder);
      // loaded while the front ends are built, and only once it is known that there will be a start
      const [{ startHatchway }] = await Promise.all([load(values.sources), buildFrontends()]);
      signal.throwIfAborted();
      const hatchway = await startHatchway({
        port,
        folder: usualFolder,
        demo: true,
        databaseUrl: process.env.DATABASE_URL,
        databaseOwnerUrl: process.env.DATABASE_OWNER_URL,
        vippsUrl,
        signal,
      });
      console.log(welcome(hatchway, (performance.now() - began) / 1000));
      return hatchway;
    },
    {
      dataDir: usualFolder,
      debug: Boolean(process.env.DEBUG),
      onTold: (signal) => {
        console.log('\nStopping …');
        stopChildren(signal);
      },
    },
  );
}
