import crypto from 'node:crypto';
import { Html, html } from '../html.ts';
import { BASE } from '../options.ts';
import { speaker, type Locale, type Say } from '../words.ts';
import { style } from './style.ts';

export type View = { say: Say; locale: Locale; nonce: string };

/** A page before it is known who reads it in which language. */
export type Page = {
  status: number;
  title: (say: Say) => string;
  body: (view: View) => Html;
  /** Where its forms may end up beside our own origin: browsers check the redirects that follow a form too. */
  formTargets?: string[];
  wide?: boolean;
  /** Addresses of our own that are needed after it, fetched once the page stands. */
  ahead?: readonly string[];
};

type Rendered = { status: number; headers: Record<string, string>; body: string };

const MARK = html`<svg viewBox="0 0 28 28" aria-hidden="true">
  <rect x="2" y="2" width="24" height="24" rx="3" fill="none" stroke="currentColor" stroke-width="2.5" />
  <path d="M14 3v22M14 12l9-9M14 20l11-11M16 26l9-9" stroke="currentColor" stroke-width="2" fill="none" />
  <circle cx="9.5" cy="14" r="1.75" fill="currentColor" />
</svg>`;

export function render(page: Page, locale: Locale, address: string): Rendered {
  const nonce = crypto.randomBytes(16).toString('base64');
  const say = speaker(locale);
  const other = locale === 'nb' ? 'en' : 'nb';
  const document = html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${BASE}/pages/mark.svg" />
        <title>${page.title(say)} &middot; Hatchway</title>
        <style nonce="${nonce}">
          ${new Html(style())}
        </style>
      </head>
      <body>
        <header><span class="mark">${MARK}Hatchway</span></header>
        <main class="${page.wide ? 'wide' : ''}">
          <h1>${page.title(say)}</h1>
          ${page.body({ say, locale, nonce })}
        </main>
        <footer><a href="${withLanguage(address, other)}" hreflang="${other}" lang="${other}">${say('language')}</a></footer>
        ${
          page.ahead?.length
            ? html`<script nonce="${nonce}">
                ${new Html(fetchAhead(page.ahead))};
              </script>`
            : ''
        }
      </body>
    </html>`;
  return {
    status: page.status,
    headers: {
      ...HEADERS,
      ...(page.status === 503 ? { 'retry-after': '2' } : {}),
      'content-security-policy': policy(nonce, page.formTargets ?? []),
    },
    body: document.text,
  };
}

/** By a script, since a link in the page shares the line with what the page itself is drawn with. */
const fetchAhead = (files: readonly string[]): string =>
  `addEventListener('load',()=>setTimeout(()=>{for(const href of ${JSON.stringify(files)})document.head.append(Object.assign(document.createElement('link'),{rel:'prefetch',href}))},500))`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not no-referrer: browsers then send "Origin: null" with our own forms, and the origin is what guards them. And no more than the
  // origin: an invitation's secret stands in the address.
  'referrer-policy': 'strict-origin',
};

const policy = (nonce: string, targets: string[]) =>
  [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `font-src 'self'`,
    `img-src 'self'`,
    `form-action ${["'self'", ...targets].join(' ')}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

function withLanguage(address: string, locale: Locale): string {
  const url = new URL(address, 'http://here');
  url.searchParams.set('lang', locale);
  return url.pathname + url.search;
}
