import { parseArgs } from 'node:util';
import { startDirectory } from '@hatchway/sandbox/directory/alone.ts';
import { DEMO_APP } from '@hatchway/sandbox/directory/directory.ts';
import { startVipps } from '@hatchway/sandbox/vipps/alone.ts';
import { DEMO_MERCHANT } from '@hatchway/sandbox/vipps/merchant.ts';
import { usualFolder } from '../data-folder.ts';
import { needPort } from '../ports.ts';
import { qrImage } from '../qr.ts';
import { runUntilTold } from '../until-told.ts';

const usage = `A part of the sandbox by itself, on the loopback, for any client to be pointed at.

  npm run sandbox -- vipps [--port 8090] [--folder .data/vipps]
  npm run sandbox -- directory [--port 8090] [--folder .data/directory]

What each keeps is kept in memory, or in --folder where one is named.`;

type Options = { port: number; folder?: string };
type Line = readonly [name: string, what: string];
/** One part: how it starts, and what a client needs to know of it. */
type Part = { title: string; start: (options: Options) => Promise<{ origin: string; stop: () => Promise<void>; lines: readonly Line[] }> };

const PARTS: Readonly<Record<string, Part>> = {
  vipps: {
    title: 'payment provider',
    start: async (options) => {
      const vipps = await startVipps({ ...options, drawQr: qrImage });
      const { origin } = vipps;
      return {
        ...vipps,
        lines: [
          ['Wire', `${origin}   POST /accesstoken/get, /epayment/v1/payments, /webhooks/v1/webhooks`],
          ["Payer's phone, books", `${origin}/sandbox/vipps`],
          ['Merchant-Serial-Number', DEMO_MERCHANT.msn],
          ['client_id', DEMO_MERCHANT.clientId],
          ['client_secret', DEMO_MERCHANT.clientSecret],
          ['Ocp-Apim-Subscription-Key', DEMO_MERCHANT.subscriptionKey],
        ],
      };
    },
  },
  directory: {
    title: 'directory',
    start: async (options) => {
      const { origin, directory, stop } = await startDirectory(options);
      return {
        origin,
        stop,
        lines: [
          ['ENTRA_LOGIN_URL', `${origin}   /{tid}/v2.0/adminconsent, /{tid}/oauth2/v2.0/authorize, …/token`],
          ['ENTRA_GRAPH_URL', `${origin}/graph   /v1.0/users/delta, /v1.0/groups/delta, /v1.0/organization`],
          ['People and groups', `${origin}/sandbox/directory`],
          ['tid', directory.store.tenants()[0]?.tid ?? ''],
          ['ENTRA_CLIENT_ID', DEMO_APP.clientId],
          ['ENTRA_CLIENT_SECRET', DEMO_APP.clientSecret],
        ],
      };
    },
  },
};

const welcome = (title: string, origin: string, lines: readonly Line[]): string =>
  [
    '',
    `The sandbox's ${title} runs at ${origin}  (Ctrl-C stops it)`,
    '',
    ...lines.map(([name, what]) => `  ${name.padEnd(27)} ${what}`),
    '',
  ].join('\n');

/** `npm run sandbox -- <name>`: one part of the sandbox alone. */
export async function run(args: string[]): Promise<number | undefined> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { port: { type: 'string', default: '8090' }, folder: { type: 'string' } },
  });
  const port = Number(values.port);
  const part = PARTS[positionals.join(' ')];
  if (!part || !Number.isInteger(port) || port < 1 || port > 65_535) {
    console.error(usage);
    return 1;
  }
  const { folder } = values;
  return runUntilTold(
    async () => {
      await needPort(port);
      const started = await part.start({ port, ...(folder === undefined ? {} : { folder }) });
      console.log(welcome(part.title, started.origin, started.lines));
      return started;
    },
    { dataDir: folder ?? usualFolder },
  );
}
