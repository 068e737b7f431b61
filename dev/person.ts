import { createHash, randomBytes } from 'node:crypto';
import { type Client, createClient } from '@hatchway/contract/client.ts';
import { Browser, type Cookie, formsOf, type Page } from './browser.ts';

const client = 'pml-internal-portal';
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** What a page says to a person, for the error that a test or the seed shows. */
const gist = (page: Page) =>
  page.text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

const passwordFormOf = (page: Page) =>
  formsOf(page).find((one) => one.method === 'POST' && one.fields.some((field) => field.type === 'password'));

/**
 * Follows an invitation's link and accepts it: name and password where the account is new, its password where it exists, at the provider
 * where another one signs people in.
 */
export async function acceptInvitation(link: string, { name, password }: { name: string; password: string }): Promise<void> {
  const browser = new Browser();
  const here = await browser.go(link);
  const page = passwordFormOf(here) || here.status >= 400 ? here : await browser.go(`${link}/sign-in`);
  const form = passwordFormOf(page);
  if (!form) throw new Error(`No invitation can be accepted at ${link}: ${page.status} ${gist(page)}`);
  const done = await browser.submit(form, { name, 'type=password': password });
  if (done.status >= 400 || passwordFormOf(done)) throw new Error(`The invitation of ${name} was refused: ${done.status} ${gist(done)}`);
}

type Tokens = { access_token: string; refresh_token: string; expires_in: number };

export type Person = {
  /** The typed client, signed in as this person; renews its token by itself. */
  api: Client;
  token: () => Promise<string>;
};

/** Where people sign in: at Hatchway itself, or at the provider that it names. */
async function issuerOf(origin: string): Promise<string> {
  const config = (await (await fetch(`${origin}/config`)).json()) as { 'auth-server-url': string; realm: string };
  return `${config['auth-server-url']}/realms/${config.realm}`;
}

async function exchange(origin: string, body: Record<string, string>): Promise<Tokens> {
  const answer = await fetch(`${await issuerOf(origin)}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client, ...body }),
  });
  if (!answer.ok) throw new Error(`No token: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Tokens;
}

/** What a sign-in begins with, as keycloak-js calls it. */
const newAsk = (redirectUri: string) => ({
  redirectUri,
  state: base64url(randomBytes(8)),
  nonce: base64url(randomBytes(8)),
  pkceCodeVerifier: base64url(randomBytes(72)),
});
type Ask = ReturnType<typeof newAsk>;

/** Walks the provider's pages (password, then the company where there are several) and comes back with the address that holds the code. */
async function authorize(browser: Browser, origin: string, who: Credentials, ask: Ask): Promise<URL> {
  const stopAt = (url: string) => url.startsWith(`${origin}/portal/`);
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: ask.redirectUri,
    response_type: 'code',
    response_mode: 'fragment',
    scope: 'openid',
    state: ask.state,
    nonce: ask.nonce,
    code_challenge: createHash('sha256').update(ask.pkceCodeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let page = await browser.go(`${await issuerOf(origin)}/protocol/openid-connect/auth?${query.toString()}`, { stopAt });
  let tried = false;
  for (let steps = 0; steps < 4; steps++) {
    if (stopAt(page.url)) break;
    const form = passwordFormOf(page);
    if (form) {
      // A password that was refused is refused again, and counts against the account.
      if (tried) break;
      tried = true;
      const login = form.fields.find((field) => field.type !== 'password' && field.type !== 'hidden' && field.type !== 'checkbox');
      page = await browser.submit(form, { [login?.name ?? 'email']: who.email, 'type=password': who.password }, { stopAt });
      continue;
    }
    const choices = formsOf(page).filter((one) => one.method === 'POST');
    const press = choices.flatMap((one) => one.buttons.map((button) => ({ one, button })));
    const chosen =
      press.find(({ button }) => who.company !== undefined && button.text.includes(who.company)) ??
      (who.company === undefined ? press[0] : undefined);
    if (!chosen) break;
    page = await browser.submit(chosen.one, {}, { press: chosen.button, stopAt });
  }
  const back = new URL(page.url);
  if (!stopAt(page.url) || !/[#&]code=/.test(back.hash))
    throw new Error(`${who.email} could not sign in: ${page.status} ${gist(page) || page.url}`);
  return back;
}

export type Credentials = {
  email: string;
  password: string;
  /** Part of the company's name, where the person belongs to several. */ company?: string;
};

/** A sign-in on the provider's pages that is done but for the portal's own part of it. */
export type SignedIn = {
  /** A browser that holds them is not asked again. */
  cookies: Cookie[];
  /** The address of the portal that the provider leads back to, once. */
  address: string;
  /** What the portal finds there by its state, as keycloak-js keeps it: a key of the local storage and its value. */
  kept: [key: string, value: string];
};

/** @param path where somebody wanted to go in the portal */
export async function signedIn(origin: string, who: Credentials, path = '/portal/'): Promise<SignedIn> {
  const browser = new Browser();
  const ask = newAsk(`${origin}${path}`);
  const back = await authorize(browser, origin, who, ask);
  const kept = JSON.stringify({ ...ask, expires: Date.now() + 3_600_000 });
  return { cookies: browser.cookies, address: back.href, kept: [`kc-callback-${ask.state}`, kept] };
}

/** Signs a person in as the portal does: authorization code with PKCE, on the provider's own pages. */
export async function signIn(origin: string, who: Credentials): Promise<Person> {
  const ask = newAsk(`${origin}/portal/`);
  const { hash } = await authorize(new Browser(), origin, who, ask);
  const code = new URLSearchParams(hash.slice(1)).get('code') ?? '';
  const fresh = async (body: Record<string, string>) => ({ ...(await exchange(origin, body)), since: Date.now() });
  let tokens = await fresh({ grant_type: 'authorization_code', code, redirect_uri: ask.redirectUri, code_verifier: ask.pkceCodeVerifier });
  const token = async () => {
    if (Date.now() - tokens.since > (tokens.expires_in - 60) * 1000)
      tokens = await fresh({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    return tokens.access_token;
  };
  return { api: createClient({ base: `${origin}/v1`, token }), token };
}

/** The operator's calls: companies and licences. */
export const asOperator = (origin: string, key: string): Client => createClient({ base: `${origin}/v1`, token: () => key });
