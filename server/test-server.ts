import { randomBytes, randomUUID } from 'node:crypto';
import { ApiError, createClient, type Client } from '@hatchway/contract/client.ts';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import type { Config } from './config.ts';
import { query, testDatabase, type TestDatabase } from './db/test-database.ts';
import { problemsOf } from './http/openapi.ts';
import { QUICK } from './identity/passwords.ts';
import { startServer, type Server, type ServerOptions } from './main.ts';
import type { Pace } from './pace.ts';
import { freePort } from './db/ports.ts';

type Token = string | null | (() => Promise<string>);
/** A whole server on a database of its own, as `npm run serve` starts it, on loopback and free ports. */
export type TestServer = Server & {
  database: TestDatabase;
  operator: Client;
  as: (token: Token) => Client;
  url: string;
  /** Runs a step at another pace, for what begins to wait in it: one in which what the step waits for is the only thing that can come. */
  paced: <T>(pace: Partial<Pace>, step: () => Promise<T>) => Promise<T>;
};

const HOUR_S = 3600;
/** One try at once after the first; the next is the test's to make. A test shuts and opens within milliseconds what hands would in seconds. */
const TEST_PACE: Partial<Pace> = {
  bounceMs: 0,
  directoryMs: HOUR_S * 1000,
  againSeconds: [0, HOUR_S, HOUR_S, HOUR_S, HOUR_S, HOUR_S, HOUR_S],
};
/** For a step in which nothing answers: the doors of a cabinet that is to obey want longer on a busy machine. */
export const UNANSWERED: Partial<Pace> = { commandMs: 200, answerMs: 300 };
/** For a step that waits until silence has filled what lies behind a door. Where something is to be said before that, it is not for it. */
export const FILLS: Partial<Pace> = { fillSeconds: 0 };

const SECRET = 'test-secret-key-of-32-characters-or-more';
/** What the first server of this process made for itself; the next ones find it in their database. To make it takes a third of a start. */
let identityKeys: string | undefined;

export const testServer = async (
  options: ServerOptions & { config?: Partial<Config>; database?: TestDatabase; plansItself?: boolean } = {},
): Promise<TestServer> => {
  const database = options.database ?? (await testDatabase(options));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config: Config = {
    port,
    host: '127.0.0.1',
    publicUrl: url,
    secretKey: SECRET,
    operatorKey: 'op_test_operator_key',
    dataDir: '/nonexistent',
    databaseUrl: database.url,
    databaseOwnerUrl: null,
    databasePool: 8,
    natsUrl: null,
    mqttUrl: null,
    mqttListen: null,
    mqttPublicUrl: null,
    mqttPort: 0,
    keycloak: null,
    smtpUrl: null,
    smsUrl: null,
    smsFallbackUrl: null,
    newAddressesPerHour: 100_000,
    vippsUrl: null,
    entra: null,
    mailFrom: 'Hatchway <no-reply@hatchway.invalid>',
    logLevel: 'error',
    trustProxy: false,
    sandbox: true,
    sandboxPorts: [],
    ...options.config,
  };
  const own = options.database === undefined && config.secretKey === SECRET;
  if (own && identityKeys !== undefined)
    await query(database.ownerUrl, 'insert into identity_keys select * from json_populate_recordset(null::identity_keys, $1)', [
      identityKeys,
    ]);
  const server = await startServer(config, { passwordCost: QUICK, ...options, pace: { ...TEST_PACE, ...options.pace } });
  if (own && config.keycloak === null) identityKeys ??= JSON.stringify(await query(database.ownerUrl, 'select * from identity_keys'));
  const as = (token: Token) =>
    createClient({ base: `${url}/v1`, token: () => (typeof token === 'function' ? token() : token), onFailure: isDeclared });
  return {
    ...server,
    database,
    url,
    as,
    operator: as(config.operatorKey),
    paced: async (other, step) => {
      const { pace } = server.deps;
      const before = { ...pace };
      Object.assign(pace, other);
      try {
        return await step();
      } finally {
        Object.assign(pace, before);
      }
    },
    stop: async () => {
      await server.stop();
      if (!options.database) await database.close();
    },
  };
};

const specs = new Map<string, RouteSpec>(routes.map((route) => [`${route.method} ${route.path}`, route]));
/** Whatever a test is about: no call answers a code that the contract does not name for it, save where a test breaks the server itself. */
const isDeclared = (call: string, error: Error): void => {
  const code = error instanceof ApiError ? error.problem?.code : undefined;
  const spec = specs.get(call);
  if (code !== undefined && code !== 'defect' && spec !== undefined && !problemsOf(spec).has(code))
    throw new Error(`${call} answers ${code}, undeclared`);
};

const DAY = 24 * 3_600_000;
/** A clock that said noon (UTC) as it was made, and goes on from there: no day ends under a test, in Oslo neither. */
export const sinceNoon = (): (() => Date) => {
  const late = (Date.now() + DAY / 2) % DAY;
  return () => new Date(Date.now() - late);
};

export const unique = (): string => randomBytes(5).toString('hex');
export const newTenantId = (): string => randomUUID();
