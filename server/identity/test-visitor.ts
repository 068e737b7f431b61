import crypto from 'node:crypto';
import { PORTAL_CLIENT } from './options.ts';

type Answer = { status: number; url: string; text: string; headers: Headers };
export type Tokens = { access_token: string; refresh_token: string; id_token: string };

/** A person with a browser, as far as the provider's pages need one: cookies by path, redirects, forms. */
export class Visitor {
  readonly #origin: string;
  readonly #language: string;
  readonly #from: string;
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();
  page: Answer = { status: 0, url: '', text: '', headers: new Headers() };

  /** `from`: the address that they come from, as a proxy tells it. */
  constructor(origin: string, { language = 'en', from = '127.0.0.1' }: { language?: string; from?: string } = {}) {
    this.#origin = origin;
    this.#language = language;
    this.#from = from;
  }

  /** Goes there and follows redirects, up to the portal's own address. */
  async go(address: string, init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> } = {}): Promise<Answer> {
    let url = new URL(address, this.page.url || this.#origin);
    let request = init;
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...this.#cookies.values()]
        .filter(({ path }) => url.pathname.startsWith(path))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
      const headers = { 'accept-language': this.#language, accept: 'text/html', 'x-forwarded-for': this.#from, cookie, ...request.headers };
      const answer = await fetch(url, { ...request, headers, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) this.#keep(line, url.pathname);
      const next = answer.headers.get('location');
      this.page = { status: answer.status, url: url.href, text: await answer.text(), headers: answer.headers };
      if (!next) return this.page;
      url = new URL(next, url);
      request = {};
      if (url.pathname.startsWith('/portal')) return (this.page = { ...this.page, url: url.href });
    }
    throw new Error(`redirected in circles: ${url.href}`);
  }

  #keep(line: string, from: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const [name = '', value = ''] = pair.split(/=(.*)/);
    const path = attributes.find((one) => one.toLowerCase().startsWith('path='))?.slice(5) ?? from;
    const expires = attributes.find((one) => one.toLowerCase().startsWith('expires='))?.slice(8);
    if (expires && new Date(expires).getTime() < Date.now()) this.#cookies.delete(`${name} ${path}`);
    else this.#cookies.set(`${name} ${path}`, { name, value, path });
  }

  /** How many cookies they have of those whose name begins so. */
  cookies(beginning: string): number {
    return [...this.#cookies.values()].filter(({ name }) => name.startsWith(beginning)).length;
  }

  /** The first cookie that was given under a name that begins so. */
  cookie(beginning: string): { name: string; value: string } {
    const found = [...this.#cookies.values()].find(({ name }) => name.startsWith(beginning));
    if (!found) throw new Error(`no cookie ${beginning}…`);
    return found;
  }

  /** Comes with a cookie that they were not given here. */
  bring({ name, value }: { name: string; value: string }): void {
    this.#cookies.set(`${name} /`, { name, value, path: '/' });
  }

  /** Sends the page's form that holds all of these fields, with its hidden ones. */
  submit(fields: Record<string, string>): Promise<Answer> {
    for (const [, head = '', body = ''] of this.page.text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
      const named = [...body.matchAll(/<(?:input|button)\b[^>]*?\bname="([^"]+)"/g)].map((found) => found[1]);
      if (!Object.keys(fields).every((name) => named.includes(name))) continue;
      const hidden = [...body.matchAll(/<input type="hidden"\s[^>]*>/g)].map(([tag]) => [attribute(tag, 'name'), attribute(tag, 'value')]);
      const form = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
      return this.go(attribute(head, 'action'), { method: 'POST', body: form, headers: { origin: this.#origin } });
    }
    throw new Error(`no form with ${Object.keys(fields).join(', ')} at ${this.page.url}:\n${this.page.text}`);
  }

  /** To the provider's sign-in, as keycloak-js goes there; gives what is needed to finish. */
  async startSignIn(more: Record<string, string> = {}): Promise<string> {
    const verifier = crypto.randomBytes(48).toString('base64url');
    const query = new URLSearchParams({
      client_id: PORTAL_CLIENT,
      redirect_uri: `${this.#origin}/portal/`,
      response_type: 'code',
      response_mode: 'query',
      scope: 'openid',
      state: 's',
      nonce: 'n',
      code_challenge: crypto.createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
    await this.go(`${this.#origin}/realms/pml/protocol/openid-connect/auth?${query.toString()}`);
    return verifier;
  }

  async token(body: Record<string, string>): Promise<{ status: number; tokens: Tokens; error?: string }> {
    const answer = await fetch(`${this.#origin}/realms/pml/protocol/openid-connect/token`, {
      method: 'POST',
      headers: { origin: this.#origin },
      body: new URLSearchParams({ client_id: PORTAL_CLIENT, ...body }),
    });
    const tokens = (await answer.json()) as Tokens & { error?: string };
    return { status: answer.status, tokens, ...(tokens.error && { error: tokens.error }) };
  }

  exchange(verifier: string, redirect = `${this.#origin}/portal/`): ReturnType<Visitor['token']> {
    const code = new URL(this.page.url).searchParams.get('code') ?? '';
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier });
  }

  refresh = ({ refresh_token }: Tokens) => this.token({ grant_type: 'refresh_token', refresh_token });

  /** The whole way in. */
  async signIn(login: string, password = 'correct horse battery', company?: string): Promise<Tokens> {
    const verifier = await this.startSignIn();
    await this.submit({ login, password });
    if (company) await this.submit({ tenant: company });
    const { status, tokens } = await this.exchange(verifier);
    if (status !== 200) throw new Error(`${login} was not let in: ${this.page.url} ${this.page.text}`);
    return tokens;
  }
}

const attribute = (tag: string, name: string) => (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replaceAll('&amp;', '&');
