import crypto from 'node:crypto';
import Provider, { errors, interactionPolicy, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { accessClaims, type Mint, mintFor, personClaims } from './claims.ts';
import type { Keys } from './keys.ts';
import { AUDIENCE, BASE, LIFE, type Log, PORTAL_CLIENT, PORTAL_PATH, PROTOCOL } from './options.ts';
import { errorPage, failureCode, logoutPage, notFoundPage, signedOutPage } from './pages/outcome.ts';
import { companiesOf } from './people.ts';
import { sendPage } from './pages/send.ts';
import { sessionCompany, type Sessions } from './sessions.ts';
import { storeAdapter } from './store.ts';
import type { InIdentity } from './tables.ts';

type ProviderParts = {
  origin: string;
  portalOrigins: string[];
  run: InIdentity;
  keys: Keys;
  sessions: Sessions;
  now: () => Date;
  log: Log;
};

/** What the tokens are for, inside the provider; resources must be named by an address, and the token says AUDIENCE. */
const RESOURCE = 'urn:hatchway:api';
const SCOPES = 'openid profile email phone offline_access';

type Ending = { uid: string; accountId?: string; destroyed?: boolean };

export function createProvider(parts: ProviderParts): Provider {
  const { origin, portalOrigins, sessions, log } = parts;
  const provider = new Provider(origin + BASE, configuration(parts));
  // The mount hands the configured origin over as forwarded headers, so addresses never depend on what a caller sends.
  provider.proxy = true;

  // What fails while a session is saved, past the provider's own pages, would be answered in Koa's words and without any of our headers.
  Object.assign(provider.context, {
    onerror(this: KoaContextWithOIDC, error: Error | null) {
      if (!error || this.headerSent || !this.writable) return;
      log.error({ err: error }, 'identity provider failed');
      sendPage(this, errorPage(failureCode(error), portalOrigins[0] ?? '/'));
      this.res.end(this.body);
    },
  });

  // An address that is none answers a person with a page of ours; a program reads the status alone.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status === 404 && !ctx.body && ctx.accepts('json', 'html') === 'html') sendPage(ctx, notFoundPage(portalOrigins[0] ?? '/'));
  });

  // keycloak-js decodes the refresh token as a JWT before it uses it. Ours is opaque to everybody; it only has to look like one.
  Object.assign(provider.RefreshToken.prototype, { generateTokenId: refreshTokenId });

  // People are sent back to the screen that they came for: any address below /portal/ of a known origin, or the cabinet they stand at.
  const ours = (address: string) => returnsToUs(address, portalOrigins);
  provider.Client.prototype.redirectUriAllowed = ours;
  provider.Client.prototype.postLogoutRedirectUriAllowed = ours;

  // Signed out: the session goes with the word that it is over, in one transaction of ours, before the person is answered.
  Object.assign(provider.Session.prototype, {
    async destroy(this: Ending) {
      await sessions.ended(this.uid, this.accountId ?? null);
      this.destroyed = true;
    },
  });
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error }, 'identity provider failed');
    const code = failureCode(error);
    if (code === 'server_error') return;
    ctx.status = 503;
    ctx.set('retry-after', '2');
    if (typeof ctx.body === 'object') ctx.body = { error: code };
  });
  const refused = (_ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) =>
    log.info({ code: error.error, detail: error.error_description }, 'identity request refused');
  provider.on('authorization.error', refused).on('grant.error', refused).on('end_session.error', refused);
  return provider;
}

function refreshTokenId(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ typ: 'Refresh' })}.${crypto.randomBytes(32).toString('base64url')}`;
}

/** `/c/` and a cabinet's number: where people without a link sign in to borrow. */
const CABINET_PATH = /^\/c\/[0-9A-Za-z-]{1,12}$/;

function returnsToUs(address: string, portalOrigins: string[]): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username || url.password || url.hash || !portalOrigins.includes(url.origin)) return false;
  return url.pathname === PORTAL_PATH.slice(0, -1) || url.pathname.startsWith(PORTAL_PATH) || CABINET_PATH.test(url.pathname);
}

function configuration({ portalOrigins, run, keys, sessions, now }: ProviderParts): Configuration {
  const portals = portalOrigins.map((one) => one + PORTAL_PATH);
  // A request that mints asks twice, for the account and for the token's claims: once for both.
  const minted = new WeakMap<object, Promise<Mint | null>>();
  const mint = (ctx: KoaContextWithOIDC, accountId: string, sessionUid: string | undefined) => {
    if (!sessionUid) return mintFor(run, accountId, undefined, now());
    const known = minted.get(ctx) ?? mintFor(run, accountId, sessionUid, now());
    minted.set(ctx, known);
    return known;
  };
  return {
    adapter: storeAdapter(run, now),
    jwks: { keys: keys.signing },
    clients: [
      {
        client_id: PORTAL_CLIENT,
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: portals,
        post_logout_redirect_uris: portals,
      },
    ],
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: SCOPES.split(' '),
    claims: { openid: ['sub', 'sid'], profile: ['name', 'preferred_username', 'locale'], email: ['email'], phone: ['phone_number'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    // Of Keycloak's own: to which provider somebody is sent at once.
    extraParams: ['kc_idp_hint'],

    // Called for a session, a code and a refresh token; without an account the last two are refused with 400.
    async findAccount(ctx, sub, token) {
      const found = await mint(ctx, sub, token && 'sessionUid' in token ? token.sessionUid : undefined);
      return found ? { accountId: sub, claims: async () => ({ sub, ...personClaims(found) }) } : undefined;
    },
    async extraTokenClaims(ctx, token) {
      if (token.kind !== 'AccessToken' || !('accountId' in token)) return undefined;
      const found = await mint(ctx, token.accountId, token.sessionUid);
      if (!found) throw new errors.InvalidGrant('the account or its membership is gone');
      return accessClaims(found, token.clientId ?? PORTAL_CLIENT, token.sessionUid);
    },
    async issueRefreshToken(_ctx, client) {
      return client.grantTypeAllowed('refresh_token');
    },
    expiresWithSession: async () => true,
    // Two tabs share one session and may refresh at the same moment; the token is bound to that session and dies with it.
    rotateRefreshToken: false,

    // Our own portal needs nobody's consent: a grant is made when there is none. The session is known here for the first
    // time after a sign-in, so this is also where the company chosen on the page is tied to it.
    async loadExistingGrant(ctx) {
      const { client, session, result } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const chosen = result?.company as { tenantId: string | null; byDirectory: boolean } | undefined;
      if (chosen) await sessions.started(session.uid, session.accountId, chosen.tenantId, chosen.byDirectory);
      const grantId = session.grantIdFor(client.clientId);
      const known = grantId ? await ctx.oidc.provider.Grant.find(grantId) : undefined;
      if (known) return known;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPES);
      grant.addResourceScope(RESOURCE, 'api');
      await grant.save();
      return grant;
    },
    interactions: { url: (_ctx, interaction) => `${BASE}/login/${interaction.uid}`, policy: policy(run) },

    features: {
      devInteractions: { enabled: false },
      // Served by ourselves: the tokens are for the API, and this endpoint takes them too.
      userinfo: { enabled: false },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: AUDIENCE,
          accessTokenTTL: LIFE.accessToken,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      rpInitiatedLogout: {
        enabled: true,
        // Who comes from the portal with its own id token meant it; anybody else is asked, so that no page can sign people out.
        logoutSource: (ctx, form) => sendPage(ctx, logoutPage(form, ctx.oidc.entities.IdTokenHint !== undefined, portalOrigins)),
        postLogoutSuccessSource: (ctx) => sendPage(ctx, signedOutPage(portals[0] ?? '/')),
      },
    },
    routes: {
      authorization: `${PROTOCOL}/auth`,
      token: `${PROTOCOL}/token`,
      jwks: `${PROTOCOL}/certs`,
      end_session: `${PROTOCOL}/logout`,
      revocation: `${PROTOCOL}/revoke`,
    },
    ttl: {
      AccessToken: LIFE.accessToken,
      AuthorizationCode: LIFE.code,
      IdToken: LIFE.accessToken,
      RefreshToken: LIFE.session,
      // From the sign-in on, however often it is used: what begins in the morning ends at night.
      Session: (_ctx, session) => Math.max(1, LIFE.session - (session.loginTs ? Math.floor(Date.now() / 1000) - session.loginTs : 0)),
      Grant: LIFE.session,
      Interaction: LIFE.interaction,
    },
    clientBasedCORS: (_ctx, from) => portalOrigins.includes(from),
    cookies: {
      keys: keys.cookies,
      names: { session: 'HATCHWAY_SESSION', interaction: 'HATCHWAY_SIGN_IN', resume: 'HATCHWAY_RESUME' },
      long: { sameSite: 'lax', httpOnly: true, path: '/' },
      // No path: each sign-in keeps its cookie to its own address, so that two tabs do not disturb each other.
      short: { sameSite: 'lax', httpOnly: true },
    },
    async renderError(ctx, out, error) {
      sendPage(ctx, errorPage(out.error === 'server_error' ? failureCode(error) : out.error, portals[0] ?? '/'));
    },
  };
}

/** The usual reasons to sign in, no consent, and one of ours: whoever belongs to several companies has to say which one. */
function policy(run: InIdentity) {
  const prompts = interactionPolicy.base();
  prompts.remove('consent');
  const reasons = prompts.get('login')?.checks;
  reasons?.add(
    new interactionPolicy.Check('account_gone', 'the account is gone or disabled', 'login_required', ({ oidc }) =>
      Boolean(oidc.session?.accountId && !oidc.account),
    ),
  );
  reasons?.add(
    new interactionPolicy.Check('directory_over', 'the company whose directory it was is over for them', async ({ oidc }) => {
      const { accountId, uid } = oidc.session ?? {};
      if (!accountId || !uid) return interactionPolicy.Check.NO_NEED_TO_PROMPT;
      const isOver = await run(async (tx) => {
        const session = await sessionCompany(tx, uid);
        if (!session?.byDirectory) return false;
        return !(await companiesOf(tx, accountId)).some(({ tenantId }) => tenantId === session.tenantId);
      });
      return isOver ? interactionPolicy.Check.REQUEST_PROMPT : interactionPolicy.Check.NO_NEED_TO_PROMPT;
    }),
  );
  reasons?.add(
    new interactionPolicy.Check('company_needed', 'a company must be chosen', async (ctx) => {
      const { session } = ctx.oidc;
      const accountId = session?.accountId;
      if (!accountId) return interactionPolicy.Check.NO_NEED_TO_PROMPT;
      const open = await run(async (tx) => {
        const companies = await companiesOf(tx, accountId);
        const { tenantId: chosen, byDirectory } = (await sessionCompany(tx, session.uid)) ?? { tenantId: null, byDirectory: false };
        // Nothing is left to choose: who came by a company's directory comes in anew.
        if (byDirectory) return false;
        return chosen ? !companies.some((company) => company.tenantId === chosen) : companies.length > 1;
      });
      return open ? interactionPolicy.Check.REQUEST_PROMPT : interactionPolicy.Check.NO_NEED_TO_PROMPT;
    }),
  );
  return prompts;
}
