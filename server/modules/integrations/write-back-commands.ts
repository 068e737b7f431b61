import { sql, type SqlBool } from 'kysely';
import { SETUP } from '@hatchway/contract/integrations.ts';
import type { HistoryEventType } from '@hatchway/domain/history.ts';
import { isActive } from '@hatchway/domain/terms.ts';
import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import { isCalledOff } from '@hatchway/domain/shop-order.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import type { Said } from '../../providers/said.ts';
import type { Shop } from '../../providers/woo.ts';
import type { Scope } from '../../scope.ts';
import { activeBy } from '../../stages.ts';
import { updateRow } from '../../rows.ts';
import { integrationOf } from './queries.ts';

/** As long as a call may last, and more: what was sent before that was cut off, with the process that sent it. */
const LEASE_MS = 30_000;
/** Of one run; the rest is the next one's. */
const AT_ONCE = 20;
/** So many that got no answer: each may have cost twenty seconds. */
const MOST_UNANSWERED = 2;

const NOTES = {
  en: { handedOver: 'Put into a locker', fetched: 'Fetched from a locker' },
  nb: { handedOver: 'Lagt i en luke', fetched: 'Hentet fra en luke' },
} as const;

const stepOf = (o: Occupation, events: readonly HistoryEventType[]): 'handedOver' | 'fetched' | null => {
  if (o.type !== 'delivery') return null;
  if (events.includes('occupation_delivered')) return 'fetched';
  return events.includes('occupation_published') ? 'handedOver' : null;
};

/** By what the note of a lost answer is found again. */
const markOf = (id: string): string => id.replaceAll('-', '').slice(-10);

/** Where it lies, in words. */
export const placeOf = async (tx: Tx, { tenantId, lockerId }: Occupation): Promise<string> => {
  const place = await tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .select(['l.door_tag', 'c.name'])
    .where('l.tenant_id', '=', tenantId)
    .where('l.id', '=', lockerId)
    .executeTakeFirst();
  return place ? `${place.name}, ${place.door_tag}` : '';
};

/**
 * What is to be told to the shop of a parcel of one of its orders, as the company chose; written with the change itself, and sent after it.
 * An order is complete when its last parcel is fetched. Answers whether there is anything to be sent.
 */
export const writeBack = async (tx: Tx, scope: Scope, o: Occupation, events: readonly HistoryEventType[]): Promise<boolean> => {
  const step = stepOf(o, events);
  if (step === null || o.orderRef === null) return false;
  const { tenantId, now } = scope;
  const row = await integrationOf(tx, tenantId, 'woo');
  const settings = SETUP.woo.settings.safeParse(row?.settings);
  const wish = settings.success ? settings.data[step] : 'nothing';
  if (!row || wish === 'nothing') return false;
  const order = await tx
    .selectFrom('shop_orders')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', row.id)
    .where('number', '=', o.orderRef)
    .orderBy('ordered_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!order) return false;
  const { locale } = await tx.selectFrom('companies').select('locale').where('id', '=', tenantId).executeTakeFirstOrThrow();
  const others = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('order_ref', '=', o.orderRef)
    .where('type', '=', 'delivery')
    .where('id', '!=', o.id)
    .where(activeBy('stage'))
    .limit(1)
    .executeTakeFirst();
  const isLast = others === undefined && (step === 'handedOver' || !isActive(o.stage));
  const id = newId();
  const note = `${NOTES[locale === 'en' ? 'en' : 'nb'][step]}: ${await placeOf(tx, o)} (Hatchway ${markOf(id)})`;
  const common = { tenant_id: tenantId, order_id: order.id, occupation_id: o.id, created_at: now, updated_at: now };
  await tx
    .insertInto('shop_operations')
    .values([
      { ...common, id, kind: 'note', note },
      ...(wish === 'complete' && isLast ? [{ ...common, id: newId(), kind: 'complete' as const, note: null }] : []),
    ])
    .execute();
  return true;
};

type Step = { id: string; kind: 'note' | 'complete'; note: string | null; before: 'wanted' | 'sent' | 'unknown'; ref: string };

/** The oldest of those that were tried least, for the length of a call: what is never answered holds nothing up. Null: none, or another process is at it. */
const take = (deps: Deps, { tenantId }: Scope, tried: readonly string[]): Promise<Step | null> =>
  deps.db.tenant(tenantId, async (tx) => {
    const now = deps.now();
    const row = await tx
      .selectFrom('shop_operations as q')
      .innerJoin('shop_orders as o', (join) => join.onRef('o.tenant_id', '=', 'q.tenant_id').onRef('o.id', '=', 'q.order_id'))
      .select(['q.id', 'q.kind', 'q.note', 'q.state', 'q.updated_at', 'o.ref'])
      .where('q.tenant_id', '=', tenantId)
      .where('q.state', 'in', ['wanted', 'sent', 'unknown'])
      .where(sql<SqlBool>`q.id <> all(${tried}::uuid[])`)
      .orderBy('q.attempts')
      .orderBy('q.id')
      .limit(1)
      .forUpdate('q')
      .executeTakeFirst();
    if (!row || (row.state === 'sent' && now.getTime() - Date.parse(row.updated_at) < LEASE_MS)) return null;
    await updateRow(tx, 'shop_operations', tenantId, row.id)
      .set((eb) => ({ state: 'sent', attempts: eb('attempts', '+', 1), updated_at: now.toISOString() }))
      .execute();
    return { id: row.id, kind: row.kind, note: row.note, before: row.state as Step['before'], ref: row.ref };
  });

/** A note is written twice where it is sent twice, so one whose answer was lost is looked for; a status is the same however often it is set. */
const send = async (shop: Shop, step: Step): Promise<Said<null>> => {
  if (step.kind === 'note') {
    if (step.before !== 'wanted') {
      const said = await shop.notes(step.ref);
      if (said.kind !== 'ok') return said.kind === 'refused' ? said : { ...said, kind: 'unknown' };
      if (said.value.some((one) => one.includes(markOf(step.id)))) return { kind: 'ok', value: null };
    }
    return shop.note(step.ref, step.note ?? '');
  }
  const now = await shop.status(step.ref);
  if (now.kind !== 'ok') return now;
  // Called off meanwhile: to complete it would undo that.
  if (isCalledOff(now.value)) return { kind: 'refused', error: now.value, status: null };
  return now.value === 'completed' ? { kind: 'ok', value: null } : shop.complete(step.ref);
};

const STATE = { ok: 'done', refused: 'refused', away: 'wanted', keys: 'wanted', unknown: 'unknown' } as const;

/** Sends what is to be told to the shop. What it refuses is over; what it does not answer may be one order's; where it is away, all waits. */
export const sendBack = async (deps: Deps, scope: Scope, shop: Shop): Promise<Said<null>> => {
  const tried: string[] = [];
  let unanswered = 0;
  while (tried.length < AT_ONCE && unanswered < MOST_UNANSWERED) {
    const step = await take(deps, scope, tried);
    if (step === null) break;
    tried.push(step.id);
    const said = await send(shop, step);
    await deps.db.tenant(scope.tenantId, (tx) =>
      updateRow(tx, 'shop_operations', scope.tenantId, step.id)
        .set({
          state: step.before !== 'wanted' && (said.kind === 'away' || said.kind === 'keys') ? 'unknown' : STATE[said.kind],
          error: said.kind === 'ok' ? null : said.error,
          updated_at: deps.now().toISOString(),
        })
        .execute(),
    );
    if (said.kind === 'away' || said.kind === 'keys') return said;
    unanswered += Number(said.kind === 'unknown');
  }
  return { kind: 'ok', value: null };
};
