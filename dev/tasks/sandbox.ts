import { parseArgs } from 'node:util';
import { startDirectory, startTool, startVipps, startWoo } from '@hatchway/sandbox/alone.ts';
import { DEMO_APP } from '@hatchway/sandbox/directory/directory.ts';
import { DEMO_MERCHANT } from '@hatchway/sandbox/vipps/merchant.ts';
import { usualFolder } from '../data-folder.ts';
import { needPort } from '@hatchway/server/db/ports.ts';
import { qrImage } from '../qr.ts';
import { runUntilTold } from '@hatchway/server/until-told.ts';

const usage = `A part of the sandbox by itself, on the loopback, for any client to be pointed at.

  npm run sandbox -- vipps [--port 8090] [--folder .data/vipps]
  npm run sandbox -- woo [--port 8090] [--folder .data/woo]
  npm run sandbox -- assets [--port 8090] [--folder .data/assets]
  npm run sandbox -- directory [--port 8090] [--folder .data/directory]

Each keeps its books in memory, or in --folder where one is named.`;

type Where = { port: number; folder?: string };
type Part = { name: string; origin: string; told: [string, string][]; stop: () => Promise<void> };

const PARTS: Readonly<Record<string, (where: Where) => Promise<Part>>> = {
  vipps: async (where) => {
    const { origin, stop } = await startVipps({ ...where, drawQr: qrImage });
    return {
      name: 'payment provider',
      origin,
      stop,
      told: [
        ['Wire', `${origin}   POST /accesstoken/get, /epayment/v1/payments, /webhooks/v1/webhooks`],
        ["Payer's phone, books", `${origin}/sandbox/vipps`],
        ['Merchant-Serial-Number', DEMO_MERCHANT.msn],
        ['client_id', DEMO_MERCHANT.clientId],
        ['client_secret', DEMO_MERCHANT.clientSecret],
        ['Ocp-Apim-Subscription-Key', DEMO_MERCHANT.subscriptionKey],
      ],
    };
  },
  woo: async (where) => {
    const { origin, address, consumerKey, consumerSecret, stop } = await startWoo(where);
    return {
      name: 'webshop',
      origin,
      stop,
      told: [
        ['Shop', `${address}   /wp-json/wc/v3, /wc-auth/v1/authorize`],
        ['Orders, books', `${origin}/sandbox/woo`],
        ['consumer_key', consumerKey],
        ['consumer_secret', consumerSecret],
      ],
    };
  },
  assets: async (where) => {
    const { origin, apiKey, stop } = await startTool(where);
    return {
      name: 'asset tool',
      origin,
      stop,
      told: [
        ['Our contract', `${origin}   /v1/assets, /v1/requests`],
        ['Snipe-IT', `${origin}   /api/v1/hardware, /api/v1/reports/activity`],
        ['Assets, books', `${origin}/sandbox/assets`],
        ['Key of both', apiKey],
      ],
    };
  },
  directory: async (where) => {
    const { origin, directory, stop } = await startDirectory(where);
    return {
      name: 'directory',
      origin,
      stop,
      told: [
        ['ENTRA_LOGIN_URL', `${origin}   /{tid}/v2.0/adminconsent, /{tid}/oauth2/v2.0/authorize, …/token`],
        ['ENTRA_GRAPH_URL', `${origin}/graph   /v1.0/users/delta, /v1.0/groups/delta, /v1.0/organization`],
        ['People and groups', `${origin}/sandbox/directory`],
        ['tid', directory.store.tenants()[0]?.tid ?? ''],
        ['ENTRA_CLIENT_ID', DEMO_APP.clientId],
        ['ENTRA_CLIENT_SECRET', DEMO_APP.clientSecret],
      ],
    };
  },
};

const welcome = ({ name, origin, told }: Part): string =>
  [
    '',
    `The sandbox's ${name} runs at ${origin}  (Ctrl-C stops it)`,
    '',
    ...told.map(([what, where]) => `  ${what.padEnd(27)} ${where}`),
    '',
  ].join('\n');

/** `npm run sandbox -- <name>`: one neighbour alone. */
export async function run(args: string[]): Promise<number | undefined> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { port: { type: 'string', default: '8090' }, folder: { type: 'string' } },
  });
  const port = Number(values.port);
  const start = new Map(Object.entries(PARTS)).get(positionals.join(' '));
  if (start === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) {
    console.error(usage);
    return 1;
  }
  const { folder } = values;
  return runUntilTold(
    async () => {
      await needPort(port);
      const part = await start({ port, ...(folder === undefined ? {} : { folder }) });
      console.log(welcome(part));
      return part;
    },
    { dataDir: folder ?? usualFolder },
  );
}
