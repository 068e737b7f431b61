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
  IDENTITY_SECRET: z.string().optional(),
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
  /** The origin that people use, as a browser names it. */
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
  /** Keycloak, which signs people in instead of the provider in the process: its address, and the secret of the realm's client `hatchway-server`. */
  keycloak: { url: string; secret: string } | null;
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

const POSTGRES = /^postgres(ql)?:$/;
const BROKER = /^(mqtts?|wss?):$/;
/** Each may hold a login, so what is wrong with one is said without it. One of another scheme holds its login where nobody looks for it. */
const ADDRESSES = {
  DATABASE_URL: POSTGRES,
  DATABASE_OWNER_URL: POSTGRES,
  NATS_URL: /^(nats|tls|wss?):$/,
  MQTT_URL: BROKER,
  SMTP_URL: /^smtps?:$/,
  VIPPS_URL: /^https:$/,
} as const;

/** As anybody may know it: without a login, in whatever place. */
const isPlain = (url: URL | null, scheme: RegExp): boolean =>
  url !== null && scheme.test(url.protocol) && url.host !== '' && url.username + url.password + url.search + url.hash === '';
const isAddress = (text: string, scheme: RegExp): boolean => {
  const url = URL.parse(text);
  return url !== null && scheme.test(url.protocol) && (url.host !== '' || (scheme === POSTGRES && text.includes('://')));
};

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Half of it would leave one provider open to whoever thinks that the other decides. */
const identityFaults = ({ IDENTITY_URL: address, IDENTITY_SECRET: secret, PUBLIC_URL: own }: Environment): string[] => {
  if (!address) return secret ? ['IDENTITY_SECRET: belongs to IDENTITY_URL, which is not given'] : [];
  const faults: string[] = [];
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    faults.push("IDENTITY_URL: Keycloak's address, https and nothing behind its path: https://login.example.com");
  else if (/\/realms(\/|$)/.test(url.pathname)) faults.push('IDENTITY_URL: without /realms/…, which is always /realms/pml');
  // Invitations lie under /realms/pml here.
  else if (own && URL.parse(own)?.origin === url.origin && url.pathname === '/')
    faults.push('IDENTITY_URL: must be another address than PUBLIC_URL, or a path below it that the proxy in front hands to Keycloak');
  if ((secret ?? '').length < 24)
    faults.push("IDENTITY_SECRET: must be given, 24 characters or more: the secret of the realm's client hatchway-server");
  return faults;
};

/** The configuration of `npm run serve`. Throws Error with one line a fault, so that a start fails before anything is touched. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => {
  const parsed = environment.safeParse(env);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const e = parsed.data;
  if (e && !(/^https:\/\/[^/]+$/i.test(e.PUBLIC_URL ?? '') && isPlain(URL.parse(e.PUBLIC_URL ?? ''), /^https:$/)))
    faults.push('PUBLIC_URL: must be given, https and without a path: https://lockers.example.com');
  if (e && (e.SECRET_KEY ?? '').length < 32) faults.push('SECRET_KEY: must be given, 32 characters or more (it seals and signs; keep it)');
  if (e?.MQTT_LISTEN && !(e.MQTT_CERT && e.MQTT_KEY))
    faults.push('MQTT_LISTEN: MQTT_CERT and MQTT_KEY must name its certificate and key; there is no listening without TLS');
  for (const [key, scheme] of Object.entries(ADDRESSES) as [keyof typeof ADDRESSES, RegExp][])
    // of NATS several, with commas between them
    if (e?.[key] && !e[key].split(key === 'NATS_URL' ? ',' : /$/).every((text) => isAddress(text, scheme)))
      faults.push(`${key}: is no address that can be read: scheme://user:password@host:port, its scheme one of ${scheme.source}`);
  if (e?.MQTT_PUBLIC_URL && !isPlain(URL.parse(e.MQTT_PUBLIC_URL), BROKER))
    faults.push('MQTT_PUBLIC_URL: an address without a login, since every controller is told it: mqtts://lockers.example.com:8883');
  // Browsers are sent to the one.
  for (const key of ['ENTRA_LOGIN_URL', 'ENTRA_GRAPH_URL'] as const)
    if (e && !isPlain(URL.parse(e[key]), /^https:$/)) faults.push(`${key}: https, and without a login: https://login.example.com`);
  for (const key of ['SMS_URL', 'SMS_FALLBACK_URL'] as const) {
    const fault = e?.[key] ? readSmsAddress(e[key]) : null;
    if (typeof fault === 'string') faults.push(`${key}: ${fault}`);
    else if (fault && fault.wire !== 'http' && fault.base.startsWith('http:'))
      faults.push(`${key}: ${fault.wire}:// leads to its maker, and not to this machine`);
  }
  if (e?.SMS_FALLBACK_URL && !e.SMS_URL) faults.push('SMS_FALLBACK_URL: is the second gateway; SMS_URL must name the first');
  if (e && Boolean(e.ENTRA_CLIENT_ID) !== Boolean(e.ENTRA_CLIENT_SECRET))
    faults.push('ENTRA_CLIENT_ID, ENTRA_CLIENT_SECRET: the one is nothing without the other');
  if (e?.NATS_URL && !(e.DATABASE_URL && e.MQTT_URL))
    faults.push('NATS_URL: several processes share DATABASE_URL and MQTT_URL; a broker in each would hear half of the cabinets');
  if (e) faults.push(...identityFaults(e));
  if (!e || faults.length > 0) throw new Refusal(`The server cannot start:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return {
    port: e.PORT,
    host: e.HOST,
    publicUrl: URL.parse(e.PUBLIC_URL ?? '')?.origin ?? '',
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
    keycloak: e.IDENTITY_URL ? { url: withoutSlash(e.IDENTITY_URL), secret: e.IDENTITY_SECRET ?? '' } : null,
    smtpUrl: e.SMTP_URL ?? null,
    smsUrl: e.SMS_URL ?? null,
    smsFallbackUrl: e.SMS_FALLBACK_URL ?? null,
    vippsUrl: e.VIPPS_URL ? withoutSlash(e.VIPPS_URL) : null,
    entra:
      e.ENTRA_CLIENT_ID && e.ENTRA_CLIENT_SECRET
        ? {
            clientId: e.ENTRA_CLIENT_ID,
            clientSecret: e.ENTRA_CLIENT_SECRET,
            loginUrl: withoutSlash(e.ENTRA_LOGIN_URL),
            graphUrl: withoutSlash(e.ENTRA_GRAPH_URL),
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
