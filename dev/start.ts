import path from 'node:path';
import { mountCabinets } from '@hatchway/sandbox/cabinets/mount.ts';
import { createInbox } from '@hatchway/sandbox/inbox/inbox.ts';
import { mountInbox } from '@hatchway/sandbox/inbox/routes.ts';
import { startSmtp } from '@hatchway/sandbox/inbox/smtp.ts';
import type { Config } from '@hatchway/server/config.ts';
import { startServer } from '@hatchway/server/main.ts';
import { claimFolder, operatorKeyOf, readKept, secretOf, writeKept } from './data-folder.ts';
import { freePort } from './debian-postgres.ts';
import { companyIds } from './demo/people.ts';
import { seed } from './demo/seed.ts';
import { plugIn } from './plug-in.ts';
import { refuseStrangers } from './strangers.ts';
import type { Where } from './where.ts';

export type StartOptions = {
  /** 0: any free one. */
  port: number;
  /** Everything that is kept. */
  folder: string;
  /** Makes the demo company where it is not there yet. */
  demo: boolean;
  /** Tests make companies of their own and start again on them; `npm start` refuses any that it did not seed. */
  strangers: 'refused' | 'welcome';
  /** A PostgreSQL of one's own instead of the embedded one. */
  databaseUrl?: string | undefined;
  logLevel?: string;
};

export type Hatchway = Where & { stop: () => Promise<void> };

function configFor(options: StartOptions, port: number, smtpPort: number, secretKey: string): Config {
  const origin = `http://localhost:${port}`;
  return {
    port,
    host: '127.0.0.1',
    publicUrl: origin,
    secretKey,
    operatorKey: operatorKeyOf(secretKey),
    dataDir: options.folder,
    databaseUrl: options.databaseUrl ?? null,
    databaseOwnerUrl: null,
    databasePool: 16,
    natsUrl: null,
    mqttUrl: null,
    mqttListen: null,
    mqttPort: 0,
    identityUrl: null,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    smsUrl: `${origin}/sandbox/sms`,
    mailFrom: 'Hatchway <no-reply@hatchway.test>',
    logLevel: options.logLevel ?? 'warn',
    trustProxy: false,
    sandbox: true,
  };
}

/** The whole product with the sandbox beside it, on the loopback: what `npm start`, the journeys and the pictures run. */
export async function startHatchway(options: StartOptions): Promise<Hatchway> {
  const giveBack = claimFolder(options.folder);
  const secret = secretOf(options.folder);
  const port = options.port === 0 ? await freePort() : options.port;
  const inbox = createInbox({ folder: path.join(options.folder, 'sandbox') });
  const smtp = await startSmtp(inbox, 0);
  const config = configFor(options, port, smtp.port, secret);
  const cabinets: { close: () => Promise<void> }[] = [];
  const server = await startServer(config, {
    beforeServing: options.strangers === 'refused' ? (ownerUrl) => refuseStrangers(ownerUrl, companyIds) : undefined,
    mount: async (app) => {
      mountInbox(app, inbox);
      cabinets.push(await mountCabinets(app, { folder: path.join(options.folder, 'sandbox', 'cabinets'), origin: config.publicUrl }));
    },
  }).catch(async (error: unknown) => {
    await smtp.close();
    giveBack();
    throw error;
  });
  const stop = async () => {
    for (const one of cabinets) await one.close();
    await server.stop();
    await smtp.close();
    giveBack();
  };
  const origin = config.publicUrl;
  try {
    if (options.demo && !readKept(options.folder)) {
      const { demoKey } = await seed({
        origin,
        operatorKey: config.operatorKey,
        plugIn: async (cabinet) => void (await plugIn(origin, cabinet)),
      });
      writeKept(options.folder, { origin, demoKey });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, operatorKey: config.operatorKey, demoKey: readKept(options.folder)?.demoKey ?? null, stop };
}
