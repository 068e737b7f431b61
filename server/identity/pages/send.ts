import type { FastifyReply, FastifyRequest } from 'fastify';
import { pickLocale, type Locale } from '../words.ts';
import { render, type Page } from './layout.ts';

/** The little that both ways of answering have in common: Fastify's for our pages, Koa's for what the provider asks us to show. */
type Koa = {
  req: {
    headers: { cookie?: string | undefined; 'accept-language'?: string | undefined };
    url?: string | undefined;
    originalUrl?: string | undefined;
  };
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
};

const COOKIE = 'HATCHWAY_LANG';

/** What the person pressed on our pages, else what the portal asked for, else what the browser prefers. */
export function localeOf(
  address: string,
  headers: { cookie?: string | undefined; 'accept-language'?: string | undefined },
  uiLocales?: string,
): Locale {
  const query = new URL(address, 'http://here').searchParams;
  const remembered = /(?:^|;\s*)HATCHWAY_LANG=(en|nb)\b/.exec(headers.cookie ?? '')?.[1];
  return pickLocale([
    query.get('lang') ?? undefined,
    remembered,
    uiLocales ?? query.get('ui_locales') ?? undefined,
    headers['accept-language'],
  ]);
}

export function replyPage(request: FastifyRequest, reply: FastifyReply, page: Page, uiLocales?: string): FastifyReply {
  const locale = localeOf(request.url, request.headers, uiLocales);
  if (new URL(request.url, 'http://here').searchParams.has('lang')) {
    reply.header('set-cookie', `${COOKIE}=${locale}; Path=/realms; Max-Age=31536000; SameSite=Lax`);
  }
  const { status, headers, body } = render(page, locale, request.url);
  return reply.code(status).headers(headers).send(body);
}

export function sendPage(ctx: Koa, page: Page): void {
  const address = ctx.req.originalUrl ?? ctx.req.url ?? '/';
  const { status, headers, body } = render(page, localeOf(address, ctx.req.headers), address);
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}
