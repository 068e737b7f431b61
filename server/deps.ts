import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import type { Devices } from './devices/devices.ts';
import type { IdentityState } from './identity/port.ts';
import type { Verifier } from './identity/verify.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Metrics } from './http/metrics.ts';
import type { Outbox } from './events/outbox.ts';
import type { Outside } from './outside/fetch.ts';
import type { Entra } from './providers/entra.ts';
import type { Pace } from './pace.ts';
import type { Seal } from './seal.ts';

/** What modules work with. Made once in main.ts; tests make the same with a database of their own. */
export type Deps = {
  config: Config;
  log: Logger;
  db: Db;
  bus: Bus;
  now: () => Date;
  pace: Pace;
  seal: Seal;
  verify: Verifier['verify'];
  devices: Devices;
  jobs: Jobs;
  outbox: Outbox;
  metrics: Metrics;
  identity: IdentityPort;
  /** The one way to an address that a customer named. */
  outside: Outside;
  /** The operator's application at Microsoft; null: none is registered. */
  entra: Entra | null;
};

/** What the API asks of the identity provider: of the embedded one, or of Keycloak through its admin API. */
type IdentityPort = {
  issuer: string;
  /** The next refresh of this session's token is for that company. */
  chooseCompany: (session: string | null, accountId: string, tenantId: string) => Promise<boolean>;
  /** Ends a person's sign-ins for one company: their refresh fails, their tokens and sockets are refused from now on. */
  endSignIns: (accountId: string, tenantId: string) => Promise<void>;
  /** How far a provider outside has been told. */
  state: () => Promise<IdentityState>;
  /** Where an invited person accepts, and the hash that the invitation is found by. */
  newInvitation: (tenantId: string) => { url: string; tokenHash: Buffer };
};
