/** As much of a browser as forms need: cookies, redirects, fields. For the seed and the tests, which go where people go and have no back door. */

export type Form = {
  action: string;
  method: string;
  fields: { name: string; type: string; value: string }[];
  buttons: { name: string; value: string; text: string }[];
};
export type Page = { url: string; status: number; text: string };

const unescape = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39|#x27);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" })[name] ?? '',
  );

const attribute = (tag: string, name: string): string => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return unescape(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
};

/** The forms of a page, with the values that they would send as they stand. */
export function formsOf(page: Page): Form[] {
  return [...page.text.matchAll(/(<form\b[^>]*>)([\s\S]*?)<\/form>/gi)].map(([, head = '', body = '']) => ({
    action: new URL(attribute(head, 'action') || page.url, page.url).href,
    method: (attribute(head, 'method') || 'get').toUpperCase(),
    fields: [...body.matchAll(/<input\b[^>]*>/gi)].map(([tag]) => ({
      name: attribute(tag, 'name'),
      type: attribute(tag, 'type') || 'text',
      value: attribute(tag, 'value'),
    })),
    buttons: [...body.matchAll(/(<button\b[^>]*>)([\s\S]*?)<\/button>/gi)].map(([, tag = '', inner = '']) => ({
      name: attribute(tag, 'name'),
      value: attribute(tag, 'value'),
      text: unescape(inner.replace(/<[^>]*>/g, ' '))
        .replace(/\s+/g, ' ')
        .trim(),
    })),
  }));
}

export type Cookie = { name: string; value: string; path: string; httpOnly: boolean };

export class Browser {
  readonly #cookies = new Map<string, Cookie>();
  readonly #language: string;

  constructor(language = 'en') {
    this.#language = language;
  }

  #keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const path = rest.find((part) => /^path=/i.test(part))?.slice(5) ?? '/';
      const gone = rest.some(
        (part) => /^max-age=0$/i.test(part) || (/^expires=/i.test(part) && new Date(part.slice(8)).getTime() < Date.now()),
      );
      const name = pair.slice(0, at);
      const httpOnly = rest.some((part) => /^httponly$/i.test(part));
      if (gone) this.#cookies.delete(`${name} ${path}`);
      else this.#cookies.set(`${name} ${path}`, { name, value: pair.slice(at + 1), path, httpOnly });
    }
  }

  #cookieHeader(url: string): string {
    const { pathname } = new URL(url);
    const fits = (path: string) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
    return this.cookies.flatMap(({ name, value, path }) => (fits(path) ? [`${name}=${value}`] : [])).join('; ');
  }

  /** What it holds now, for another browser that goes on where this one came to. */
  get cookies(): Cookie[] {
    return [...this.#cookies.values()];
  }

  /** Follows redirects as a browser does, until a page comes or an address for which `stopAt` says so. */
  async go(url: string, init: { method?: string; body?: URLSearchParams; stopAt?: (url: string) => boolean } = {}): Promise<Page> {
    let [at, method, body] = [url, init.method ?? 'GET', init.body];
    for (let hops = 0; hops < 20; hops++) {
      const answer = await fetch(at, {
        method,
        redirect: 'manual',
        ...(body ? { body } : {}),
        headers: {
          accept: 'text/html',
          'accept-language': this.#language,
          cookie: this.#cookieHeader(at),
          ...(method === 'POST' ? { origin: new URL(at).origin } : {}),
        },
      });
      this.#keep(answer);
      const next = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || !next) return { url: at, status: answer.status, text: await answer.text() };
      await answer.body?.cancel();
      at = new URL(next, at).href;
      if (init.stopAt?.(at)) return { url: at, status: answer.status, text: '' };
      if (answer.status !== 307 && answer.status !== 308) [method, body] = ['GET', undefined];
    }
    throw new Error(`Too many redirects at ${at}`);
  }

  /** Sends a form, with some of its fields filled in by name or by type, and one of its buttons pressed. */
  submit(
    form: Form,
    values: Record<string, string>,
    { press, stopAt }: { press?: Form['buttons'][number]; stopAt?: (url: string) => boolean } = {},
  ): Promise<Page> {
    const body = new URLSearchParams();
    for (const field of form.fields)
      if (field.name) body.append(field.name, values[field.name] ?? values[`type=${field.type}`] ?? field.value);
    if (press?.name) body.append(press.name, press.value);
    const stop = stopAt ? { stopAt } : {};
    if (form.method === 'GET') return this.go(`${form.action.split('?')[0]}?${body.toString()}`, stop);
    return this.go(form.action, { method: form.method, body, ...stop });
  }
}
