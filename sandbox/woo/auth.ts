import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback, post } from '../loopback.ts';
import { sendPage } from '../pages.ts';
import type { Woo } from './shop.ts';
import { SCOPES, type Scope } from './store.ts';

/**
 * The handshake of keys, by woocommerce/woocommerce (includes/class-wc-auth.php): the owner approves, the shop posts a new key to the
 * client, and takes it back where that is answered by anything but 200. A real shop calls https alone; this one the loopback alone.
 */

type Asked = { app_name: string; user_id: string; return_url: string; callback_url: string; scope: Scope };
const NAMES = ['app_name', 'user_id', 'return_url', 'callback_url', 'scope'] as const;

/** What an application asks for; or what is wrong with it, in the shop's words. */
function readAsked(query: Record<string, unknown>): Asked | string {
  const missing = NAMES.find((name) => typeof query[name] !== 'string' || query[name] === '');
  if (missing) return `${missing} is missing`;
  const asked = query as Asked;
  if (!SCOPES.includes(asked.scope)) return `there is no scope ${asked.scope}`;
  for (const name of ['return_url', 'callback_url'] as const) if (!URL.canParse(asked[name])) return `${name} is no address`;
  const { protocol, hostname } = new URL(asked.callback_url);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) return 'callback_url must begin with https';
  return asked;
}

export function mountAuth(app: FastifyInstance, { store }: Woo, prefix: string): void {
  const nonces = new Set<string>();
  const refuse = (reply: FastifyReply, words: string) =>
    reply.code(401).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(`Error: ${words}.`);

  app.get(`${prefix}/wc-auth/v1/authorize`, (request, reply) => {
    const asked = readAsked(request.query as Record<string, unknown>);
    return typeof asked === 'string' ? refuse(reply, asked) : sendPage(reply, 'woo-auth');
  });
  /** What shows that the owner pressed the button of this very page. */
  app.get(`${prefix}/wc-auth/v1/nonce`, (_request, reply) => {
    const nonce = randomBytes(8).toString('hex');
    nonces.add(nonce);
    return reply.header('cache-control', 'no-store').send({ nonce });
  });

  /** What hindered the key from being handed over, if anything. */
  const handOver = async (url: string, body: unknown): Promise<string | null> => {
    if (!isLoopback(new URL(url).hostname)) return 'The application is at no address that is called';
    const status = await post(url, { 'content-type': 'application/json;charset=UTF-8' }, JSON.stringify(body));
    if (status === null) return 'The application cannot be reached';
    return status === 200 ? null : 'The application did not take the key';
  };

  app.get(`${prefix}/wc-auth/v1/access_granted`, async (request: FastifyRequest, reply) => {
    const query = request.query as Record<string, unknown>;
    const asked = readAsked(query);
    if (typeof asked === 'string') return refuse(reply, asked);
    if (!nonces.delete(String(query['wc_auth_nonce']))) return refuse(reply, 'the approval is not of this page');
    const key = store.addKey(
      `${asked.app_name} - API (${new Date(store.now()).toISOString().slice(0, 19).replace('T', ' ')})`,
      asked.scope,
    );
    const fault = await handOver(asked.callback_url, {
      key_id: key.id,
      user_id: asked.user_id,
      consumer_key: key.consumerKey,
      consumer_secret: key.consumerSecret,
      key_permissions: key.permissions,
    });
    if (fault !== null) {
      store.removeKey(key.id);
      return refuse(reply, fault);
    }
    const back = new URL(asked.return_url);
    back.searchParams.set('success', '1');
    back.searchParams.set('user_id', asked.user_id);
    return reply.redirect(back.href);
  });
}
