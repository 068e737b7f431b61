import type { FastifyInstance } from 'fastify';
import type { Identity } from './context.ts';
import { createCredentials } from './credentials.ts';
import { newInvitationToken } from './invitations.ts';
import { loadKeys } from './keys.ts';
import { AUDIENCE, BASE, type IdentityOptions, PORTAL_PATH } from './options.ts';
import { STRONG } from './passwords.ts';
import { createProvider } from './provider.ts';
import { pageFiles } from './pages/files.ts';
import { takeForms } from './pages/scope.ts';
import type { MountedIdentity } from './port.ts';
import { accountRoutes } from './routes/account.ts';
import { directoryRoutes } from './routes/directory.ts';
import { invitationRoutes } from './routes/invitation.ts';
import { passwordRoutes } from './routes/password.ts';
import { protocolRoutes } from './routes/protocol.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { textSeal } from './seal.ts';
import { createSessions, startTellingEnded } from './sessions.ts';
import { sweep } from './store.ts';
import { endWeakSessions } from './weak.ts';
import { inIdentity } from './tables.ts';
import { createTries } from './tries.ts';
import { createVerifier } from './verify.ts';

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
    demo = [],
    entra = null,
    passwordCost: cost = STRONG,
    now = () => new Date(),
  } = options;
  const run = inIdentity(db);
  const seal = textSeal(options.secretKey);
  const keys = await loadKeys(run, seal, now());
  const credentials = createCredentials(run, seal, now, { sandbox, cost });
  const tries = createTries(run, seal, now, origin.startsWith('https:'));
  const telling = startTellingEnded(run, now, log, options.onRevoked);
  const { told } = telling;
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
    demo: sandbox ? demo : [],
    entra,
    now,
    log,
  };
  const verifier = createVerifier({ issuer: origin + BASE, audience: AUDIENCE, jwks: keys.jwks, now });
  if (!sandbox) await endWeakSessions(run, now());

  await app.register(async (scope) => {
    takeForms(scope, identity);
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
    await telling.stop();
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
    state: async () => ({ provider: 'embedded', waiting: 0, waitingSince: null, lastToldAt: null, lastError: null }),
  };
}
