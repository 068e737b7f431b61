import crypto from 'node:crypto';
import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { PORTAL_CLIENT, PROTOCOL, REVOKED_FOR_MS, type Revoked } from './options.ts';
import { publishedKeys } from './published-keys.ts';

const names = z.array(z.string());

/** An access token as the embedded provider and our Keycloak realm make it. Unknown claims are dropped, wrong ones refused. */
const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.union([z.string(), names]),
  exp: z.number(),
  iat: z.number(),
  // An ID token or a refresh token of the same issuer is signed by the same keys, and opens nothing; nor does another client's token.
  typ: z.literal('Bearer'),
  azp: z.literal(PORTAL_CLIENT),
  account_id: z.uuid().optional(),
  sid: z.string().optional(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  email: z.string().optional(),
  phone_number: z.string().optional(),
  locale: z.string().optional(),
  realm_access: z.object({ roles: names.default([]) }).default({ roles: [] }),
  resource_access: z.record(z.string(), z.object({ roles: names.default([]) })).default({}),
  tenant: z.object({ tenant_id: z.string(), tenant_name: z.string().default(''), roles: names.default([]) }).optional(),
  licenses: names.default([]),
  permissions: z.record(z.string(), names).default({}),
});

export type Claims = z.infer<typeof claimsSchema>;

export type Verifier = {
  /** The token's claims. Throws for whatever is not a valid token of our issuer for our audience, or was revoked since. */
  verify(token: string): Promise<Claims>;
  /** Tokens for this session, account or membership that were made until `at` (ms; until now unless given) are refused from now on. */
  revoke(event: Revoked, at?: number): void;
};

export type VerifierOptions = {
  issuer: string;
  audience: string;
  /** Keys in the process; without them, those that the issuer publishes. Nothing in a token decides which. */
  jwks?: JWTVerifyGetKey;
  /** The claim that holds our account's id, where the provider's `sub` is an id of its own. */
  accountIn?: 'sub' | 'account_id';
  now?: () => Date;
};

/** Tokens remembered at once. Verifying costs more than the rest of a small call, so each is verified once. */
const MOST_KEPT = 10_000;
const ALGORITHMS = ['RS256'];

const nameOf = (event: Revoked): string => {
  switch (event.kind) {
    case 'session':
      return `session:${event.sessionUid}`;
    case 'account':
      return `account:${event.accountId}`;
    case 'membership':
      return `membership:${event.accountId}:${event.tenantId}`;
  }
};

export function createVerifier(options: VerifierOptions): Verifier {
  const { issuer, audience, accountIn = 'sub', now = () => new Date() } = options;
  const keys = options.jwks ?? publishedKeys(`${issuer}${PROTOCOL}/certs`, now);
  const kept = new Map<string, Claims>();
  const revoked = new Map<string, number>();

  const check = (claims: Claims): Claims => {
    if (claims.exp * 1000 <= now().getTime()) throw new Error('the token has expired');
    for (const name of [`session:${claims.sid}`, `account:${claims.sub}`, `membership:${claims.sub}:${claims.tenant?.tenant_id}`]) {
      const at = revoked.get(name);
      // A token of the same second may be the old or the new one; refused, the portal refreshes it and gets its answer there.
      if (at !== undefined && claims.iat * 1000 <= at) throw new Error('the token was revoked');
    }
    return claims;
  };

  return {
    async verify(token) {
      const name = crypto.hash('sha256', token, 'base64');
      const known = kept.get(name);
      if (known) {
        if (known.exp * 1000 <= now().getTime()) kept.delete(name);
        return check(known);
      }
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        currentDate: now(),
        requiredClaims: ['sub', 'exp', 'iat'],
      });
      const said = claimsSchema.parse(payload);
      const sub = said[accountIn];
      if (sub === undefined) throw new Error('the token is of nobody whom we know');
      const claims = { ...said, sub };
      // The oldest goes first; a map keeps the order in which things came.
      if (kept.size >= MOST_KEPT)
        for (const oldest of kept.keys()) {
          kept.delete(oldest);
          break;
        }
      kept.set(name, claims);
      return check(claims);
    },
    revoke(event, at = now().getTime()) {
      for (const [name, since] of revoked) if (since + REVOKED_FOR_MS < now().getTime()) revoked.delete(name);
      const name = nameOf(event);
      revoked.set(name, Math.max(at, revoked.get(name) ?? 0));
    },
  };
}
