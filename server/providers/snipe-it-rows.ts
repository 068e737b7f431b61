import { z } from 'zod';
import { plainOfHtml } from '@hatchway/domain/shop-order.ts';
import type { ToolAsset, ToolPerson, ToolRequest } from './asset-tool.ts';
import { plainLine } from './tool-call.ts';

/** The rows of Snipe-IT's API as snipe/snipe-it tells them: app/Http/Transformers, v8.1.4. Every text in them is written as in a page. */

const text = (most: number) => z.string().transform((told) => plainLine(plainOfHtml(told).slice(0, most)));
const orNull = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value): T | null => value ?? null);
const id = z.int().positive();
/** On the tool's own clock and without its zone, which nothing tells: read as if it were UTC. */
const moment = z
  .object({ datetime: z.string().regex(/^(?:19|20)\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/) })
  .transform(({ datetime }) => `${datetime.replace(' ', 'T')}.000Z`)
  .refine((told) => !Number.isNaN(Date.parse(told)));
const day = z
  .object({ date: z.string().regex(/^(?:19|20)\d\d-\d\d-\d\d$/) })
  .transform(({ date }) => date)
  .refine((told) => !Number.isNaN(Date.parse(told)));

const asset = z.object({
  id,
  name: orNull(text(200)),
  asset_tag: orNull(text(200)),
  model: orNull(z.object({ name: text(200) })),
  status_label: orNull(z.object({ name: text(100), status_type: z.string() })),
  assigned_to: orNull(z.object({ id, type: z.string(), name: text(200), email: orNull(text(254)) })),
  expected_checkin: orNull(day),
  updated_at: orNull(moment),
  deleted_at: orNull(z.unknown()),
});
export type SnipeAsset = ToolAsset & { userId: number | null; isDeleted: boolean };

export const readAsset = (base: string, row: unknown): SnipeAsset | null => {
  const said = asset.safeParse(row);
  if (!said.success) return null;
  const { id: number, name, asset_tag: tag, model, status_label: label, assigned_to: holder, ...more } = said.data;
  const isLendable = label?.status_type === 'deployable';
  return {
    id: String(number),
    name: name || model?.name || tag || String(number),
    identifier: tag || null,
    condition: label?.name || null,
    state: holder !== null ? 'out' : isLendable ? 'available' : 'not-lendable',
    // A place, or another asset, has no address.
    holder: holder && { name: holder.name || String(holder.id), tlf: null, email: holder.email || null },
    until: more.expected_checkin,
    url: `${base}/hardware/${number}`,
    modifiedAt: more.updated_at,
    userId: holder?.type === 'user' ? holder.id : null,
    isDeleted: more.deleted_at !== null,
  };
};

const user = z.object({ id, name: text(200), username: orNull(text(254)), email: orNull(text(254)), phone: orNull(text(40)) });
export type SnipeUser = ToolPerson & { id: number; username: string | null };
export const readUser = (row: unknown): SnipeUser | null => {
  const said = user.safeParse(row);
  if (!said.success) return null;
  const { id: number, name, username, email, phone } = said.data;
  return { id: number, name: name || username || String(number), username, email: email || null, tlf: phone || null };
};

export const statusLabel = z.object({ id, name: text(100), type: z.string() });

const named = z.object({ id, name: text(500), type: z.string() });
const logged = z.object({ id, item: orNull(named), target: orNull(named), created_at: moment });
/** What the log knows of requests: who asked for what, and what became of it. */
export type Logged = {
  id: number;
  kind: 'requested' | 'canceled' | 'checkout';
  itemId: number;
  itemType: string;
  what: string;
  userId: number;
  name: string;
  at: string;
};
export const readLogged = (kind: Logged['kind'], row: unknown): Logged | null => {
  const said = logged.safeParse(row);
  if (!said.success || said.data.item === null || said.data.target?.type !== 'user') return null;
  const { id: number, item, target, created_at: at } = said.data;
  return { id: number, kind, itemId: item.id, itemType: item.type, what: item.name, userId: target.id, name: target.name, at };
};

/**
 * Snipe-IT lists nobody's requests but those of the key's own user, so they are read out of its log. A request is over with whatever is
 * logged next of the same person and thing: taken back, checked out, or asked for anew. Oldest first.
 */
export const requestsOf = (log: readonly Logged[]): (ToolRequest & { userId: number })[] => {
  const latest = new Map<string, ToolRequest & { userId: number }>();
  const all: (ToolRequest & { userId: number })[] = [];
  for (const one of log.toSorted((a, b) => a.id - b.id)) {
    const key = `${one.itemType} ${one.itemId} ${one.userId}`;
    const before = latest.get(key);
    if (before) {
      before.state = one.kind === 'checkout' ? 'handed-out' : 'closed';
      before.modifiedAt = one.at;
      latest.delete(key);
    }
    if (one.kind !== 'requested') continue;
    const request: ToolRequest & { userId: number } = {
      // Who asked is part of its id: what is handed out to nobody's e-mail address goes to them.
      id: `${one.id}.${one.userId}`,
      what: one.what || one.itemType,
      assetId: one.itemType === 'asset' ? String(one.itemId) : null,
      person: { name: one.name || String(one.userId), tlf: null, email: null },
      until: null,
      state: 'open',
      modifiedAt: one.at,
      userId: one.userId,
    };
    latest.set(key, request);
    all.push(request);
  }
  return all;
};
