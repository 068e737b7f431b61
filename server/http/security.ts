import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * What every page may load: only what we serve ourselves. `nonce` allows the style tags that the portal's components write; `identity` is the
 * origin of a provider elsewhere, which the sign-in asks and frames.
 */
export const contentPolicy = (nonce: string, live: string, identity = ''): string =>
  [
    "default-src 'none'",
    // wasm: the reader of codes for browsers that have none
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ['connect-src', "'self'", live, identity].filter(Boolean).join(' '),
    ['frame-src', "'self'", identity].filter(Boolean).join(' '),
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
export const newNonce = (): string => randomBytes(16).toString('base64');

const POLICY = 'content-security-policy';
/** What every answer says. Its policy is that of what is no page; a page brings its own. */
export const headersOf = (https: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  [POLICY]: "default-src 'none'; frame-ancestors 'none'",
});

export const secureHeaders = (app: FastifyInstance, https: boolean): void => {
  const { [POLICY]: policy, ...headers } = headersOf(https);
  app.addHook('onSend', async (_request, reply) => {
    void reply.headers(headers);
    if (!reply.hasHeader(POLICY)) void reply.header(POLICY, policy);
  });
};
