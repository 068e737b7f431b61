import { createHash, randomBytes, randomUUID } from 'node:crypto';
import formbody from 'node:querystring';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isLoopback } from '../loopback.ts';
import { sendPage, type Page } from '../pages.ts';
import { isBadDay } from './befall.ts';
import { DEMO_APP, type Directory } from './directory.ts';
import { nameOf, type Person, type Tenant } from './store.ts';

/**
 * The login host below `prefix`: admin consent, the code flow with PKCE, tokens and keys, by MicrosoftDocs/entra-docs
 * (docs/identity-platform/v2-admin-consent, v2-protocols-oidc, v2-oauth2-auth-code-flow, v2-oauth2-client-creds-grant-flow,
 * id-token-claims-reference). Nobody types a password: one chooses who one is.
 */

type Query = Record<string, string | undefined>;
type Code = { tid: string; oid: string; clientId: string; redirectUri: string; challenge: string; nonce: string | null; until: number };

/** Role templates, as every directory has them. */
const GLOBAL_ADMINISTRATOR = '62e90394-69f5-4237-9190-012177145e10';
const SCOPE = 'https://graph.microsoft.com/.default';
const CODE_MS = 10 * 60_000;

const isOnLoopback = (address: string): boolean => isLoopback(URL.parse(address)?.hostname ?? '');

const refusal = (error: string, code: number, text: string) => ({
  error,
  error_description: `AADSTS${code}: ${text} Trace ID: ${randomUUID()} Correlation ID: ${randomUUID()}`,
  error_codes: [code],
  timestamp: new Date().toISOString().slice(0, 19).replace('T', ' ').concat('Z'),
  trace_id: randomUUID(),
  correlation_id: randomUUID(),
});

export function mountLogin(app: FastifyInstance, directory: Directory, { prefix, address }: { prefix: string; address: string }): void {
  const { store, faults, tokens, now } = directory;
  const codes = new Map<string, Code>();
  const many = ['organizations', 'common'];

  /** Who may be chosen: of one directory, or of all. */
  const peopleOf = (name: string): Person[] =>
    many.includes(name) ? store.tenants().flatMap(({ tid }) => store.people(tid)) : store.people(store.tenant(name)?.tid ?? '');
  const wrongOf = ({ client_id: client, redirect_uri: back, ...query }: Query, names: readonly string[]): string | null => {
    if (client !== DEMO_APP.clientId) return `AADSTS700016: Application with identifier '${client ?? ''}' was not found in the directory.`;
    if (back === undefined || !isOnLoopback(back)) return 'AADSTS50011: The redirect URI does not match those that are registered.';
    const missing = names.find((name) => !query[name]);
    return missing === undefined ? null : `AADSTS900144: The request must contain the following parameter: '${missing}'.`;
  };
  const asPage = (names: readonly string[], page: Page) => async (request: { query: unknown; params: unknown }, reply: FastifyReply) => {
    const { tid } = request.params as { tid: string };
    const known = many.includes(tid) || store.tenant(tid) !== null;
    const wrong = known ? wrongOf(request.query as Query, names) : `AADSTS90002: Tenant '${tid}' not found.`;
    return wrong === null ? sendPage(reply, page) : reply.code(400).type('text/plain; charset=utf-8').send(wrong);
  };
  const back = (redirectUri: string, values: Record<string, string | undefined>): string => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(values)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  };

  const consentNames = ['scope'];
  const authorizeNames = ['response_type', 'scope', 'code_challenge'];
  app.get(`${prefix}/:tid/v2.0/adminconsent`, asPage(consentNames, 'directory-consent'));
  app.get(`${prefix}/:tid/oauth2/v2.0/authorize`, asPage(authorizeNames, 'directory-sign-in'));
  /** Whom the two pages above let one choose. */
  app.get<{ Params: { tid: string } }>(`${prefix}/:tid/people`, (request, reply) =>
    reply.header('cache-control', 'no-store').send(
      peopleOf(request.params.tid).map((one) => {
        const { id, userPrincipalName, accountEnabled, isAdmin } = one;
        return { id, name: nameOf(one), userPrincipalName, accountEnabled, isAdmin };
      }),
    ),
  );

  app.get<{ Params: { tid: string }; Querystring: Query }>(`${prefix}/:tid/consented`, (request, reply) => {
    const { query, params } = request;
    const wrong = wrongOf(query, consentNames);
    const tenant = store.tenant(params.tid);
    if (wrong !== null || tenant === null)
      return reply
        .code(400)
        .type('text/plain; charset=utf-8')
        .send(wrong ?? 'AADSTS90002: Tenant not found.');
    const { redirect_uri: redirectUri = '', client_id: clientId = '', state, answer } = query;
    if (answer !== 'accept') {
      const description = 'AADSTS65004: The resource owner or authorization server denied the request.';
      return reply.redirect(back(redirectUri, { admin_consent: 'True', error: 'consent_required', error_description: description, state }));
    }
    store.consent(tenant, clientId, true);
    const told = faults.take(['forged-tenant'], tenant.tid) ? (store.tenants().find(({ tid }) => tid !== tenant.tid)?.tid ?? randomUUID()) : tenant.tid; // prettier-ignore
    return reply.redirect(back(redirectUri, { admin_consent: 'True', tenant: told, scope: SCOPE, state }));
  });

  app.get<{ Params: { tid: string }; Querystring: Query }>(`${prefix}/:tid/signed-in`, (request, reply) => {
    const { query } = request;
    const wrong = wrongOf(query, authorizeNames);
    if (wrong !== null) return reply.code(400).type('text/plain; charset=utf-8').send(wrong);
    const { redirect_uri: redirectUri = '', client_id: clientId = '', state, nonce, code_challenge: challenge = '', oid = '' } = query;
    const person = peopleOf(request.params.tid).find(({ id }) => id === oid);
    if (!person) return reply.redirect(back(redirectUri, { error: 'access_denied', error_description: 'the user canceled the authentication', state })); // prettier-ignore
    if (!person.accountEnabled) return reply.code(400).type('text/plain; charset=utf-8').send('AADSTS50057: The user account is disabled.');
    const code = randomBytes(24).toString('base64url');
    codes.set(code, { tid: person.tid, oid, clientId, redirectUri, challenge, nonce: nonce ?? null, until: now() + CODE_MS });
    return reply.redirect(back(redirectUri, { code, state, session_state: randomUUID() }));
  });

  const issuer = (tid: string): string => `${address}/${tid}/v2.0`;
  const idToken = (person: Person, { clientId, nonce }: Code): string =>
    tokens.sign(
      {
        iss: issuer(person.tid),
        aud: clientId,
        tid: person.tid,
        oid: person.id,
        sub: createHash('sha256').update(`${clientId} ${person.id}`).digest('base64url'),
        name: nameOf(person),
        preferred_username: person.userPrincipalName,
        ...(nonce === null ? {} : { nonce }),
        ...(person.isAdmin ? { wids: [GLOBAL_ADMINISTRATOR] } : {}),
      },
      { isLying: faults.take(['lying-signature'], person.tid) !== null },
    );

  const forCode = (form: Query): { status: number; body: object } => {
    const code = codes.get(form['code'] ?? '');
    codes.delete(form['code'] ?? '');
    const invalid = (number: number, text: string) => ({ status: 400, body: refusal('invalid_grant', number, text) });
    if (!code || code.until < now()) return invalid(70008, 'The provided authorization code has expired or was used.');
    if (code.redirectUri !== form['redirect_uri']) return invalid(500112, 'The redirect URI is not the one that was asked with.');
    const challenge = createHash('sha256').update(form['code_verifier'] ?? '').digest('base64url'); // prettier-ignore
    if (challenge !== code.challenge) return invalid(501481, 'The Code_Verifier does not match the code_challenge.');
    const person = store.person(code.oid);
    if (!person || person.removed !== null || !person.accountEnabled) return invalid(50057, 'The user account is disabled.');
    const scope = 'openid profile';
    return { status: 200, body: { token_type: 'Bearer', scope, expires_in: 3599, ext_expires_in: 3599, access_token: tokens.sign({ aud: '00000003-0000-0000-c000-000000000000' }), id_token: idToken(person, code) } }; // prettier-ignore
  };

  const forClient = (tenant: Tenant | null, form: Query): { status: number; body: object } => {
    if (!tenant) return { status: 400, body: refusal('invalid_request', 90002, 'Tenant not found.') };
    if (form['scope'] !== SCOPE) return { status: 400, body: refusal('invalid_scope', 1002012, 'The scope is not valid.') };
    if (!tenant.consented.includes(DEMO_APP.clientId))
      return { status: 400, body: refusal('unauthorized_client', 700016, 'Application was not found in the directory.') };
    const token = tokens.sign({ iss: `https://sts.windows.net/${tenant.tid}/`, aud: 'https://graph.microsoft.com', appid: DEMO_APP.clientId, tid: tenant.tid, idtyp: 'app', roles: ['User.Read.All', 'Group.Read.All'] }); // prettier-ignore
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: token } };
  };

  void app.register((forms, _options, done) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, formbody.parse(String(body))));
    forms.post<{ Params: { tid: string } }>(`${prefix}/:tid/oauth2/v2.0/token`, async (request, reply) => {
      const form = (request.body ?? {}) as Query;
      const tenant = store.tenant(request.params.tid);
      if (await isBadDay(directory, tenant?.tid ?? null, request, reply)) return reply;
      const isApp = form['client_id'] === DEMO_APP.clientId && form['client_secret'] === DEMO_APP.clientSecret;
      if (!isApp) return reply.code(401).send(refusal('invalid_client', 7000215, 'Invalid client secret provided.'));
      const grant = form['grant_type'];
      const { status, body } =
        grant === 'authorization_code'
          ? forCode(form)
          : grant === 'client_credentials'
            ? forClient(tenant, form)
            : { status: 400, body: refusal('unsupported_grant_type', 70003, 'The grant type is not supported.') };
      return reply.code(status).header('cache-control', 'no-store').send(body);
    });
    done();
  });

  app.get<{ Params: { tid: string } }>(`${prefix}/:tid/v2.0/.well-known/openid-configuration`, (request, reply) => {
    const { tid } = request.params;
    const at = `${address}/${tid}`;
    return reply.send({
      issuer: many.includes(tid) ? issuer('{tenantid}') : issuer(store.tenant(tid)?.tid ?? tid),
      authorization_endpoint: `${at}/oauth2/v2.0/authorize`,
      token_endpoint: `${at}/oauth2/v2.0/token`,
      jwks_uri: `${at}/discovery/v2.0/keys`,
      response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    });
  });
  app.get<{ Params: { tid: string } }>(`${prefix}/:tid/discovery/v2.0/keys`, async (request, reply) => {
    if (await isBadDay(directory, store.tenant(request.params.tid)?.tid ?? null, request, reply)) return reply;
    return reply.send(tokens.jwks);
  });
}
