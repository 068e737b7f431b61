import crypto from 'node:crypto';
import { oneLine } from '@hatchway/domain/text.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { Problem } from '../../http/problem.ts';
import { formOf } from '../context.ts';
import { acceptInvitation, findInvitation, type Invitation } from '../invitations.ts';
import { BASE, PORTAL_CLIENT, PROTOCOL, type Log } from '../options.ts';
import { invitationPage, invitationToSignIn, passwordRefusedPage, welcomePage, welcomeSoonPage } from '../pages/invitation.ts';
import { errorPage } from '../pages/outcome.ts';
import { localeOf, replyPage } from '../pages/send.ts';
import { faultsOf, refuserOf, type Link } from '../routes/invitation.ts';
import type { TextSeal } from '../seal.ts';
import type { IdentityTx, InIdentity } from '../tables.ts';
import type { Verifier } from '../verify.ts';
import { KeycloakAway, type Admin } from './admin.ts';
import { ask } from './people.ts';
import type { Telling } from './tell.ts';

type Parts = {
  run: InIdentity;
  admin: Admin;
  telling: Telling;
  seal: TextSeal;
  verifier: Verifier;
  issuer: string;
  origin: string;
  portal: string;
  now: () => Date;
  log: Log;
};

const COOKIE = 'HATCHWAY_INVITATION';
const BACK = `${BASE}/invitations`;
const LASTS_S = 15 * 60;
const ANSWER_MS = 10_000;
const begunSchema = z.object({ token: z.string(), state: z.string(), verifier: z.string(), until: z.number() });
type Begun = z.infer<typeof begunSchema>;

/**
 * An invitation's link, at the address that it has with the embedded provider too. Somebody new chooses name and password here, and Keycloak
 * is told both; whoever has an account shows at Keycloak that it is theirs, and comes back.
 */
export function invitationRoutes(scope: FastifyInstance, parts: Parts): void {
  const { run, admin, telling, seal, verifier, issuer, origin, portal, now, log } = parts;
  const refuse = refuserOf(parts);
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  const cookieOf = (value: string, seconds: number) =>
    `${COOKIE}=${value}; Path=${BASE}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;

  const welcome = (request: FastifyRequest, reply: FastifyReply, { company }: Invitation, told: boolean): FastifyReply =>
    replyPage(request, reply, told ? welcomePage(company, portal) : welcomeSoonPage(company, portal));

  /** The realm may want more of a password than is asked here. Where it cannot be asked, they find out at their sign-in. */
  const hasPassword = async (accountId: string): Promise<boolean> => {
    const user = await admin.byAccount(accountId).catch(() => null);
    return user === null || admin.hasPassword(user.id).catch(() => true);
  };

  const accept = (
    token: string,
    { account }: Invitation,
    name: string,
    locale: string,
    more: (tx: IdentityTx, accountId: string) => Promise<unknown>,
  ): Promise<string | null> =>
    run(async (tx) => {
      // Read again, locked: of two presses one makes the membership.
      const invitation = await findInvitation(tx, token, now());
      if (invitation?.state !== 'pending' || invitation.account?.id !== account?.id) return null;
      const id = await acceptInvitation(tx, invitation, name, locale, now());
      if (id !== null) {
        await ask(tx, [id], now());
        await more(tx, id);
      }
      return id;
    });

  scope.get<Link>(`${BACK}/:token`, async (request, reply) => {
    const { token } = request.params;
    const found = await run((tx) => findInvitation(tx, token, now()));
    if (found?.state !== 'pending') return refuse(request, reply, found?.state);
    return replyPage(request, reply, found.account ? invitationToSignIn(token, found, false) : invitationPage(token, found));
  });

  scope.post<Link>(`${BACK}/:token`, async (request, reply) => {
    const { token } = request.params;
    const field = formOf(request);
    const [name, password] = [oneLine(field('name')), field('password')];
    const found = await run((tx) => findInvitation(tx, token, now()));
    if (found?.state !== 'pending') return refuse(request, reply, found?.state);
    if (found.account) return replyPage(request, reply, invitationToSignIn(token, found, false));
    const faults = faultsOf(name, password, found.login, false);
    if (faults) return replyPage(request, reply, invitationPage(token, found, { name, faults }));
    // With Keycloak away nothing is used up: the same link works once it is back.
    await admin.byUsername(found.login).catch((error: unknown) => {
      throw error instanceof KeycloakAway ? new Problem('unavailable') : error;
    });
    const locale = localeOf(request.url, request.headers);
    const id = await accept(token, found, name, locale, (tx, accountId) =>
      sql`update identity_people set password = ${seal.close(password)} where account_id = ${accountId}::uuid`.execute(tx),
    );
    if (id === null) {
      const left = await run((tx) => findInvitation(tx, token, now()));
      if (left?.state !== 'pending') return refuse(request, reply, left?.state);
      return replyPage(request, reply, left.account ? invitationToSignIn(token, left, false) : invitationPage(token, left));
    }
    log.info({ accountId: id, tenantId: found.tenantId }, 'invitation accepted');
    const told = await telling.now(id);
    if (told && !(await hasPassword(id))) return replyPage(request, reply, passwordRefusedPage(found.company, portal));
    return welcome(request, reply, found, told);
  });

  scope.get<Link & { Querystring: { again?: string } }>(`${BACK}/:token/sign-in`, async (request, reply) => {
    const { token } = request.params;
    const found = await run((tx) => findInvitation(tx, token, now()));
    if (found?.state !== 'pending') return refuse(request, reply, found?.state);
    const begun: Begun = {
      token,
      state: crypto.randomBytes(16).toString('base64url'),
      verifier: crypto.randomBytes(48).toString('base64url'),
      until: now().getTime() + LASTS_S * 1000,
    };
    const query = new URLSearchParams({
      client_id: PORTAL_CLIENT,
      redirect_uri: origin + BACK,
      response_type: 'code',
      scope: 'openid',
      state: begun.state,
      code_challenge: crypto.createHash('sha256').update(begun.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      login_hint: found.login,
      ui_locales: localeOf(request.url, request.headers) === 'nb' ? 'nb no' : 'en',
      ...(request.query.again === undefined ? {} : { prompt: 'login' }),
    });
    return reply
      .header('set-cookie', cookieOf(seal.close(JSON.stringify(begun)), LASTS_S))
      .header('cache-control', 'no-store')
      .redirect(`${issuer}${PROTOCOL}/auth?${query.toString()}`, 303);
  });

  const begunOf = (header = ''): Begun | null => {
    const sealed = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(header)?.[1];
    const text = sealed === undefined ? null : seal.open(sealed);
    const begun = text === null ? null : begunSchema.parse(JSON.parse(text));
    return begun && begun.until > now().getTime() ? begun : null;
  };

  /** Whose account signed in there; null where the code is worth nothing. */
  const signedIn = async (code: string, { verifier: code_verifier }: Begun): Promise<string | null> => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: PORTAL_CLIENT,
      redirect_uri: origin + BACK,
      code,
      code_verifier,
    });
    const answer = await fetch(`${issuer}${PROTOCOL}/token`, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => {
      throw new Problem('unavailable');
    });
    if (answer.status >= 500) throw new Problem('unavailable');
    const tokens = z.object({ access_token: z.string() }).safeParse(await answer.json().catch(() => null));
    if (!answer.ok || !tokens.success) return null;
    return verifier.verify(tokens.data.access_token).then(
      ({ sub }) => sub,
      () => '',
    );
  };

  scope.get<{ Querystring: { code?: string | string[]; state?: string | string[] } }>(BACK, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('set-cookie', cookieOf('', 0));
    const begun = begunOf(request.headers.cookie);
    const { code, state } = request.query;
    if (begun === null || typeof code !== 'string' || state !== begun.state)
      return replyPage(request, reply, errorPage('invalid_request', portal));
    const found = await run((tx) => findInvitation(tx, begun.token, now()));
    if (found?.state !== 'pending') return refuse(request, reply, found?.state);
    const accountId = await signedIn(code, begun);
    if (accountId === null) return replyPage(request, reply, errorPage('invalid_request', portal));
    if (accountId !== found.account?.id) return replyPage(request, reply, invitationToSignIn(begun.token, found, true));
    const id = await accept(begun.token, found, '', '', async () => undefined);
    if (id === null) return refuse(request, reply, (await run((tx) => findInvitation(tx, begun.token, now())))?.state);
    log.info({ accountId: id, tenantId: found.tenantId }, 'invitation accepted');
    return welcome(request, reply, found, await telling.now(id));
  });
}
