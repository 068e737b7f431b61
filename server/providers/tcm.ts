import { z } from 'zod';
import { inUtc } from '@hatchway/domain/deadlines.ts';
import { isToolFault } from '@hatchway/domain/integration.ts';
import type { Outside } from '../outside/fetch.ts';
import type { AssetTool, ToolAsset, ToolPage, ToolRequest, ToolSaid } from './asset-tool.ts';
import { ask, fault, isFault, pageOf, plainLine } from './tool-call.ts';

/** Our own contract for outside asset tools: docs/integrators/asset-tool.md. */

const text = (most: number) => z.string().max(most).transform(plainLine);
const named = (most: number) => text(most).refine((told) => told !== '');
/** An id is sent back in an address, and a cursor too. */
const token = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[!-~]+$/);
const id = token(100);
const time = z.iso.datetime({ offset: true }).transform((told, context) => {
  const at = inUtc(told);
  if (at === null) context.addIssue('beyond the years 1 to 9999');
  return at ?? z.NEVER;
});
const orNull = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value): T | null => value ?? null);
const person = z.object({ name: named(200), tlf: orNull(text(40)), email: orNull(text(254)) });
/** An address is followed by people: nothing but a page of the web. */
const page = z
  .string()
  .max(2000)
  .refine((told) => URL.canParse(told) && ['https:', 'http:'].includes(new URL(told).protocol))
  .transform((told) => new URL(told).href);
const asset = z.object({
  id,
  name: named(200),
  identifier: orNull(text(200)),
  condition: orNull(text(100)),
  state: z.enum(['available', 'out', 'not-lendable']),
  holder: orNull(person),
  until: orNull(time),
  url: orNull(page),
  modifiedAt: time,
});
const request = z.object({
  id,
  what: named(500),
  assetId: orNull(id),
  person,
  until: orNull(time),
  state: z.enum(['open', 'handed-out', 'closed']),
  modifiedAt: time,
});
const listed = z.object({ items: z.array(z.unknown()), next: token(500).nullable() });
const conditions = z.object({ items: z.array(z.object({ name: named(100), isLendable: z.boolean() })) });
const problem = z.object({ code: z.string().max(60).nullish(), title: z.string().nullish(), detail: z.string().nullish() });

const readAsset = (row: unknown): ToolAsset | null => asset.safeParse(row).data ?? null;
const readRequest = (row: unknown): ToolRequest | null => request.safeParse(row).data ?? null;

export const openTcm = (outside: Outside, base: string, apiKey: string): AssetTool => {
  const call = async <T>(
    path: string,
    schema: z.ZodType<T>,
    change?: { body: Readonly<Record<string, unknown>>; key: string },
  ): Promise<ToolSaid<T>> => {
    const answer = await ask(outside, {
      method: change ? 'POST' : 'GET',
      url: `${base}/v1/${path}`,
      bearer: apiKey,
      ...(change ? { headers: { 'idempotency-key': change.key }, body: change.body } : {}),
    });
    if (isFault(answer)) return answer;
    const { status, body } = answer;
    if (status >= 200 && status < 300) {
      const said = schema.safeParse(body);
      return said.success ? { kind: 'ok', value: said.data } : fault('unknown', 'not-a-tool', status);
    }
    const said = problem.safeParse(body);
    // What a tool does not know, it names: any other server says no more than that there is nothing.
    if (!said.success || (status === 404 && !said.data.code))
      return status >= 500 ? fault('unknown', `${status}`, status) : fault('refused', 'not-a-tool', status);
    const { code, title, detail } = said.data;
    if (status < 500 && code && isToolFault(code)) return fault('refused', code, status);
    return fault(status >= 500 ? 'unknown' : 'refused', [`${status}`, title, detail].filter(Boolean).join(' · '), status);
  };

  const list = <T extends { id: string }>(
    path: string,
    read: (row: unknown) => T | null,
    asked: { since: string | null; cursor: string | null; text?: string },
  ): Promise<ToolSaid<ToolPage<T>>> => {
    const query = new URLSearchParams({ limit: '100' });
    if (asked.since !== null) query.set('modifiedSince', asked.since);
    if (asked.cursor !== null) query.set('cursor', asked.cursor);
    if (asked.text !== undefined) query.set('q', asked.text);
    return call(
      `${path}?${query.toString()}`,
      listed.transform(({ items, next }) => {
        // A page that leads to itself has no end: the rest is not known.
        const page = pageOf(items, read, next === asked.cursor ? null : next);
        return next !== null && next === asked.cursor ? { ...page, unread: page.unread + 1 } : page;
      }),
    );
  };
  /** The asset as it stands after the change: an answer about anything else is none. */
  const changed = (assetId: string) => asset.refine((told) => told.id === assetId).transform(() => null);
  const at = (assetId: string) => `assets/${encodeURIComponent(assetId)}`;

  return {
    test: async () => {
      for (const path of ['assets?limit=1', 'requests?limit=1'] as const) {
        const said = await call(path, listed);
        if (said.kind !== 'ok') return said;
      }
      return { kind: 'ok', value: null };
    },
    assets: (asked) => list('assets', readAsset, asked),
    asset: (assetId) => call(at(assetId), asset),
    requests: (asked) => list('requests', readRequest, asked),
    conditions: () =>
      call(
        'conditions',
        conditions.transform(({ items }) => items),
      ),
    checkOut: ({ assetId, key, ...body }) => call(`${at(assetId)}/check-out`, changed(assetId), { key, body }),
    checkIn: ({ assetId, key, from, ...body }) =>
      call(`${at(assetId)}/check-in`, changed(assetId), { key, body: { ...body, holder: from?.person ?? null } }),
  };
};
