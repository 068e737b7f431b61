import { existsSync } from 'node:fs';
import path from 'node:path';
import { mountTool } from '@hatchway/sandbox/assets/mount.ts';
import { createTool } from '@hatchway/sandbox/assets/tool.ts';
import { mountCabinets } from '@hatchway/sandbox/cabinets/mount.ts';
import { createDirectory, demoDirectory, DEMO_APP } from '@hatchway/sandbox/directory/directory.ts';
import { ENTRA_GRAPH, ENTRA_LOGIN, mountDirectory } from '@hatchway/sandbox/directory/mount.ts';
import { createInbox } from '@hatchway/sandbox/inbox/inbox.ts';
import { mountInbox } from '@hatchway/sandbox/inbox/routes.ts';
import { startSmtp } from '@hatchway/sandbox/inbox/smtp.ts';
import { mountVipps, VIPPS_API } from '@hatchway/sandbox/vipps/mount.ts';
import { createVipps } from '@hatchway/sandbox/vipps/provider.ts';
import { mountWoo, WOO_SHOP } from '@hatchway/sandbox/woo/mount.ts';
import { createWoo } from '@hatchway/sandbox/woo/shop.ts';
import type { Config } from '@hatchway/server/config.ts';
import { startEmbedded } from '@hatchway/server/db/embedded.ts';
import type { PasswordCost } from '@hatchway/server/identity/passwords.ts';
import { startServer, type Server, type ServerOptions } from '@hatchway/server/main.ts';
import type { Pace } from '@hatchway/server/pace.ts';
import { claimFolder, operatorKeyOf, readKept, secretOf, writeKept } from './data-folder.ts';
import { freePort } from '@hatchway/server/db/ports.ts';
import { demoSignIns } from './demo/people.ts';
import { seedPast } from './demo/past.ts';
import { seed } from './demo/seed.ts';
import { actOn, plugIn } from './plug-in.ts';
import { qrImage } from './qr.ts';
import { refuseStrangers } from './strangers.ts';
import type { Where } from './where.ts';

type StartOptions = {
  /** 0: any free one. */
  port: number;
  /** Everything that is kept. */
  folder: string;
  /** Makes the demo company where it is not there yet. */
  demo: boolean;
  /** A PostgreSQL of one's own instead of the embedded one. */
  databaseUrl?: string | undefined;
  databaseOwnerUrl?: string | undefined;
  logLevel?: string;
  /** Another payment provider than the sandbox's own beside the server, which dies with it. */
  vippsUrl?: string | undefined;
  /** A Keycloak that signs people in, in place of the provider in the process. */
  keycloak?: Config['keycloak'] | undefined;
  /** Less than the server's own for tests alone, which sign people in by the hundred. */
  passwordCost?: PasswordCost;
  /** Another than the server's own for journeys alone, which shut hundreds of doors. */
  pace?: Partial<Pace>;
  /** Gives the start up, and ends what was started by then. */
  signal?: AbortSignal;
};

type Ports = { port: number; mqttPort: number; smtpPort: number };
export type Hatchway = Where & {
  stop: () => Promise<void>;
};

function configFor(options: StartOptions, { port, mqttPort, smtpPort }: Ports, secretKey: string): Config {
  const origin = `http://localhost:${port}`;
  return {
    port,
    host: '127.0.0.1',
    publicUrl: origin,
    secretKey,
    operatorKey: operatorKeyOf(secretKey),
    dataDir: options.folder,
    databaseUrl: options.databaseUrl ?? null,
    databaseOwnerUrl: options.databaseOwnerUrl ?? null,
    databasePool: 16,
    natsUrl: null,
    mqttUrl: null,
    mqttListen: null,
    mqttPublicUrl: null,
    mqttPort,
    keycloak: options.keycloak ?? null,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    smsUrl: `${origin}/sandbox/sms`,
    smsFallbackUrl: null,
    vippsUrl: options.vippsUrl ?? origin + VIPPS_API,
    entra: { ...DEMO_APP, loginUrl: origin + ENTRA_LOGIN, graphUrl: origin + ENTRA_GRAPH },
    // the sandbox's inbox reaches nobody
    newAddressesPerHour: 100_000,
    mailFrom: 'Hatchway <no-reply@hatchway.test>',
    logLevel: options.logLevel ?? 'warn',
    trustProxy: false,
    sandbox: true,
    sandboxPorts: [port, smtpPort, ...(options.vippsUrl ? [Number(new URL(options.vippsUrl).port || 80)] : [])],
  };
}

/**
 * Who lives in the database is asked before anything of the server runs, since its jobs would begin to send what waits, to the sandbox.
 */
async function begin(config: Config, options: ServerOptions): Promise<Server> {
  const embedded = path.join(config.dataDir, 'pg');
  if (config.databaseUrl) await refuseStrangers(config.databaseUrl);
  else if (existsSync(path.join(embedded, 'data'))) {
    const database = await startEmbedded(embedded, { signal: options.signal });
    try {
      await refuseStrangers(database.ownerUrl);
    } finally {
      await database.stop();
    }
  }
  return await startServer(config, options);
}

/** Never kept, and broken by the signal. */
const givenUp = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
  });

/** The whole product with the sandbox beside it, on the loopback: what `npm start`, the journeys and the pictures run. */
export async function startHatchway(options: StartOptions): Promise<Hatchway> {
  const giveBack = claimFolder(options.folder);
  const secret = secretOf(options.folder);
  const port = options.port === 0 ? await freePort() : options.port;
  const inbox = createInbox({ folder: path.join(options.folder, 'sandbox') });
  const vipps = createVipps({ folder: path.join(options.folder, 'sandbox') });
  const woo = createWoo({ folder: path.join(options.folder, 'sandbox'), demo: true });
  const directory = createDirectory({ folder: path.join(options.folder, 'sandbox'), demo: true });
  const tool = createTool({ folder: path.join(options.folder, 'sandbox'), demo: true });
  const smtp = await startSmtp(inbox, 0);
  const mqttPort = await freePort();
  const config = configFor(options, { port, mqttPort, smtpPort: smtp.port }, secret);
  const beside: ServerOptions['beside'] = async (app) => {
    mountInbox(app, inbox);
    mountVipps(app, vipps, { origin: config.publicUrl, drawQr: qrImage });
    mountWoo(app, woo, { origin: config.publicUrl });
    mountDirectory(app, directory, { origin: config.publicUrl });
    mountTool(app, tool, { origin: config.publicUrl });
    // the port is another one at each start, so what a cabinet was told when it was paired does not hold
    const folder = path.join(options.folder, 'sandbox', 'cabinets');
    await mountCabinets(app, { folder, origin: config.publicUrl, mqttUrl: `mqtt://127.0.0.1:${mqttPort}` });
  };
  const { passwordCost, pace, signal } = options;
  const more = {
    ...(passwordCost ? { passwordCost } : {}),
    ...(pace ? { pace } : {}),
    ...(signal ? { signal } : {}),
    ...(options.demo ? { demo: demoSignIns } : {}),
  };
  const server = await begin(config, { beside, ...more }).catch(async (error: unknown) => {
    await smtp.close();
    giveBack();
    throw error;
  });
  const stop = async () => {
    await server.stop();
    await smtp.close();
    giveBack();
  };
  const origin = config.publicUrl;
  try {
    if (options.demo && !readKept(options.folder)) {
      const { consumerKey, consumerSecret } = woo.store.addKey('Hatchway - API (demo)', 'read_write');
      const seeding = seed({
        origin,
        shop: { url: origin + WOO_SHOP, consumerKey, consumerSecret },
        operatorKey: config.operatorKey,
        directory: demoDirectory(directory),
        plugIn: (cabinet) => plugIn(origin, cabinet),
        actOn: (virtual, action) => actOn(origin, virtual, action),
      });
      const { demoKey } = await (signal ? Promise.race([seeding, givenUp(signal)]) : seeding);
      await seedPast(server.deps, new Date());
      writeKept(options.folder, { origin, demoKey });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, operatorKey: config.operatorKey, demoKey: readKept(options.folder)?.demoKey ?? null, stop };
}
