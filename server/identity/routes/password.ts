import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Identity, formOf } from '../context.ts';
import { networkOf } from '../../http/network.ts';
import { countAttempt, LIMITS } from '../limits.ts';
import { linkOwner, newPasswordLink, spendLink } from '../links.ts';
import { changedMail, changedText, resetMail, resetText } from '../mails.ts';
import { BASE } from '../options.ts';
import { tooManyPage } from '../pages/outcome.ts';
import { deadLinkPage, forgottenPage, newPasswordPage, passwordSetPage } from '../pages/password.ts';
import { replyPage } from '../pages/send.ts';
import { passwordFault } from '../passwords.ts';
import { findAccount, findByLogin, readLogin, type Account } from '../people.ts';
import { endSessions } from '../sessions.ts';

type Link = { Params: { token: string } };

/**
 * Forgotten password: a mail with a link, or an SMS to whoever has a number alone; a page behind the link. Nothing here tells whether an
 * account exists.
 */
export function passwordRoutes(scope: FastifyInstance, identity: Identity): void {
  const { run, credentials, tries, now, log, portal, origin, sendMail, sendText } = identity;

  async function sendLink(login: string): Promise<void> {
    const made = await run(async (tx) => {
      const account = await findByLogin(tx, login);
      if (!account || account.disabled) return null;
      return { account, link: `${origin}${BASE}/password/${await newPasswordLink(tx, account.id, now())}` };
    });
    if (!made) return;
    const { account, link } = made;
    if (account.email) await sendMail(resetMail(account.email, account.locale, link));
    else if (account.tlf) await sendText(resetText(account.tlf, account.locale, link));
  }

  async function told({ email, tlf, locale }: Account): Promise<void> {
    const again = `${origin}${BASE}/forgotten`;
    if (email) await sendMail(changedMail(email, locale, again));
    else if (tlf) await sendText(changedText(tlf, locale, again));
  }

  scope.get(`${BASE}/forgotten`, (request, reply) => replyPage(request, reply, forgottenPage(portal)));

  scope.post(`${BASE}/forgotten`, async (request, reply) => {
    const typed = formOf(request)('login').slice(0, 320);
    if (!typed.trim()) return replyPage(request, reply, forgottenPage(portal, { status: 422, missing: true }));
    const { login, needsCountry } = await run((tx) => readLogin(tx, typed));
    const wait = await tries.link(request, login);
    if (wait !== null) {
      reply.header('retry-after', wait * 60);
      return replyPage(request, reply, forgottenPage(portal, { status: 429, fault: (say) => say('tooMany', { minutes: wait }) }));
    }
    // Not awaited: the answer takes the same time whether there is somebody to write to or not.
    sendLink(login).catch((error: unknown) => log.error({ err: error }, 'a password link could not be sent'));
    return replyPage(request, reply, forgottenPage(portal, { sent: needsCountry ? 'number' : true }));
  });

  /** The account whose link this is, or null after the visitor has been told that it works no more. */
  async function ownerOf(request: FastifyRequest<Link>, reply: FastifyReply): Promise<Account | null> {
    const account = await run(async (tx) => {
      const owner = await linkOwner(tx, request.params.token, now());
      return owner ? findAccount(tx, owner) : null;
    });
    if (account && !account.disabled) return account;
    const wait = await countAttempt(run, now(), [[LIMITS.linkMiss, networkOf(request.ip)]]);
    if (wait !== null) reply.header('retry-after', wait * 60);
    await replyPage(request, reply, wait === null ? deadLinkPage() : tooManyPage(wait, portal));
    return null;
  }

  scope.get<Link>(`${BASE}/password/:token`, async (request, reply) => {
    const account = await ownerOf(request, reply);
    return account ? replyPage(request, reply, newPasswordPage(request.params.token, account.email ?? account.tlf ?? '')) : reply;
  });

  scope.post<Link>(`${BASE}/password/:token`, async (request, reply) => {
    const account = await ownerOf(request, reply);
    if (!account) return reply;
    const { token } = request.params;
    const password = formOf(request)('password');
    const wrong = passwordFault(password, [account.email, account.tlf]);
    if (wrong)
      return replyPage(
        request,
        reply,
        newPasswordPage(token, account.email ?? account.tlf ?? '', (say) => say(`fault.${wrong}`)),
      );
    const hash = await credentials.hash(password);
    const done = await run(async (tx) => {
      if (!(await spendLink(tx, token, now()))) return false;
      await credentials.savePassword(tx, account.id, password, hash);
      await endSessions(tx, now(), account.id);
      return true;
    });
    if (!done) return replyPage(request, reply, deadLinkPage());
    await identity.told();
    // Whoever came by the link may sign in from here, however much others have tried.
    tries.know(
      request,
      reply,
      [account.email, account.tlf].filter((login) => login !== null),
    );
    told(account).catch((error: unknown) => log.error({ err: error }, 'a notice of a changed password could not be sent'));
    return replyPage(request, reply, passwordSetPage(portal));
  });
}
