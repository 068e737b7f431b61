import type { Db } from '../db/database.ts';
import type { Entra } from '../providers/entra.ts';
import type { PasswordCost } from './passwords.ts';
import type { Locale } from './words.ts';

export type Mail = { to: string; subject: string; text: string; html: string };
export type Text = { to: string; text: string };

/** Somebody's right to be here ended: tokens that are out already must be refused, and live connections closed. */
export type Revoked =
  | { kind: 'session'; sessionUid: string; accountId: string }
  | { kind: 'account'; accountId: string }
  | { kind: 'membership'; accountId: string; tenantId: string };

/** `at`: the last moment (ms) at which a token that it ends may have been made; whoever signed in later, before it was told, stays. */
export type Ended = Revoked & { at: number };

/** Longer than any access token lives (5 min here, Keycloak's realm says the same): after that, nothing is left to be refused. */
export const REVOKED_FOR_MS = 15 * 60_000;

export type Log = {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
};

/** Somebody who signs in with one press, where everybody may know their password. */
export type DemoPerson = { login: string; password: string; name: string; what: Readonly<Record<Locale, string>> };

export type IdentityOptions = {
  db: Db;
  /** Public origin that the provider is reached at, without a slash at the end. */
  origin: string;
  /** Origins that serve `/portal/`; sign-in and sign-out return to addresses below it and nowhere else. */
  portalOrigins: string[];
  log: Log;
  /** Seals signing keys, cookie secrets and second factors. */
  secretKey: string;
  sendMail: (mail: Mail) => Promise<void>;
  /** To whoever has a number alone. */
  sendText: (text: Text) => Promise<void>;
  now?: () => Date;
  /** Lets people sign in with passwords that break the rules (demo people). Never in production. */
  sandbox?: boolean;
  /** Whom the sign-in page of a sandbox offers, in this order. */
  demo?: readonly DemoPerson[];
  /** By which people of connected directories sign in; null: the operator registered no application. */
  entra?: Entra | null;
  /** Of a password's hash; STRONG unless given, and never less where people's own passwords are. */
  passwordCost?: PasswordCost;
  /** Where people without a company are sent from our pages; `origin` + "/" unless given. */
  endUserSite?: string;
  /** Tells all nodes; false where it may not have reached them, and is to be told again. Told at least once, after the commit. */
  onRevoked?: (events: Ended[]) => Promise<boolean>;
};

const REALM = 'pml';
export const BASE = `/realms/${REALM}`;
export const PROTOCOL = '/protocol/openid-connect';
export const PORTAL_CLIENT = 'pml-internal-portal';
export const AUDIENCE = 'hatchway-api';
export const PORTAL_PATH = '/portal/';
/** In an address or a form: no column holds it, and nobody typed it. */
// oxlint-disable-next-line no-control-regex -- naming it is the point
export const NUL = /%00|\u0000/;

/** Seconds. A working day at the counter without signing in twice; the access token is a copy of rights for five minutes at most. */
export const LIFE = { accessToken: 300, session: 12 * 3600, interaction: 1800, code: 60, resetLink: 3600 } as const;
