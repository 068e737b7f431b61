import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { DestinationStream } from 'pino';
import { mountApp, newApp } from './app.ts';
import { GAP, openBus } from './bus.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { onlyProcess } from './db/single.ts';
import { openStore } from './db/store.ts';
import type { Deps } from './deps.ts';
import { startDevices } from './devices/devices.ts';
import { eventsClientId } from './devices/kept-events.ts';
import { startOutbox } from './events/outbox.ts';
import { createMetrics } from './http/metrics.ts';
import { openFrontend } from './http/pages.ts';
import { mountKeycloak } from './identity/keycloak/mount.ts';
import { mountIdentity } from './identity/mount.ts';
import type { DemoPerson, Ended } from './identity/options.ts';
import type { PasswordCost } from './identity/passwords.ts';
import type { MountedIdentity } from './identity/port.ts';
import { startJobs } from './jobs/start.ts';
import { newLog } from './log.ts';
import { believedOnline, cabinetCredentials } from './modules/cabinets/credentials.ts';
import { hearFact } from './modules/cabinets/facts.ts';
import { relayWebhooks } from './modules/webhooks/relay.ts';
import { openEntra } from './providers/entra.ts';
import { createOutside } from './outside/fetch.ts';
import { newPart } from './part.ts';
import { PACE, type Pace } from './pace.ts';
import { createMailer } from './providers/mail.ts';
import { createTexter } from './providers/sms.ts';
import { createSeal } from './seal.ts';
import { EXIT_AGAIN } from './start-fault.ts';

export type Server = {
  origin: string;
  deps: Deps;
  app: ReturnType<typeof newApp>;
  setPassword: (accountId: string, password: string) => Promise<void>;
  stop: () => Promise<void>;
};
export type ServerOptions = {
  /** Clock of every rule; tests move it. */
  now?: () => Date;
  /** How long it waits; tests alone set another than PACE. */
  pace?: Partial<Pace>;
  /** Of a password's hash; tests alone ask for less than what holds without it. */
  passwordCost?: PasswordCost;
  /** Whom the sign-in page of a sandbox offers. */
  demo?: readonly DemoPerson[];
  /** Where the log goes instead of standard output. */
  logTo?: DestinationStream;
  /** Mounts what stands beside the product (the sandbox's pages) before it listens. */
  beside?: (app: ReturnType<typeof newApp>) => void | Promise<void>;
  /** Gives the start up: it throws the signal's reason, and what was started by then is stopped. */
  signal?: AbortSignal;
};

const REVOKED = 'revoked';
/** What cannot say goodbye to a part that is away keeps the process no longer. */
const LAST_WORDS_MS = 15_000;

const brokerOf = ({ mqttPort, mqttListen: listen }: Config) =>
  listen === null
    ? { port: mqttPort }
    : {
        listen: { host: listen.host, port: listen.port, cert: readFileSync(listen.certFile), key: readFileSync(listen.keyFile) },
      };

/** Starts a whole server: database, broker, identity, jobs, HTTP. What was started is stopped again when a later part fails. */
export const startServer = async (config: Config, options: ServerOptions = {}): Promise<Server> => {
  const started: (() => Promise<unknown> | void)[] = [];
  const stop = async () => {
    const failed: unknown[] = [];
    // One that cannot be stopped, its database being away, keeps none of the others running.
    for (const end of started.splice(0).toReversed()) await (async () => end())().catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  };
  const begun = (end: () => Promise<unknown> | void) => {
    started.push(end);
    options.signal?.throwIfAborted();
  };
  try {
    return await start(config, options, begun, stop);
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
};

const start = async (
  config: Config,
  options: ServerOptions,
  begun: (end: () => Promise<unknown> | void) => void,
  stop: () => Promise<void>,
): Promise<Server> => {
  const log = newLog(config.logLevel, options.logTo, () => database.away);
  const database = newPart('database', log);
  const now = options.now ?? (() => new Date());
  const pace: Pace = { ...PACE, ...options.pace };
  const state = { stopping: false };

  const giveUp = (why: string) => {
    log.fatal(why);
    process.exitCode = EXIT_AGAIN;
    setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
    void stop().catch(() => {});
  };
  const downForGood = (why: string) => giveUp(`PostgreSQL does not stay up, see ${config.dataDir}/pg/postgres.log: stopping. ${why}`);
  const store = await openStore(config, log, downForGood, options.signal);
  begun(() => store.stop());
  const overtaken = () => giveUp('another process serves this database now: stopping');
  const single = await onlyProcess(store.appUrl, overtaken, { shared: config.natsUrl !== null });
  begun(() => single.release());
  const db = openDatabase(store.appUrl, {
    max: config.databasePool,
    part: database,
    onConnection: store.onConnection,
    disk: newPart('room on the disk of the database', log),
  });
  begun(() => db.close());

  const bus = await openBus(config.natsUrl, log);
  begun(() => bus.close());
  const metrics = createMetrics();
  const app = newApp({ config, log, metrics });

  const onRevoked = async (events: Ended[]) => {
    for (const event of events) bus.publish(REVOKED, event);
    return bus.flush();
  };
  const { sandbox, secretKey, publicUrl: origin } = config;
  const given = { db, log, now, origin, portalOrigins: [origin], secretKey, onRevoked };
  const outside = createOutside(config.sandboxPorts);
  const entra = config.entra === null ? null : openEntra(outside, config.entra, now);
  const keycloak = config.keycloak
    ? await mountKeycloak(app, { ...given, keycloak: config.keycloak, part: newPart('identity provider', log) })
    : null;
  const identity: MountedIdentity =
    keycloak ??
    (await mountIdentity(app, {
      ...given,
      sandbox,
      entra,
      sendMail: createMailer(config, log),
      sendText: createTexter(config, outside, log),
      ...(options.demo ? { demo: options.demo } : {}),
      ...(options.passwordCost ? { passwordCost: options.passwordCost } : {}),
    }));
  const { verifier } = identity;
  const revoke = (event: Ended) => verifier.revoke(event, event.at);
  bus.subscribe(REVOKED, (event) => revoke(event as Ended));
  const catchUp = async () => {
    for (const event of await identity.revokedLately()) revoke(event);
  };
  await catchUp();
  const catchUpLater = () => void catchUp().catch((error: unknown) => log.error({ err: error }, 'what was revoked meanwhile was not read'));
  bus.subscribe(GAP, catchUpLater);
  // Nobody tells it then, and it holds at every node all the same.
  const whileAway = setInterval(() => bus.away && catchUpLater(), pace.catchUpMs);
  begun(() => clearInterval(whileAway));

  const unread = (error: unknown) => log.error({ err: error }, 'the outbox could not be read');
  const outbox = startOutbox(db, bus, unread, keycloak?.follower);
  // Parts that need each other meet in `deps`: what is set below is there before the first request or message is taken.
  const deps = {
    config,
    log,
    db,
    bus,
    now,
    pace,
    metrics,
    outbox,
    seal: createSeal(config.secretKey),
    outside,
    entra,
    verify: (token: string) => verifier.verify(token),
    identity: {
      issuer: identity.issuer,
      chooseCompany: (session: string | null, accountId: string, tenantId: string) =>
        identity.chooseCompany({ accountId, ...(session ? { sessionUid: session } : {}) }, tenantId),
      endSignIns: (accountId: string, tenantId: string) => identity.revoke({ accountId, tenantId }),
      state: () => identity.state(),
      newInvitation: (tenantId: string) => {
        const { token, hash } = identity.newInvitationToken(tenantId);
        return { url: identity.inviteUrl(token), tokenHash: hash };
      },
    },
  } as unknown as Deps;
  deps.jobs = await startJobs(deps, store.appUrl);
  relayWebhooks(deps);
  begun(() => deps.jobs.stop());
  deps.devices = await startDevices({
    ...(config.mqttUrl ? { url: config.mqttUrl } : { embedded: brokerOf(config) }),
    ...(config.mqttPublicUrl ? { publicUrl: config.mqttPublicUrl } : {}),
    // Of several processes none has a name that it comes back with.
    ...(config.natsUrl ? {} : { keepAs: eventsClientId(config.publicUrl) }),
    credentials: cabinetCredentials(db),
    believedOnline: () => believedOnline(db),
    onFact: (fact) => hearFact(deps, fact),
    pace,
    log,
  });
  begun(() => deps.devices.stop());
  begun(() => outbox.stop());

  const root = path.join(import.meta.dirname, '..');
  const pages = { portal: openFrontend(path.join(root, 'portal/dist')), pickup: openFrontend(path.join(root, 'pickup/dist')) };
  await options.beside?.(app);
  await mountApp(app, deps, pages, state);
  await app.listen({ port: config.port, host: config.host });
  // Told to stop: answers what is under way, takes nothing new; then the parts, the last started first.
  begun(async () => {
    state.stopping = true;
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  log.info({ port }, 'listening');
  return {
    origin: config.publicUrl,
    deps,
    app,
    setPassword: (accountId: string, password: string) => identity.setPassword(accountId, password),
    stop,
  };
};
