import { createHash, createSign, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export type Tokens = ReturnType<typeof createTokens>;

/** Signs as Entra does, RS256, with a key that lives as long as the process. */
export function createTokens(now: () => number) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(n).digest('base64url').slice(0, 27);
  const other = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return {
    jwks: { keys: [{ kty: 'RSA', use: 'sig', kid, n, e, alg: 'RS256' }] },
    /** `isLying`: by a key that is none of the published ones, under the name of one. */
    sign: (claims: object, { seconds = 3600, isLying = false } = {}): string => {
      const at = Math.floor(now() / 1000);
      const head = part({ typ: 'JWT', alg: 'RS256', kid });
      const body = part({ iat: at, nbf: at, exp: at + seconds, uti: randomUUID(), ver: '2.0', ...claims });
      const signature = createSign('RSA-SHA256')
        .update(`${head}.${body}`)
        .sign(isLying ? other() : privateKey, 'base64url');
      return `${head}.${body}.${signature}`;
    },
    /** What one of its own tokens says; null for any other, and for one that has expired. */
    read: (token: string): Record<string, unknown> | null => {
      const [head = '', body = '', signature = ''] = token.split('.');
      const isOurs = createVerify('RSA-SHA256').update(`${head}.${body}`).verify(publicKey, signature, 'base64url');
      if (!isOurs) return null;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, unknown>;
      return Number(claims['exp']) * 1000 > now() ? claims : null;
    },
  };
}
