import crypto from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { headersOf } from '../../http/security.ts';
import { accessClaims, mintFor } from '../claims.ts';
import { BASE, NUL, PORTAL_CLIENT, PROTOCOL } from '../options.ts';
import { errorPage } from '../pages/outcome.ts';
import { replyPage } from '../pages/send.ts';
import type { Identity } from '../context.ts';
import type { Verifier } from '../verify.ts';

/** Addresses that keycloak-js expects of a Keycloak and oidc-provider does not have. */
export function protocolRoutes(scope: FastifyInstance, identity: Identity, verifier: Verifier): void {
  const { provider, portalOrigins, run, now } = identity;
  const at = BASE + PROTOCOL;

  /** A page for a frame inside the portal: a script and nothing else. */
  const frame = (reply: FastifyReply, script: string) => {
    const hash = crypto.createHash('sha256').update(script).digest('base64');
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'; frame-ancestors ${portalOrigins.join(' ')}`,
      })
      .send(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Hatchway</title><script>${script}</script></html>`);
  };

  // The adapter asks whether the provider's cookies reach a frame. Ours is one site with the portal, so they do.
  scope.get(`${at}/3p-cookies/step1.html`, (_request, reply) => frame(reply, `parent.postMessage('supported','*')`));

  scope.get(`${at}/login-status-iframe.html`, (_request, reply) => frame(reply, STATUS_SCRIPT));

  scope.get<{ Querystring: { client_id?: string; origin?: string; sid?: string } }>(
    `${at}/login-status-iframe.html/init`,
    async (request, reply) => {
      const { client_id: client, origin, sid } = request.query;
      reply.header('cache-control', 'no-store');
      if (client !== PORTAL_CLIENT || !origin || !portalOrigins.includes(origin)) return reply.code(403).send();
      const session = await provider.Session.get(provider.createContext(request.raw, reply.raw));
      return reply.code((session.accountId ? session.uid : '') === (sid ?? '') ? 204 : 200).send();
    },
  );

  // keycloak-js writes the scheme in lower case.
  const bearer = async (header = '') => (/^bearer /i.test(header) ? verifier.verify(header.slice(7)).catch(() => null) : null);

  const cors = (reply: FastifyReply, origin: string | undefined) => {
    reply.header('vary', 'Origin').header('cache-control', 'no-store');
    if (origin && portalOrigins.includes(origin))
      reply.header('access-control-allow-origin', origin).header('access-control-allow-headers', 'authorization, content-type');
    return reply;
  };

  scope.options(`${at}/userinfo`, (request, reply) => cors(reply, request.headers.origin).code(204).send());
  scope.route({
    method: ['GET', 'POST'],
    url: `${at}/userinfo`,
    handler: async (request, reply) => {
      cors(reply, request.headers.origin);
      const claims = await bearer(request.headers.authorization);
      // Asked of the provider itself, so a sign-in that has ended is known here at once.
      const session = claims?.sid ? await provider.Session.findByUid(claims.sid) : undefined;
      // As it is now: the token says what was so when it was given out.
      const mint = claims && session ? await mintFor(run, claims.sub, claims.sid, now()) : null;
      if (!claims || !mint) return reply.code(401).header('www-authenticate', 'Bearer error="invalid_token"').send();
      const { typ: _typ, azp: _azp, ...known } = accessClaims(mint, PORTAL_CLIENT, claims.sid);
      return reply.send({ sub: claims.sub, ...known });
    },
  });

  // keycloak-js `loadUserProfile()`, in the shape of Keycloak's account console; a person who comes here gets the page instead.
  scope.get(`${BASE}/account`, async (request, reply) => {
    if (!request.headers.accept?.includes('application/json')) return reply.redirect(`${BASE}/account/security`, 302);
    cors(reply, request.headers.origin);
    const claims = await bearer(request.headers.authorization);
    if (!claims) return reply.code(401).header('www-authenticate', 'Bearer error="invalid_token"').send();
    const [firstName = '', ...rest] = (claims.name ?? '').split(' ');
    return reply.send({
      id: claims.sub,
      username: claims.email ?? claims.phone_number ?? claims.sub,
      firstName,
      lastName: rest.join(' '),
      email: claims.email,
      attributes: {},
    });
  });

  // keycloak-js signs out by POST where told to. The provider's own POST counts on cookies that cross sites, which ours do not: the same as a GET then.
  scope.post(`${at}/logout`, async (request, reply) => {
    let body = '';
    for await (const chunk of request.raw) {
      body += String(chunk);
      if (body.length > 16_384) return reply.code(413).send();
    }
    return reply.redirect(`${at}/logout?${new URLSearchParams(body).toString()}`, 303);
  });

  // The provider answers by itself, past what every answer of ours is given. Where it writes a page of its own (a form that sends
  // itself), it adds that page's one script to the policy; pages of ours bring theirs.
  const headers = new Headers({
    ...headersOf(identity.origin.startsWith('https:')),
    'content-security-policy': `default-src 'none'; script-src 'self'; form-action 'self' ${portalOrigins.join(' ')}; base-uri 'none'; frame-ancestors ${portalOrigins.join(' ')}`,
  });
  // The provider reads the bodies of its own endpoints, and thinks that it stands at the root.
  const callback = provider.callback();
  const { host, protocol } = new URL(identity.origin);
  scope.route({
    method: ['GET', 'POST', 'OPTIONS'],
    url: `${BASE}/*`,
    handler: (request, reply) => {
      const { raw } = request;
      const address = raw.url ?? '/';
      // The provider keeps what it is asked for until the sign-in is done, and what is asked for is whatever a caller made up.
      if (NUL.test(address)) return replyPage(request, reply, errorPage('malformed', identity.portal));
      reply.hijack();
      reply.raw.setHeaders(headers);
      reply.raw.setHeader('x-request-id', request.id);
      Object.assign(raw, { originalUrl: address });
      raw.headers['x-forwarded-host'] = host;
      raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
      raw.url = address.slice(BASE.length);
      void callback(raw, reply.raw);
    },
  });
}

const STATUS_SCRIPT = `
addEventListener('message', async (event) => {
  if (typeof event.data !== 'string' || !event.source) return;
  const [client, session] = event.data.split(' ');
  const query = new URLSearchParams({ client_id: client, origin: event.origin, sid: session || '' });
  let state = 'error';
  try {
    const answer = await fetch('login-status-iframe.html/init?' + query, { credentials: 'same-origin' });
    if (answer.status === 204) state = 'unchanged';
    else if (answer.status === 200) state = 'changed';
  } catch {}
  event.source.postMessage(state, event.origin);
});
`;
