import type { Actor } from '@hatchway/domain/history.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '@hatchway/server/db/database.ts';
import { jsonb } from '@hatchway/server/db/tables/columns.ts';
import type { Deps } from '@hatchway/server/deps.ts';
import { type NewEvent, record } from '@hatchway/server/events/record.ts';
import { newId } from '@hatchway/server/ids.ts';
import { demoCompany } from './people.ts';
import { bought, brought, PRICE, SHELF, type Bought, type Brought } from './past-plan.ts';

/**
 * The month before the demo's first day: uses that are over, with their messages and their money, as the services write them. No door
 * moves for them and nothing is sent, so they are rows; a hundred of them take as long as one parcel does.
 */
export async function seedPast(deps: Pick<Deps, 'db' | 'seal' | 'config'>, now: Date): Promise<void> {
  const tenantId = demoCompany.id;
  await deps.db.tenant(tenantId, async (tx) => {
    const world = await worldOf(tx, tenantId);
    const story: Told[] = [];
    await deliveries(tx, deps, world, brought(now), story);
    await shelf(tx, world, bought(now), story);
    await write(tx, tenantId, story);
  });
}

type Told = NewEvent & { at: string; by: Actor };
type Door = { id: string; doorTag: string; cabinetId: string; controller: Actor };
type World = { tenantId: string; staff: (name: string) => Actor; doors: Door[]; asset: (name: string) => string };

const after = (at: Date, seconds: number): string => new Date(at.getTime() + Math.round(seconds * 1000)).toISOString();

async function worldOf(tx: Tx, tenantId: string): Promise<World> {
  const people = await tx
    .selectFrom('accounts as a')
    .innerJoin('memberships as m', 'm.account_id', 'a.id')
    .select(['a.id', 'a.name'])
    .where('m.tenant_id', '=', tenantId)
    .execute();
  const doors = await tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .select(['l.id', 'l.door_tag', 'l.cabinet_id', 'c.name'])
    .where('l.tenant_id', '=', tenantId)
    .orderBy('l.door_tag')
    .execute();
  const assets = await tx.selectFrom('assets').select(['id', 'name']).where('tenant_id', '=', tenantId).execute();
  const idOf = (rows: readonly { id: string; name: string | null }[], name: string): string => {
    const found = rows.find((row) => row.name === name);
    if (!found) throw new Error(`The demo has no ${name}.`);
    return found.id;
  };
  return {
    tenantId,
    staff: (name) => ({ kind: 'person', id: idOf(people, name), name }),
    doors: doors.map((row) => ({
      id: row.id,
      doorTag: row.door_tag,
      cabinetId: row.cabinet_id,
      controller: { kind: 'device', id: row.cabinet_id, name: row.name },
    })),
    asset: (name) => idOf(assets, name),
  };
}

/** What every event of a use says of it; `cabinetId` stands in what concerns the door and the setting aside alone. */
const about = (door: Door, occupationId: string, occupationType: 'delivery' | 'sale', assetId: string | null = null) => ({
  lockerId: door.id,
  doorTag: door.doorTag,
  occupationId,
  occupationType,
  assetId,
});

/** Set aside, opened, put in, closed and offered: two minutes at a counter. */
function putIn(use: ReturnType<typeof about>, door: Door, at: Date, by: Actor, quantity?: number): Told[] {
  const filled = quantity === undefined ? {} : { quantity };
  return [
    { ...use, type: 'occupation_created', at: after(at, 0), by, cabinetId: door.cabinetId },
    { ...use, type: 'locker_reserved', at: after(at, 0.001), by, cabinetId: door.cabinetId },
    { ...use, type: 'locker_opened', at: after(at, 18), by },
    { ...use, type: 'locker_closed', at: after(at, 43), by: door.controller, assetId: null, cabinetId: door.cabinetId },
    { ...use, type: 'occupation_filled', at: after(at, 45), by, data: filled },
    { ...use, type: 'occupation_published', at: after(at, 52), by },
  ];
}

const masked = (tlf: string): string => `${tlf.slice(0, 3)}…${tlf.slice(-2)}`;

async function deliveries(tx: Tx, deps: Pick<Deps, 'seal' | 'config'>, world: World, uses: Brought[], story: Told[]): Promise<void> {
  const { tenantId } = world;
  const doors = world.doors.filter(({ doorTag }) => doorTag !== SHELF);
  const host = new URL(deps.config.publicUrl).hostname;
  const rows = uses.map((use) => {
    const door = doors[use.door % doors.length];
    if (!door) throw new Error('The demo has no doors.');
    const [id, message] = [newId(), newId()];
    const by = world.staff(use.by);
    // by the link of their message, which says no more of them than their name
    const taker: Actor = { kind: 'person', id: null, name: use.receiver.name };
    const of = about(door, id, 'delivery');
    const told = after(use.at, 52);
    story.push(
      ...putIn(of, door, use.at, by),
      { ...of, type: 'occupation_claiming', at: after(use.fetched, 0), by: taker },
      { ...of, type: 'locker_opened', at: after(use.fetched, 0.001), by: taker },
      { ...of, type: 'locker_closed', at: after(use.fetched, 31), by: door.controller, cabinetId: door.cabinetId },
      { ...of, type: 'occupation_claimed', at: after(use.fetched, 34), by: taker },
      { ...of, type: 'occupation_delivered', at: after(use.fetched, 34.001), by: taker },
    );
    return { use, door, id, message, by, told, ended: after(use.fetched, 34.001) };
  });
  await tx
    .insertInto('occupations')
    .values(
      rows.map(({ use, door, id, by, told, ended }) => ({
        tenant_id: tenantId,
        id,
        type: 'delivery' as const,
        service: 'delivery' as const,
        stage: STAGES.TERMINATED,
        stage_at: ended,
        version: 7,
        locker_id: door.id,
        door_tag: door.doorTag,
        asset_text: use.what,
        receiver_name: use.receiver.name,
        receiver_tlf: use.receiver.tlf,
        receiver_email: use.receiver.email,
        policy_ref: 'parcels',
        reserved_from: after(use.at, 0),
        reserved_until: after(use.at, 3600),
        pickup_from: told,
        pickup_by: after(use.at, 52 + 72 * 3600),
        created_by: jsonb(by),
        end_reason: 'taken' as const,
        ended_at: ended,
        created_at: after(use.at, 0),
        updated_at: ended,
      })),
    )
    .execute();
  await tx
    .insertInto('messages')
    .values(
      rows.map(({ use, id, message, told }) => ({
        tenant_id: tenantId,
        id: message,
        occupation_id: id,
        cause: `ready:${id}:4`,
        kind: 'ready',
        channel: 'sms' as const,
        to_masked: masked(use.receiver.tlf),
        to_sealed: deps.seal.close(JSON.stringify({ to: use.receiver.tlf, name: use.receiver.name })),
        message_id: `<${message}@${host}>`,
        locale: 'nb',
        state: 'delivered' as const,
        attempts: 1,
        version: 4,
        gateway: 'http',
        segments: 2,
        created_at: told,
        updated_at: after(new Date(told), 4),
      })),
    )
    .execute();
}

/** A stock that was sold out piece by piece over the counter, each piece paid for there. */
async function shelf(tx: Tx, world: World, { name, at, by, sales }: Bought, story: Told[]): Promise<void> {
  const { tenantId } = world;
  const door = world.doors.find(({ doorTag }) => doorTag === SHELF);
  const last = sales.at(-1);
  if (!door || !last) throw new Error(`The demo has no ${SHELF}.`);
  const id = newId();
  const seller = world.staff(by);
  const assetId = world.asset(name);
  const of = about(door, id, 'sale', assetId);
  story.push(...putIn(of, door, at, seller, sales.length));
  const ended = after(last.at, 70.002);
  await tx
    .insertInto('occupations')
    .values({
      tenant_id: tenantId,
      id,
      type: 'sale',
      service: 'sale',
      stage: STAGES.TERMINATED,
      stage_at: ended,
      version: 5 + 3 * sales.length,
      locker_id: door.id,
      door_tag: door.doorTag,
      asset_id: assetId,
      quantity: 0,
      price: jsonb({ amount: PRICE, currency: 'NOK' }),
      policy_ref: 'shop',
      reserved_from: after(at, 0),
      reserved_until: after(at, 1800),
      pickup_from: after(at, 52),
      created_by: jsonb(seller),
      end_reason: 'taken',
      ended_at: ended,
      created_at: after(at, 0),
      updated_at: ended,
    })
    .execute();
  const payments = sales.map((sale) => {
    const payment = newId();
    const paid = { ...of, assetId: null, paymentId: payment, data: { amount: PRICE, currency: 'NOK' }, by: seller };
    const one = { staff: true, quantity: 1 };
    story.push(
      { ...paid, type: 'payment_initiated', at: after(sale.at, 0) },
      { ...paid, type: 'payment_reserved', at: after(sale.at, 0.001) },
      { ...of, type: 'occupation_assigned', at: after(sale.at, 12), by: seller, data: one },
      { ...of, type: 'occupation_claiming', at: after(sale.at, 14), by: seller },
      { ...of, type: 'locker_opened', at: after(sale.at, 14.001), by: seller },
      { ...of, type: 'locker_closed', at: after(sale.at, 62), by: door.controller, assetId: null, cabinetId: door.cabinetId },
      { ...paid, type: 'payment_captured', at: after(sale.at, 70) },
      { ...of, type: 'occupation_claimed', at: after(sale.at, 70.001), by: seller, data: one },
      { ...of, type: 'occupation_sold', at: after(sale.at, 70.002), by: seller, data: one },
    );
    const step = (state: 'initiated' | 'reserved' | 'captured', seconds: number) => ({
      at: after(sale.at, seconds),
      state,
      amount: PRICE,
      by: seller.name,
    });
    return {
      tenant_id: tenantId,
      id: payment,
      occupation_id: id,
      provider: 'manual' as const,
      reference: `M-${payment.slice(-12).toUpperCase()}`,
      amount: PRICE,
      captured: PRICE,
      state: 'captured' as const,
      payer: jsonb<Record<string, unknown>>({ name: sale.payer }),
      events: jsonb([step('initiated', 0), step('reserved', 0), step('captured', 70)]),
      version: 4,
      taken_at: after(sale.at, 70),
      created_at: after(sale.at, 0),
      updated_at: after(sale.at, 70),
    };
  });
  await tx.insertInto('payments').values(payments).execute();
}

/** In the order in which it happened, by each who did it. */
async function write(tx: Tx, tenantId: string, story: Told[]): Promise<void> {
  const ordered = story.toSorted((a, b) => a.at.localeCompare(b.at));
  for (const [name, events] of Map.groupBy(ordered, ({ by }) => `${by.kind} ${by.id} ${by.name}`)) {
    const actor = events[0]?.by;
    if (!actor) throw new Error(`Nobody is ${name}.`);
    await record(tx, { tenantId, actor, now: events[0]?.at ?? '' }, events, []);
  }
}
