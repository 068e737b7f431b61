import { parseArgs } from 'node:util';
import { startVipps } from '@hatchway/sandbox/vipps/alone.ts';
import { DEMO_MERCHANT } from '@hatchway/sandbox/vipps/merchant.ts';
import { usualFolder } from '../data-folder.ts';
import { needPort } from '../ports.ts';
import { qrImage } from '../qr.ts';
import { runUntilTold } from '../until-told.ts';

const usage = `A part of the sandbox by itself, on the loopback, for any client to be pointed at.

  npm run sandbox -- vipps [--port 8090] [--folder .data/vipps]

The payment provider keeps its books in memory, or in --folder where one is named.`;

const welcome = (origin: string): string =>
  [
    '',
    `The sandbox's payment provider runs at ${origin}  (Ctrl-C stops it)`,
    '',
    ...[
      ['Wire', `${origin}   POST /accesstoken/get, /epayment/v1/payments, /webhooks/v1/webhooks`],
      ["Payer's phone, books", `${origin}/sandbox/vipps`],
      ['Merchant-Serial-Number', DEMO_MERCHANT.msn],
      ['client_id', DEMO_MERCHANT.clientId],
      ['client_secret', DEMO_MERCHANT.clientSecret],
      ['Ocp-Apim-Subscription-Key', DEMO_MERCHANT.subscriptionKey],
    ].map(([name = '', what]) => `  ${name.padEnd(27)} ${what}`),
    '',
  ].join('\n');

/** `npm run sandbox -- vipps`: the payment provider alone. */
export async function run(args: string[]): Promise<number | undefined> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { port: { type: 'string', default: '8090' }, folder: { type: 'string' } },
  });
  const port = Number(values.port);
  if (positionals.join(' ') !== 'vipps' || !Number.isInteger(port) || port < 1 || port > 65_535) {
    console.error(usage);
    return 1;
  }
  const { folder } = values;
  return runUntilTold(
    async () => {
      await needPort(port);
      const vipps = await startVipps({ port, ...(folder === undefined ? {} : { folder }), drawQr: qrImage });
      console.log(welcome(vipps.origin));
      return vipps;
    },
    { dataDir: folder ?? usualFolder },
  );
}
