import { z } from 'zod';
import { readSmsAddress } from './providers/sms-address.ts';
import { Refusal } from './start-fault.ts';

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

/** Every key that the server reads of the environment, with its default: no .env is needed. docs/operations.md explains each. */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: z.string().optional(),
  SECRET_KEY: z.string().optional(),
  OPERATOR_KEY: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().optional(),
  /** The owner's login for migrations, where it is another than DATABASE_URL's. */
  DATABASE_OWNER_URL: z.string().optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  NATS_URL: z.string().optional(),
  MQTT_URL: z.string().optional(),
  MQTT_LISTEN: z
    .string()
    .regex(/^.+:\d+$/, 'host:port')
    .optional(),
  MQTT_CERT: z.string().optional(),
  MQTT_KEY: z.string().optional(),
  MQTT_PUBLIC_URL: z.string().optional(),
  MQTT_PORT: z.coerce.number().int().min(0).max(65_535).default(1883),
  IDENTITY_URL: z.string().optional(),
  SMTP_URL: z.string().optional(),
  SMS_URL: z.string().optional(),
  SMS_FALLBACK_URL: z.string().optional(),
  VIPPS_URL: z.string().optional(),
  ENTRA_CLIENT_ID: z.string().optional(),
  ENTRA_CLIENT_SECRET: z.string().optional(),
  ENTRA_LOGIN_URL: z.string().default('https://login.microsoftonline.com'),
  ENTRA_GRAPH_URL: z.string().default('https://graph.microsoft.com'),
  NEW_ADDRESSES_PER_HOUR: z.coerce.number().int().min(1).max(1_000_000).default(200),
  MAIL_FROM: z.string().default('Hatchway <no-reply@hatchway.invalid>'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  TRUST_PROXY: flag,
});

export type EntraConfig = { clientId: string; clientSecret: string; loginUrl: string; graphUrl: string };

export type Config = {
  port: number;
  host: string;
  /** The address that people use, without a slash at the end. */
  publicUrl: string;
  secretKey: string;
  operatorKey: string;
  dataDir: string;
  databaseUrl: string | null;
  databaseOwnerUrl: string | null;
  databasePool: number;
  natsUrl: string | null;
  mqttUrl: string | null;
  /** Where the broker in the process takes controllers from outside, always with TLS; null: loopback alone. */
  mqttListen: { host: string; port: number; certFile: string; keyFile: string } | null;
  /** Where controllers reach the broker, as pairing tells them; null: the broker's own address, without its login. */
  mqttPublicUrl: string | null;
  mqttPort: number;
  smtpUrl: string | null;
  /** By its scheme: a gateway of the operator's own, Sveve, LINK Mobility or Twilio (providers/sms-address.ts). */
  smsUrl: string | null;
  /** Where an SMS goes that the first gateway has surely not taken. */
  smsFallbackUrl: string | null;
  /** Where Vipps MobilePay's wire is spoken instead of at its own addresses, without a slash at the end; null: at those. */
  vippsUrl: string | null;
  /** The application by which companies let us read their Microsoft directories; null: the operator registered none. */
  entra: EntraConfig | null;
  /** To so many addresses that it never wrote to may a company write in an hour. */
  newAddressesPerHour: number;
  mailFrom: string;
  logLevel: string;
  trustProxy: boolean;
  /** Demo people and the sandbox's own ports are allowed: `npm start` alone. */
  sandbox: boolean;
  /** Where the server may fetch from the loopback for a customer (outside/fetch.ts): the sandbox's own ports; none in production. */
  sandboxPorts: readonly number[];
};

type Environment = z.infer<typeof environment>;
const listenOf = (e: Environment): Config['mqttListen'] => {
  if (!e.MQTT_LISTEN || !e.MQTT_CERT || !e.MQTT_KEY) return null;
  const at = e.MQTT_LISTEN.lastIndexOf(':');
  return {
    host: e.MQTT_LISTEN.slice(0, at),
    port: Number(e.MQTT_LISTEN.slice(at + 1)),
    certFile: e.MQTT_CERT,
    keyFile: e.MQTT_KEY,
  };
};

/** Each may hold a login, so what is wrong with one is said without it. */
const ADDRESSES = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'NATS_URL',
  'MQTT_URL',
  'SMTP_URL',
  'VIPPS_URL',
  'ENTRA_LOGIN_URL',
  'ENTRA_GRAPH_URL',
] as const;

/** Of a broker, as anybody may know it. */
const isPlainAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^(mqtts?|wss?):$/.test(url.protocol) && url.username === '' && url.password === '';
};

/** The configuration of `npm run serve`. Throws Error with one line a fault, so that a start fails before anything is touched. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => {
  const parsed = environment.safeParse(env);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const e = parsed.data;
  if (e && !/^https:\/\/[^/]+$/.test(e.PUBLIC_URL ?? ''))
    faults.push('PUBLIC_URL: must be given, https and without a path: https://lockers.example.com');
  if (e && (e.SECRET_KEY ?? '').length < 32) faults.push('SECRET_KEY: must be given, 32 characters or more (it seals and signs; keep it)');
  if (e?.MQTT_LISTEN && !(e.MQTT_CERT && e.MQTT_KEY))
    faults.push('MQTT_LISTEN: MQTT_CERT and MQTT_KEY must name its certificate and key; there is no listening without TLS');
  for (const key of ADDRESSES)
    if (e?.[key] && !URL.canParse(e[key])) faults.push(`${key}: is no address that can be read: scheme://user:password@host:port`);
  for (const key of ['SMS_URL', 'SMS_FALLBACK_URL'] as const) {
    const fault = e?.[key] ? readSmsAddress(e[key]) : null;
    if (typeof fault === 'string') faults.push(`${key}: ${fault}`);
    else if (fault && fault.wire !== 'http' && fault.base.startsWith('http:'))
      faults.push(`${key}: ${fault.wire}:// leads to its maker, and not to this machine`);
  }
  if (e?.SMS_FALLBACK_URL && !e.SMS_URL) faults.push('SMS_FALLBACK_URL: is the second gateway; SMS_URL must name the first');
  if (e?.MQTT_PUBLIC_URL && !isPlainAddress(e.MQTT_PUBLIC_URL))
    faults.push('MQTT_PUBLIC_URL: an address without a login, since every controller is told it: mqtts://lockers.example.com:8883');
  if (e?.VIPPS_URL && URL.parse(e.VIPPS_URL)?.protocol !== 'https:') faults.push('VIPPS_URL: must begin with https://');
  for (const key of ['ENTRA_LOGIN_URL', 'ENTRA_GRAPH_URL'] as const)
    if (e && URL.parse(e[key])?.protocol !== 'https:') faults.push(`${key}: must begin with https://`);
  if (e && Boolean(e.ENTRA_CLIENT_ID) !== Boolean(e.ENTRA_CLIENT_SECRET))
    faults.push('ENTRA_CLIENT_ID, ENTRA_CLIENT_SECRET: the one is nothing without the other');
  if (e?.NATS_URL && !(e.DATABASE_URL && e.MQTT_URL))
    faults.push('NATS_URL: several processes share DATABASE_URL and MQTT_URL; a broker in each would hear half of the cabinets');
  // Left aside in silence, it would keep the provider in the process open to whoever thinks that Keycloak decides.
  if (e?.IDENTITY_URL) faults.push('IDENTITY_URL: another identity provider than the one in the process is not served yet');
  if (!e || faults.length > 0) throw new Refusal(`The server cannot start:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return {
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL ?? '',
    secretKey: e.SECRET_KEY ?? '',
    operatorKey: e.OPERATOR_KEY ?? '',
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL ?? null,
    databaseOwnerUrl: e.DATABASE_OWNER_URL ?? null,
    databasePool: e.DATABASE_POOL,
    natsUrl: e.NATS_URL ?? null,
    mqttUrl: e.MQTT_URL ?? null,
    mqttListen: listenOf(e),
    mqttPublicUrl: e.MQTT_PUBLIC_URL ?? null,
    mqttPort: e.MQTT_PORT,
    smtpUrl: e.SMTP_URL ?? null,
    smsUrl: e.SMS_URL ?? null,
    smsFallbackUrl: e.SMS_FALLBACK_URL ?? null,
    vippsUrl: e.VIPPS_URL?.replace(/\/+$/, '') ?? null,
    entra:
      e.ENTRA_CLIENT_ID && e.ENTRA_CLIENT_SECRET
        ? {
            clientId: e.ENTRA_CLIENT_ID,
            clientSecret: e.ENTRA_CLIENT_SECRET,
            loginUrl: e.ENTRA_LOGIN_URL.replace(/\/+$/, ''),
            graphUrl: e.ENTRA_GRAPH_URL.replace(/\/+$/, ''),
          }
        : null,
    newAddressesPerHour: e.NEW_ADDRESSES_PER_HOUR,
    mailFrom: e.MAIL_FROM,
    logLevel: e.LOG_LEVEL,
    trustProxy: e.TRUST_PROXY,
    sandbox: false,
    sandboxPorts: [],
  };
};
