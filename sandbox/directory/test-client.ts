import { createHash, randomBytes } from 'node:crypto';
import { DEMO_APP } from './directory.ts';

export const REDIRECT = 'http://127.0.0.1:1/back';

/** Somebody at the two pages of the login, and an application behind them. */
export const createVisitor = (login: string) => {
  const form = async (tid: string, body: Record<string, string>) => {
    const answer = await fetch(`${login}/${tid}/oauth2/v2.0/token`, { method: 'POST', body: new URLSearchParams(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const app = { client_id: DEMO_APP.clientId, client_secret: DEMO_APP.clientSecret };
  const go = async (address: string): Promise<URL> =>
    new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? 'none:');
  return {
    form,
    app,
    /** Presses a button of the page at that address; answers where it leads. */
    consent: (address: string, answer: 'accept' | 'cancel' = 'accept') =>
      go(`${address.replace('/v2.0/adminconsent?', '/consented?')}&answer=${answer}`),
    choose: (address: string, oid: string) => go(`${address.replace('/oauth2/v2.0/authorize?', '/signed-in?')}&oid=${oid}`),
    appToken: (tid: string) => form(tid, { ...app, grant_type: 'client_credentials', scope: 'https://graph.microsoft.com/.default' }),
    signIn: async (tid: string, oid: string, verifier = randomBytes(48).toString('base64url')) => {
      const query = new URLSearchParams({
        client_id: DEMO_APP.clientId,
        response_type: 'code',
        scope: 'openid profile',
        redirect_uri: REDIRECT,
        state: 's',
        nonce: 'n',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      const back = await go(`${login}/${tid}/signed-in?${query.toString()}&oid=${oid}`);
      const code = back.searchParams.get('code') ?? '';
      return {
        back,
        exchange: (other = verifier) =>
          form(tid, { ...app, grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: other }),
      };
    },
  };
};
