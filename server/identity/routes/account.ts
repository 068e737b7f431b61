import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Identity, formOf } from '../context.ts';
import { countAttempt, forgetAttempts, LIMITS } from '../limits.ts';
import { BASE } from '../options.ts';
import { notSignedInPage, recoveryCodesPage, type Refused, securityPage, setUpFactorPage } from '../pages/account.ts';
import { replyPage } from '../pages/send.ts';
import type { Fault } from '../pages/sign-in.ts';
import { passwordFault } from '../passwords.ts';
import { findAccount, type Account } from '../people.ts';
import { otpauthAddress } from '../second-factor.ts';

type Here = { account: Account; sessionUid: string };

/** What was left empty is no attempt at a password: it is told beside the field, and not counted. */
function emptyOf<Name extends 'current' | 'password' | 'code'>(
  field: ReturnType<typeof formOf>,
  names: readonly Name[],
): { status: number; missing: Name[] } | null {
  const missing = names.filter((name) => field(name) === '');
  return missing.length > 0 ? { status: 422, missing } : null;
}

/** What a signed-in person may do to their own sign-in: change the password, set the second factor up and take it off. */
export function accountRoutes(scope: FastifyInstance, identity: Identity): void {
  const { provider, run, credentials, sessions, portal, now, log } = identity;

  async function here(request: FastifyRequest, reply: FastifyReply): Promise<Here | null> {
    const session = await provider.Session.get(provider.createContext(request.raw, reply.raw));
    const { accountId } = session;
    const account = accountId ? await run((tx) => findAccount(tx, accountId)) : null;
    if (account && !account.disabled) return { account, sessionUid: session.uid };
    await replyPage(request, reply, notSignedInPage(portal));
    return null;
  }

  /** What is wrong with the password that a change was confirmed with, or null. Counted like a sign-in. */
  async function doubt(account: Account, password: string): Promise<{ status: number; say: Fault } | null> {
    const wait = await countAttempt(run, now(), [[LIMITS.ownPassword, account.id]]);
    if (wait !== null) return { status: 429, say: (say) => say('tooMany', { minutes: wait }) };
    if (!(await credentials.passwordMatches(account.id, password))) return { status: 422, say: (say) => say('wrongPassword') };
    await run((tx) => forgetAttempts(tx, LIMITS.ownPassword, account.id));
    return null;
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    more: Partial<Parameters<typeof securityPage>[1]> = {},
  ) {
    const codesLeft = (await credentials.hasSecondFactor(account.id)) ? await credentials.recoveryCodesLeft(account.id) : null;
    return replyPage(request, reply, securityPage(portal, { login: account.email ?? account.tlf ?? '', codesLeft, ...more }));
  }

  scope.get(`${BASE}/account/security`, async (request, reply) => {
    const who = await here(request, reply);
    return who ? show(request, reply, who.account) : reply;
  });

  scope.post(`${BASE}/account/security`, async (request, reply) => {
    const who = await here(request, reply);
    if (!who) return reply;
    const { account } = who;
    const field = formOf(request);
    const change = field('change');
    const form = change === 'password' ? 'password' : 'factor';
    const missing = emptyOf(field, change === 'password' ? ['current', 'password'] : ['current']);
    if (missing) return show(request, reply, account, { wrong: { form, ...missing } });
    const doubted = await doubt(account, field('current'));
    if (doubted) return show(request, reply, account, { wrong: { form, ...doubted } });

    if (change === 'password') {
      const password = field('password');
      const fault = passwordFault(password, [account.email, account.tlf]);
      if (fault) return show(request, reply, account, { wrong: { form, status: 422, say: (say) => say(`fault.${fault}`) } });
      const hash = await credentials.hash(password);
      await run((tx) => credentials.savePassword(tx, account.id, password, hash));
      await sessions.revoke({ accountId: account.id }, { except: who.sessionUid });
      return show(request, reply, account, { changed: true });
    }
    if (!(await credentials.hasSecondFactor(account.id))) return show(request, reply, account);
    if (change === 'codes') return replyPage(request, reply, recoveryCodesPage(await credentials.renewRecoveryCodes(account.id)));
    if (change === 'off') {
      await credentials.removeSecondFactor(account.id);
      log.info({ accountId: account.id }, 'second factor turned off');
    }
    return show(request, reply, account);
  });

  scope.get(`${BASE}/account/second-factor`, async (request, reply) => {
    const who = await here(request, reply);
    return who ? setUp(request, reply, who.account) : reply;
  });

  scope.post(`${BASE}/account/second-factor`, async (request, reply) => {
    const who = await here(request, reply);
    if (!who) return reply;
    const field = formOf(request);
    const missing = emptyOf(field, ['current', 'code']);
    if (missing) return setUp(request, reply, who.account, missing);
    const doubted = await doubt(who.account, field('current'));
    if (doubted) return setUp(request, reply, who.account, doubted);
    const codes = await credentials.confirmSecondFactor(who.account.id, field('code'));
    if (!codes) return setUp(request, reply, who.account, { status: 422, say: (say) => say('codeWrong') });
    log.info({ accountId: who.account.id }, 'second factor turned on');
    return replyPage(request, reply, recoveryCodesPage(codes));
  });

  async function setUp(request: FastifyRequest, reply: FastifyReply, account: Account, wrong?: Refused): Promise<FastifyReply> {
    const secret = await credentials.beginSecondFactor(account.id);
    if (!secret) return reply.redirect(`${BASE}/account/security`, 303);
    const address = otpauthAddress(secret, account.email ?? account.tlf ?? account.name);
    const { toSVG } = await import('bwip-js/node');
    const qr = toSVG({ bcid: 'qrcode', text: address });
    return replyPage(request, reply, setUpFactorPage(secret, qr, wrong));
  }
}
