import type { FastifyInstance } from 'fastify';
import { Problem } from '../../http/problem.ts';
import type { Follower } from '../../events/outbox.ts';
import type { Part } from '../../part.ts';
import { newInvitationToken } from '../invitations.ts';
import { AUDIENCE, BASE, PORTAL_PATH, PROTOCOL, type IdentityOptions } from '../options.ts';
import { pageFiles } from '../pages/files.ts';
import { takeForms } from '../pages/scope.ts';
import { companiesOf } from '../people.ts';
import type { MountedIdentity } from '../port.ts';
import { ProviderAway, publishedKeys } from '../published-keys.ts';
import { textSeal } from '../seal.ts';
import { createSessions, endSessions, startTellingEnded } from '../sessions.ts';
import { sweep } from '../store.ts';
import { inIdentity } from '../tables.ts';
import { createVerifier, type Verifier } from '../verify.ts';
import { createAdmin } from './admin.ts';
import { followChanges, lookAtAll } from './follow.ts';
import { startGuard } from './guard.ts';
import { invitationRoutes } from './invitation.ts';
import { logOutRoute } from './log-out.ts';
import { ask, waitingState } from './people.ts';
import { startTelling } from './tell.ts';

type Options = Omit<IdentityOptions, 'sandbox' | 'sendMail' | 'sendText' | 'passwordCost' | 'endUserSite'> & {
  /** Keycloak's address, without a slash at the end, and the secret of the realm's client `hatchway-server`. */
  keycloak: { url: string; secret: string };
  part: Part;
};

const SWEEP_MS = 10 * 60_000;

/**
 * Keycloak signs people in: its tokens are trusted by its published keys, and it is told of people, companies and rights as they change. The
 * database decides all the same, at each call; what is told is what tokens say.
 */
export async function mountKeycloak(app: FastifyInstance, options: Options): Promise<MountedIdentity & { follower: Follower }> {
  const { db, origin, portalOrigins, log, keycloak, part, now = () => new Date() } = options;
  const issuer = keycloak.url + BASE;
  const portal = (portalOrigins[0] ?? origin) + PORTAL_PATH;
  const run = inIdentity(db);
  const seal = textSeal(options.secretKey);
  const keys = publishedKeys(`${issuer}${PROTOCOL}/certs`, now);
  const admin = createAdmin({ ...keycloak, now });
  const guard = await startGuard(admin, log);
  const trusting = createVerifier({ issuer, audience: AUDIENCE, jwks: keys, accountIn: 'account_id', now });
  const verifier: Verifier = {
    ...trusting,
    verify: async (token) => {
      const fault = guard.fault();
      if (fault !== null) throw new ProviderAway(fault);
      return trusting.verify(token);
    },
  };
  const ended = startTellingEnded(run, now, log, options.onRevoked);
  const sessions = createSessions(run, now, ended.told, log);
  const telling = startTelling({ run, admin, seal, now, log, part });

  await app.register(async (scope) => {
    takeForms(scope, { origin, portal, log });
    invitationRoutes(scope, { run, admin, telling, seal, verifier, issuer, origin, portal, now, log });
    pageFiles(scope);
    // Where the embedded provider's pages were, for bookmarks and old mails.
    scope.get(`${BASE}/*`, (_request, reply) => reply.redirect(`${issuer}/account/`, 302));
  });
  await app.register(async (scope) => logOutRoute(scope, { issuer, keys, run, sessions, now }));

  const sweeper = setInterval(() => {
    sweep(run, now()).catch((error: unknown) => log.error({ err: error }, 'identity could not sweep'));
  }, SWEEP_MS).unref();
  const looked = lookAtAll(db, run, now).then(
    () => telling.wake(),
    (error: unknown) => log.error({ err: error }, 'people could not be looked at'),
  );
  app.addHook('onClose', async () => {
    clearInterval(sweeper);
    guard.stop();
    await looked;
    await telling.stop();
    await ended.stop();
  });

  /** Their id at Keycloak, which is told of them first where it was not yet. */
  const subjectOf = async (accountId: string): Promise<string> => {
    await run((tx) => ask(tx, [accountId], now()));
    if (!(await telling.now(accountId))) throw new Problem('unavailable', 'The identity provider is away', { retryAfter: 5 });
    const row = await run((tx) =>
      tx.selectFrom('identity_people').select('subject').where('account_id', '=', accountId).executeTakeFirstOrThrow(),
    );
    return row.subject ?? '';
  };

  return {
    issuer,
    verifier,
    follower: followChanges(now, () => telling.wake()),
    chooseCompany: async ({ accountId }, tenantId) => {
      const belongs = await run(async (tx) => {
        const companies = await companiesOf(tx, accountId);
        if (!companies.some((company) => company.tenantId === tenantId)) return false;
        await ask(tx, [accountId], now());
        await tx.updateTable('identity_people').set({ chosen_id: tenantId }).where('account_id', '=', accountId).execute();
        return true;
      });
      // The token is renewed next, and must be for it.
      if (belongs && !(await telling.now(accountId)))
        throw new Problem('unavailable', 'The identity provider is away; the company is chosen once it is back', { retryAfter: 5 });
      return belongs;
    },
    revoke: async ({ accountId, tenantId }) => {
      await run(async (tx) => {
        await endSessions(tx, now(), accountId, tenantId);
        await ask(tx, [accountId], now());
        let people = tx.updateTable('identity_people').set({ log_out: true }).where('account_id', '=', accountId);
        // Who is signed in for another company stays.
        if (tenantId) people = people.where('told_id', '=', tenantId);
        await people.execute();
      });
      log.info({ accountId, tenantId }, 'sign-ins ended');
      telling.wake();
      await ended.told();
    },
    revokedLately: () => sessions.revokedLately(),
    setPassword: async (accountId, password) => admin.setPassword(await subjectOf(accountId), password),
    removeSecondFactor: async (accountId) => admin.removeSecondFactor(await subjectOf(accountId)),
    newInvitationToken,
    inviteUrl: (token) => `${origin}${BASE}/invitations/${token}`,
    state: async () => {
      const state = await run(waitingState);
      return { provider: 'keycloak', ...state, lastError: guard.fault() ?? state.lastError };
    },
  };
}
