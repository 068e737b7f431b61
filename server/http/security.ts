import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** What every page may load: only what we serve ourselves. `nonce` allows the style tags that the portal's components write. */
export const contentPolicy = (nonce: string, live: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${live}`,
    "frame-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
export const newNonce = (): string => randomBytes(16).toString('base64');

export const secureHeaders = (app: FastifyInstance, https: boolean): void => {
  app.addHook('onSend', async (_request, reply) => {
    void reply
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('permissions-policy', 'camera=(self), geolocation=(), microphone=()');
    if (https) void reply.header('strict-transport-security', 'max-age=31536000');
    if (!reply.hasHeader('content-security-policy'))
      void reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  });
};
