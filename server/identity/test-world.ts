import crypto from 'node:crypto';
import { normalEmail } from '@hatchway/domain/receiver.ts';
import Fastify from 'fastify';
import { type TestDatabase, testDatabase } from '../db/test-database.ts';
import { secureHeaders } from '../http/security.ts';
import { newId } from '../ids.ts';
import { freePort } from '../db/ports.ts';
import { mountIdentity } from './mount.ts';
import { AUDIENCE, type IdentityOptions, type Mail, type Ended, type Text } from './options.ts';
import { QUICK } from './passwords.ts';
import type { MountedIdentity } from './port.ts';
import { createVerifier, type Verifier } from './verify.ts';

/** A provider on a real port with a real database, and people to sign in. */
export type World = {
  database: TestDatabase;
  identity: MountedIdentity;
  /** What it was mounted with: for another node on the same database. */
  options: IdentityOptions;
  origin: string;
  /** As another program has it: by the published keys, and by the clock that tokens are made by, which no test moves. */
  verifier: Verifier;
  mails: Mail[];
  texts: Text[];
  revoked: Ended[];
  /** Moves the provider's clock; limits and one-time codes follow it. */
  later(minutes: number): void;
  /** Moves it to where attempts are counted anew, by the quarter of an hour: no test may run across its end. */
  newQuarter(): void;
  now(): Date;
  company(name: string, more?: { licenses?: string[]; suspended?: boolean }): Promise<string>;
  person(email: string, password?: string, more?: { name?: string; tlf?: string }): Promise<string>;
  member(tenantId: string, accountId: string, roles: string[]): Promise<void>;
  invite(
    tenantId: string,
    to: { email?: string; tlf?: string },
    roles: string[],
    more?: { state?: 'pending' | 'withdrawn'; expired?: boolean },
  ): Promise<string>;
  /** An invitation that goes both ways, with the link of each. */
  inviteBoth(tenantId: string, to: { email: string; tlf: string }, roles: string[]): Promise<{ mail: string; sms: string }>;
  close(): Promise<void>;
};

const silent = { info: () => {}, warn: () => {}, error: (data: object, message: string) => console.error(message, data) };

export async function startWorld(options: Partial<IdentityOptions> & { html?: Record<string, string> } = {}): Promise<World> {
  const database = await testDatabase();
  const { db } = database;
  const app = Fastify({ trustProxy: true });
  // As the whole server has it: what it forbids everywhere must not break these pages.
  secureHeaders(app, false);
  const mails: Mail[] = [];
  const texts: Text[] = [];
  const revoked: Ended[] = [];
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  // The port is known only once it listens, and the origin must be known before: so a free one is taken first.
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { html = {}, ...given } = options;
  for (const [address, body] of Object.entries(html))
    app.get(address, (_request, reply) =>
      reply
        .header('content-security-policy', "frame-src 'self'")
        .type(address.endsWith('.js') ? 'text/javascript' : 'text/html')
        .send(body),
    );
  const asked: IdentityOptions = {
    db,
    origin,
    portalOrigins: [origin],
    log: silent,
    secretKey: 'a secret of the tests',
    sendMail: async (mail) => void mails.push(mail),
    sendText: async (text) => void texts.push(text),
    now,
    passwordCost: QUICK,
    onRevoked: async (events) => {
      revoked.push(...events);
      return true;
    },
    ...given,
  };
  const identity = await mountIdentity(app, asked);
  await app.listen({ port, host: '127.0.0.1' });
  const stamps = () => ({ created_at: now().toISOString(), updated_at: now().toISOString() });

  const invited = async (
    tenantId: string,
    to: { email?: string; tlf?: string },
    roles: string[],
    { state = 'pending', expired = false }: { state?: 'pending' | 'withdrawn'; expired?: boolean } = {},
  ): Promise<{ mail?: string; sms?: string }> => {
    const mail = to.email === undefined ? null : identity.newInvitationToken(tenantId);
    const sms = to.tlf === undefined ? null : identity.newInvitationToken(tenantId);
    const row = {
      tenant_id: tenantId,
      id: newId(),
      email: to.email === undefined ? null : normalEmail(to.email),
      tlf: to.tlf ?? null,
      roles,
      state,
      mail_token_hash: mail?.hash ?? null,
      sms_token_hash: sms?.hash ?? null,
      invited_by_kind: 'system' as const,
      ...stamps(),
    };
    await db.tenant(tenantId, (tx) =>
      tx
        .insertInto('invitations')
        .values({ ...row, expires_at: new Date(now().getTime() + (expired ? -1000 : 86_400_000)).toISOString() })
        .execute(),
    );
    return { ...(mail && { mail: identity.inviteUrl(mail.token) }), ...(sms && { sms: identity.inviteUrl(sms.token) }) };
  };

  return {
    database,
    identity,
    options: asked,
    origin,
    mails,
    texts,
    revoked,
    verifier: createVerifier({ issuer: identity.issuer, audience: AUDIENCE }),
    later: (minutes) => void (ahead += minutes * 60_000),
    newQuarter: () => void (ahead += 900_000 - (now().getTime() % 900_000)),
    now,
    async company(name, { licenses = ['delivery'], suspended = false } = {}) {
      const id = crypto.randomUUID();
      await db.operator((tx) =>
        tx
          .insertInto('companies')
          .values({ id, name, licenses, suspended_at: suspended ? now().toISOString() : null, ...stamps() })
          .execute(),
      );
      return id;
    },
    async person(email, password = 'correct horse battery', { name = email, tlf } = {}) {
      const id = newId();
      await db.account(id, (tx) =>
        tx
          .insertInto('accounts')
          .values({ id, name, email, tlf: tlf ?? null, ...stamps() })
          .execute(),
      );
      await identity.setPassword(id, password);
      return id;
    },
    async member(tenantId, accountId, roles) {
      await db.tenant(tenantId, (tx) =>
        tx
          .insertInto('memberships')
          .values({ tenant_id: tenantId, id: newId(), account_id: accountId, roles, ...stamps() })
          .execute(),
      );
    },
    invite: async (tenantId, to, roles, more) => {
      const { mail, sms } = await invited(tenantId, to, roles, more);
      return mail ?? sms ?? '';
    },
    async inviteBoth(tenantId, to, roles) {
      const { mail = '', sms = '' } = await invited(tenantId, to, roles);
      return { mail, sms };
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
