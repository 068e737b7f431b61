import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Identity, formOf } from '../context.ts';
import { countAttempt, forgetAttempts, LIMITS } from '../limits.ts';
import { BASE } from '../options.ts';
import { errorPage } from '../pages/outcome.ts';
import { replyPage } from '../pages/send.ts';
import { codePage, companyPage, signInPage, type Fault, type Missing } from '../pages/sign-in.ts';
import { companiesOf, readLogin } from '../people.ts';
import { directoryOf } from '../directory.ts';
import { type Interaction, interactionOf, type Progress, progressOf, remember } from '../progress.ts';
import { leaveForDirectory } from './directory.ts';

/** Any directory that a company here has connected. */
const ANY = 'organizations';
/** What a policy may call it, as identity providers are usually named. */
const DIRECTORIES = ['entra', 'microsoft', 'azuread'];

type Shown = { status?: number; fault?: Fault; missing?: Missing; login?: string };

/** Signing in: password, then the second factor where there is one, then the company where there are several. One address, one step at a time. */
export function signInRoutes(scope: FastifyInstance, identity: Identity): void {
  const { provider, run, credentials, tries, portalOrigins, now, log, entra, demo } = identity;
  // A form may end up at the directory.
  const formTargets = [...portalOrigins, ...(entra === null ? [] : [entra.loginOrigin])];

  /** The page of the step that is due; finishes the sign-in when none is. */
  async function step(request: FastifyRequest, reply: FastifyReply, interaction: Interaction, shown: Shown = {}): Promise<FastifyReply> {
    const common = { uid: interaction.uid, formTargets, hasDirectory: entra !== null, demo, ...shown };
    const locales = interaction.params.ui_locales as string | undefined;
    const { accountId, secondFactor, only } = progressOf(interaction);
    if (!accountId) {
      const login = shown.login ?? (interaction.params.login_hint as string | undefined) ?? '';
      return replyPage(request, reply, signInPage({ ...common, login }), locales);
    }
    if (!secondFactor && (await credentials.hasSecondFactor(accountId))) return replyPage(request, reply, codePage(common), locales);
    if (only !== undefined) return finish(request, reply, accountId, only, true);
    const companies = await run((tx) => companiesOf(tx, accountId));
    if (companies.length > 1) return replyPage(request, reply, companyPage({ ...common, companies }), locales);
    return finish(request, reply, accountId, companies[0]?.tenantId ?? null);
  }

  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    accountId: string,
    tenantId: string | null,
    byDirectory = false,
  ): Promise<FastifyReply> {
    log.info({ accountId, tenantId, byDirectory }, 'signed in');
    const result = { login: { accountId, remember: true }, company: { tenantId, byDirectory } };
    const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
    return reply.header('cache-control', 'no-store').redirect(next, 303);
  }

  async function takePassword(request: FastifyRequest, reply: FastifyReply, interaction: Interaction): Promise<FastifyReply> {
    const field = formOf(request);
    const typed = field('login').slice(0, 320);
    const password = field('password');
    if (entra !== null && field('by') === 'directory')
      return leaveForDirectory(identity, reply, interaction, { tid: ANY, loginHint: typed.trim() });
    const missing = [...(typed.trim() ? [] : (['login'] as const)), ...(password ? [] : (['password'] as const))];
    if (missing.length > 0) return step(request, reply, interaction, { status: 422, login: typed, missing });
    const { login, needsCountry } = await run((tx) => readLogin(tx, typed));
    const wait = await tries.password(request, login);
    if (wait !== null) {
      log.warn({ address: request.ip }, 'sign-in limit reached');
      reply.header('retry-after', wait * 60);
      return step(request, reply, interaction, { status: 429, login: typed, fault: (say) => say('tooMany', { minutes: wait }) });
    }
    const directory = entra === null ? null : await directoryOf(run, credentials, login);
    if (directory !== null) return leaveForDirectory(identity, reply, interaction, { tid: directory, loginHint: typed.trim() });
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
    await remember(interaction, { ...progressOf(interaction), accountId, secondFactor: true });
    return reply.redirect(`${BASE}/login/${interaction.uid}`, 303);
  }

  async function takeCompany(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    { accountId, secondFactor, only }: Progress,
  ): Promise<FastifyReply> {
    if (!accountId || only !== undefined || (!secondFactor && (await credentials.hasSecondFactor(accountId))))
      return step(request, reply, interaction);
    const wanted = formOf(request)('tenant');
    const companies = await run((tx) => companiesOf(tx, accountId));
    const chosen = companies.find((company) => company.tenantId === wanted);
    return chosen ? finish(request, reply, accountId, chosen.tenantId) : step(request, reply, interaction);
  }

  /** Late, or finished. */
  const over = (request: FastifyRequest, reply: FastifyReply) => replyPage(request, reply, errorPage('session_not_found', identity.portal));

  /**
   * From a page that is over, as by the browser's Back, whoever is signed in by now is led into the portal, and whoever is signed out by way of
   * it to a new sign-in. A browser that keeps no cookies would be led in circles: it is told.
   */
  const leadOn = (request: FastifyRequest, reply: FastifyReply) =>
    request.headers.cookie ? reply.header('cache-control', 'no-store').redirect(identity.portal, 303) : over(request, reply);

  scope.get<{ Params: { uid: string }; Querystring: { again?: string; lang?: string } }>(`${BASE}/login/:uid`, async (request, reply) => {
    const interaction = await interactionOf(provider, request, reply);
    if (!interaction) return leadOn(request, reply);
    const { login_hint: hint, kc_idp_hint: idp } = interaction.params as { login_hint?: string; kc_idp_hint?: string };
    // At once, as the policy says; and once, so that whoever comes back from there can come in another way.
    const isMeant = entra !== null && DIRECTORIES.includes(idp ?? '') && progressOf(interaction).accountId === undefined;
    if (isMeant && request.query.again === undefined && request.query.lang === undefined)
      return leaveForDirectory(identity, reply, interaction, { tid: ANY, loginHint: hint ?? '' });
    return step(request, reply, interaction);
  });

  scope.post<{ Params: { uid: string } }>(`${BASE}/login/:uid`, async (request, reply) => {
    const interaction = await interactionOf(provider, request, reply);
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
