import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { type Identity, formOf } from '../context.ts';
import { countAttempt, forgetAttempts, LIMITS } from '../limits.ts';
import { BASE } from '../options.ts';
import { errorPage } from '../pages/outcome.ts';
import { replyPage } from '../pages/send.ts';
import { codePage, companyPage, signInPage, type Fault, type Missing } from '../pages/sign-in.ts';
import { companiesOf, readLogin } from '../people.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** How far somebody has come on the way in; kept with the interaction until it is finished. */
type Progress = { accountId?: string; secondFactor?: boolean };

type Shown = { status?: number; fault?: Fault; missing?: Missing; login?: string };

/** Signing in: password, then the second factor where there is one, then the company where there are several. One address, one step at a time. */
export function signInRoutes(scope: FastifyInstance, identity: Identity): void {
  const { provider, run, credentials, tries, portalOrigins, now, log } = identity;

  const progressOf = (interaction: Interaction): Progress => {
    // Somebody who is signed in and only has to name a company is not asked for a password again.
    const signedIn = interaction.session?.accountId;
    if (signedIn && interaction.prompt.reasons.every((reason) => reason === 'company_needed'))
      return { accountId: signedIn, secondFactor: true };
    return (interaction.result?.progress as Progress | undefined) ?? {};
  };

  const remember = async (interaction: Interaction, progress: Progress) => {
    interaction.result = { progress };
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
  };

  /** The page of the step that is due; finishes the sign-in when none is. */
  async function step(request: FastifyRequest, reply: FastifyReply, interaction: Interaction, shown: Shown = {}): Promise<FastifyReply> {
    const common = { uid: interaction.uid, formTargets: portalOrigins, ...shown };
    const locales = interaction.params.ui_locales as string | undefined;
    const { accountId, secondFactor } = progressOf(interaction);
    if (!accountId) {
      const login = shown.login ?? (interaction.params.login_hint as string | undefined) ?? '';
      return replyPage(request, reply, signInPage({ ...common, login }), locales);
    }
    if (!secondFactor && (await credentials.hasSecondFactor(accountId))) return replyPage(request, reply, codePage(common), locales);
    const companies = await run((tx) => companiesOf(tx, accountId));
    if (companies.length > 1) return replyPage(request, reply, companyPage({ ...common, companies }), locales);
    return finish(request, reply, accountId, companies[0]?.tenantId ?? null);
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, accountId: string, tenantId: string | null): Promise<FastifyReply> {
    log.info({ accountId, tenantId }, 'signed in');
    const result = { login: { accountId, remember: true }, company: { tenantId } };
    const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
    return reply.header('cache-control', 'no-store').redirect(next, 303);
  }

  async function takePassword(request: FastifyRequest, reply: FastifyReply, interaction: Interaction): Promise<FastifyReply> {
    const field = formOf(request);
    const typed = field('login').slice(0, 320);
    const password = field('password');
    const missing = [...(typed.trim() ? [] : (['login'] as const)), ...(password ? [] : (['password'] as const))];
    if (missing.length > 0) return step(request, reply, interaction, { status: 422, login: typed, missing });
    const { login, needsCountry } = await run((tx) => readLogin(tx, typed));
    const wait = await tries.password(request, login);
    if (wait !== null) {
      log.warn({ address: request.ip }, 'sign-in limit reached');
      reply.header('retry-after', wait * 60);
      return step(request, reply, interaction, { status: 429, login: typed, fault: (say) => say('tooMany', { minutes: wait }) });
    }
    const account = await credentials.signIn(login, password.slice(0, 1000));
    if (!account)
      return step(request, reply, interaction, { status: 401, login: typed, fault: (say) => say(needsCountry ? 'wrongNumber' : 'wrong') });
    await tries.right(request, reply, login);
    await remember(interaction, { accountId: account.id });
    return reply.redirect(`${BASE}/login/${interaction.uid}`, 303);
  }

  async function takeCode(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    accountId: string,
  ): Promise<FastifyReply> {
    const code = formOf(request)('code');
    if (!code.trim()) return step(request, reply, interaction, { status: 422, missing: ['code'] });
    const wait = await countAttempt(run, now(), [[LIMITS.secondFactor, accountId]]);
    if (wait !== null) {
      reply.header('retry-after', wait * 60);
      return step(request, reply, interaction, { status: 429, fault: (say) => say('tooMany', { minutes: wait }) });
    }
    const right = await credentials.checkSecondFactor(accountId, code);
    if (!right) return step(request, reply, interaction, { status: 401, fault: (say) => say('codeWrong') });
    await run((tx) => forgetAttempts(tx, LIMITS.secondFactor, accountId));
    await remember(interaction, { accountId, secondFactor: true });
    return reply.redirect(`${BASE}/login/${interaction.uid}`, 303);
  }

  async function takeCompany(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    { accountId, secondFactor }: Progress,
  ): Promise<FastifyReply> {
    if (!accountId || (!secondFactor && (await credentials.hasSecondFactor(accountId)))) return step(request, reply, interaction);
    const wanted = formOf(request)('tenant');
    const companies = await run((tx) => companiesOf(tx, accountId));
    const chosen = companies.find((company) => company.tenantId === wanted);
    return chosen ? finish(request, reply, accountId, chosen.tenantId) : step(request, reply, interaction);
  }

  /** Late, or finished. */
  const over = (request: FastifyRequest, reply: FastifyReply) => replyPage(request, reply, errorPage('session_not_found', identity.portal));

  /** Whoever is signed in by now is led on from a page that is over, as by the browser's Back; anybody else is told. */
  async function leadOn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = await provider.Session.get(provider.createContext(request.raw, reply.raw));
    if (session.accountId) return reply.header('cache-control', 'no-store').redirect(identity.portal, 303);
    return over(request, reply);
  }

  /** The interaction that the browser's cookie belongs to. */
  async function interactionOf(request: FastifyRequest<{ Params: { uid: string } }>, reply: FastifyReply): Promise<Interaction | null> {
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => null);
    return interaction?.uid === request.params.uid ? interaction : null;
  }

  scope.get<{ Params: { uid: string } }>(`${BASE}/login/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply);
    return interaction ? step(request, reply, interaction) : leadOn(request, reply);
  });

  scope.post<{ Params: { uid: string } }>(`${BASE}/login/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply);
    // Never led on: what was typed may be another person's than the one who is signed in.
    if (!interaction) return over(request, reply);
    const progress = progressOf(interaction);
    const kind = formOf(request)('step');
    if (kind === 'restart') {
      // Also leaves "only the company is missing": whoever asks for another person is asked who they are.
      interaction.prompt = { ...interaction.prompt, reasons: ['no_session'] };
      await remember(interaction, {});
      return reply.redirect(`${BASE}/login/${interaction.uid}`, 303);
    }
    if (kind === 'company') return takeCompany(request, reply, interaction, progress);
    if (kind === 'code' && progress.accountId) return takeCode(request, reply, interaction, progress.accountId);
    return takePassword(request, reply, interaction);
  });
}
