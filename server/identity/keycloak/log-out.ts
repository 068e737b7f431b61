import type { FastifyInstance } from 'fastify';
import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import formbody from 'node:querystring';
import { PORTAL_CLIENT } from '../options.ts';
import { ProviderAway } from '../published-keys.ts';
import type { Sessions } from '../sessions.ts';
import type { InIdentity } from '../tables.ts';

export const LOG_OUT_PATH = '/hooks/identity/logout';

/** OpenID Connect Back-Channel Logout 1.0, section 2.4: what tells a logout token from every other of the same issuer. */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Told at once, and once more where it was not answered: an older one was kept by somebody. */
const OLDEST = '10 minutes';
const logoutSchema = z.object({
  sub: z.string().max(200).optional(),
  sid: z.string().max(200).optional(),
  events: z.object({ [LOGOUT_EVENT]: z.looseObject({}) }),
  nonce: z.never().optional(),
});

/**
 * Keycloak says so before its session is gone: a browser that hears it from us in that moment is signed in again without a question, with
 * tokens that hold for minutes. So it hears it a little later.
 */
const GONE_THERE_MS = 1_000;

type Parts = { issuer: string; keys: JWTVerifyGetKey; run: InIdentity; sessions: Sessions; now: () => Date };

/**
 * Keycloak's word that somebody is signed out, at this browser or everywhere, by themselves or by an administrator there: from here on their
 * tokens are refused at every node, and their sockets are closed.
 */
export function logOutRoute(scope: FastifyInstance, { issuer, keys, run, sessions, now }: Parts): void {
  const accountOf = (subject: string) =>
    run(async (tx) => {
      const row = await tx.selectFrom('identity_people').select('account_id').where('subject', '=', subject).executeTakeFirst();
      return row?.account_id ?? null;
    });

  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 16_384 }, (_request, body, done) =>
    done(null, formbody.parse(String(body))),
  );
  scope.post(LOG_OUT_PATH, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const token = (request.body as Record<string, unknown> | null | undefined)?.['logout_token'];
    let said: z.infer<typeof logoutSchema>;
    try {
      const { payload } = await jwtVerify(typeof token === 'string' ? token : '', keys, {
        issuer,
        audience: PORTAL_CLIENT,
        algorithms: ['RS256'],
        currentDate: now(),
        maxTokenAge: OLDEST,
        clockTolerance: 5,
        requiredClaims: ['iat', 'jti', 'events'],
      });
      said = logoutSchema.parse(payload);
    } catch (error) {
      // It asks again later then.
      if (error instanceof ProviderAway) return reply.code(503).header('retry-after', '5').send({ error: 'temporarily_unavailable' });
      return reply.code(400).send({ error: 'invalid_request' });
    }
    const account = said.sub === undefined ? null : await accountOf(said.sub);
    // A session of somebody whom we do not know had no token that we took.
    const at = new Date(now().getTime() + GONE_THERE_MS);
    if (said.sid !== undefined) await sessions.ended(said.sid, account ?? '', at);
    else if (account !== null) await sessions.revoke({ accountId: account }, { at });
    return reply.code(200).send();
  });
}
