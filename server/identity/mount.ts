import formbody from 'node:querystring';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Identity, keepOwnReferrer, refuseForeignForms } from './context.ts';
import { startRelay } from '../events/relay.ts';
import { problemOf } from '../http/errors.ts';
import { Problem, statusOf } from '../http/problem.ts';
import { textOf } from '../http/text.ts';
import { createCredentials } from './credentials.ts';
import { newInvitationToken } from './invitations.ts';
import { loadKeys } from './keys.ts';
import { AUDIENCE, BASE, type IdentityOptions, NUL, PORTAL_PATH } from './options.ts';
import { STRONG } from './passwords.ts';
import { createProvider } from './provider.ts';
import { pageFiles } from './pages/files.ts';
import { errorPage, failureCode } from './pages/outcome.ts';
import { replyPage } from './pages/send.ts';
import { accountRoutes } from './routes/account.ts';
import { directoryRoutes } from './routes/directory.ts';
import { invitationRoutes } from './routes/invitation.ts';
import { passwordRoutes } from './routes/password.ts';
import { protocolRoutes } from './routes/protocol.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { textSeal } from './seal.ts';
import { createSessions, tellEnded, type Sessions } from './sessions.ts';
import { sweep } from './store.ts';
import { endWeakSessions } from './weak.ts';
import { inIdentity } from './tables.ts';
import { createTries } from './tries.ts';
import { createVerifier, type Verifier } from './verify.ts';

/** The bytes behind each %: what is no UTF-8 would be read as other characters than were typed. */
const isEncodedUtf8 = (form: string): boolean => {
  try {
    decodeURIComponent(form);
    return true;
  } catch {
    return false;
  }
};

export type MountedIdentity = {
  issuer: string;
  /** Of access tokens, for the whole process: what is told to it is refused everywhere. */
  verifier: Verifier;
  /** The next token refresh is for that company. False when the person does not belong to it. */
  chooseCompany: Sessions['choose'];
  /** Ends an account's sign-ins, or those for one company: after disabling, after a membership was withdrawn. */
  revoke(person: { accountId: string; tenantId?: string }): Promise<void>;
  /** What `onRevoked` told within the life of a token, also to nodes that were not there to hear it. */
  revokedLately: Sessions['revokedLately'];
  /** For seed and operator. A password that breaks the rules works in a sandbox only. */
  setPassword(accountId: string, password: string): Promise<void>;
  /** For somebody who lost phone and recovery codes, once whoever runs the service knows who they are. */
  removeSecondFactor(accountId: string): Promise<void>;
  /** A secret for an invitation of this company; the row keeps the hash. */
  newInvitationToken: typeof newInvitationToken;
  inviteUrl(token: string): string;
};

/** A line between the nodes that was cut keeps nobody waiting for longer at the end of their sign-in. */
const PATIENCE_MS = 1_000;
const SWEEP_MS = 10 * 60_000;

/** Puts the whole provider under /realms/pml. Everything that must survive a restart, or that another node must know, lies in the database. */
export async function mountIdentity(app: FastifyInstance, options: IdentityOptions): Promise<MountedIdentity> {
  const {
    db,
    origin,
    portalOrigins,
    log,
    sendMail,
    sendText,
    sandbox = false,
    entra = null,
    passwordCost: cost = STRONG,
    now = () => new Date(),
  } = options;
  const run = inIdentity(db);
  const seal = textSeal(options.secretKey);
  const keys = await loadKeys(run, seal, now());
  const credentials = createCredentials(run, seal, now, { sandbox, cost });
  const tries = createTries(run, seal, now, origin.startsWith('https:'));
  const { onRevoked = async () => true } = options;
  const relay = startRelay(
    () => tellEnded(run, now, onRevoked),
    (error) => log.error({ err: error }, 'ended sign-ins could not be told'),
  );
  const told = () => Promise.race([relay.wake(), wait(PATIENCE_MS, undefined, { ref: false })]);
  const sessions = createSessions(run, now, told, log);
  const provider = createProvider({ origin, portalOrigins, run, keys, sessions, now, log });
  const portal = (portalOrigins[0] ?? origin) + PORTAL_PATH;
  const identity: Identity = {
    provider,
    run,
    credentials,
    sessions,
    tries,
    told,
    origin,
    portal,
    portalOrigins,
    sendMail,
    sendText,
    sandbox,
    entra,
    now,
    log,
  };
  const verifier = createVerifier({ issuer: origin + BASE, audience: AUDIENCE, jwks: keys.jwks, now });
  if (!sandbox) await endWeakSessions(run, now());

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: 16_384 },
      (request, bytes: Buffer, done) => {
        const body = textOf(bytes, request.headers['content-type']);
        if (NUL.test(body) || !isEncodedUtf8(body)) done(new Problem('malformed'));
        else done(null, formbody.parse(body));
      },
    );
    scope.addHook('preHandler', refuseForeignForms(origin));
    scope.addHook('onSend', keepOwnReferrer);
    scope.setErrorHandler((error, request, reply) => {
      const { code } = problemOf(error);
      const ours = statusOf(code) >= 500;
      if (ours) log.error({ err: error }, 'a page of the identity provider failed');
      const theirs = code === 'malformed' ? code : 'invalid_request';
      return replyPage(request, reply, errorPage(ours ? failureCode(error) : theirs, portal));
    });
    signInRoutes(scope, identity);
    directoryRoutes(scope, identity);
    passwordRoutes(scope, identity);
    invitationRoutes(scope, identity);
    accountRoutes(scope, identity);
    pageFiles(scope);
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    protocolRoutes(scope, identity, verifier);
  });

  const sweeper = setInterval(() => {
    sweep(run, now()).catch((error: unknown) => log.error({ err: error }, 'identity could not sweep'));
  }, SWEEP_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(sweeper);
    await relay.stop();
  });

  return {
    issuer: origin + BASE,
    verifier,
    chooseCompany: (who, tenantId) => sessions.choose(who, tenantId),
    revoke: (person) => sessions.revoke(person),
    revokedLately: () => sessions.revokedLately(),
    setPassword: (accountId, password) => credentials.setPassword(accountId, password),
    removeSecondFactor: (accountId) => credentials.removeSecondFactor(accountId),
    newInvitationToken,
    inviteUrl: (token) => `${origin}${BASE}/invitations/${token}`,
  };
}
