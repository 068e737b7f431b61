import type { CallInput, Client } from '@hatchway/contract/client.ts';
import { receivers } from './things.ts';

/** Lockers by door tag, assets by name, and hands that stand at the virtual cabinets: what the demo says lies inside does lie there. */
export type Ground = {
  api: Client;
  locker: (doorTag: string) => string;
  asset: (name: string) => string;
  /** At an open door: puts something in (or takes it out) and closes it. */
  put: (doorTag: string, what: string) => Promise<void>;
  take: (doorTag: string) => Promise<void>;
  /** Closes it on what lies there: of a stock some was put in or taken, and some of it lies there as before. */
  leave: (doorTag: string) => Promise<void>;
};

type Registration = CallInput<'POST /occupations'>['body'];
type Action = NonNullable<CallInput<'PUT /occupations'>['body']>;

/** So soon over that a look at the demo finds it late; the calls before that take a part of it. */
const SOON_MS = 20_000;
const soon = () => new Date(Date.now() + SOON_MS).toISOString();

const who = (at: number) => receivers[at % receivers.length] ?? receivers[0];

/** What staff do at a counter, one call a step. */
const counter = ({ api, locker, put, take, leave }: Ground) => {
  const open = (doorTag: string, occupationId: string) =>
    api('POST /lockers/{id}/open', { params: { id: locker(doorTag) }, body: { doorTag, occupationId } });
  const act = (body: Action) => api('PUT /occupations', { body });
  return {
    act,
    register: async (doorTag: string, body: Registration) =>
      (await api('POST /occupations', { body: { ...body, lockerId: locker(doorTag) } })).id,
    fill: async (doorTag: string, id: string, what: string) => {
      await open(doorTag, id);
      await put(doorTag, what);
      await act({ id, action: 'fill' });
    },
    refill: async (doorTag: string, id: string, quantity: number) => {
      await open(doorTag, id);
      await leave(doorTag);
      await act({ id, action: 'fill', quantity });
    },
    /** Somebody is let in to a stock and takes some of it. */
    takeSome: async (doorTag: string, id: string) => {
      await api('PUT /occupations/assign', { body: { action: 'claim', id } });
      await open(doorTag, id);
      await leave(doorTag);
      await act({ id, action: 'finnish' });
    },
    /** Somebody is let in, takes it, and closes the door. */
    handOut: async (doorTag: string, id: string, receiver?: (typeof receivers)[number], dueAt?: string) => {
      const more = { ...(receiver ? { receiver } : {}), ...(dueAt ? { dueAt } : {}) };
      await api('PUT /occupations/assign', { body: { action: 'claim', id, ...more } });
      await open(doorTag, id);
      await take(doorTag);
      await act({ id, action: 'finnish' });
    },
  };
};

/** Deliveries in every stage that a counter sees on a day. */
async function deliveries(ground: Ground): Promise<void> {
  const { act, register, fill, handOut } = counter(ground);
  const parcel = (doorTag: string, number: number, at: number) =>
    register(doorTag, { type: 'delivery', assetText: `Parcel ${number}`, receiver: who(at), policyRef: 'parcels' });
  const filled = async (doorTag: string, number: number, at: number) => {
    const id = await parcel(doorTag, number, at);
    await fill(doorTag, id, `Parcel ${number}`);
    return id;
  };
  const told = async (doorTag: string, number: number, at: number) => {
    const id = await filled(doorTag, number, at);
    await act({ id, action: 'send' });
    return id;
  };

  // nobody came for it
  const late = await register('A11', { type: 'delivery', assetText: 'Parcel 4077', receiver: who(3), pickupBy: soon() });
  await fill('A11', late, 'Parcel 4077');
  await act({ id: late, action: 'send' });
  const card = await register('B06', { type: 'delivery', service: 'selfservice', assetText: 'Key card', receiver: who(0) });
  await fill('B06', card, 'Key card');
  await parcel('A02', 4101, 0);
  await filled('A03', 4102, 1);
  const waiting = ['A04', 'A05', 'A10', 'A12', 'B05', 'B12', 'C02', 'C08'];
  await Promise.all(waiting.map((doorTag, at) => told(doorTag, 4200 + at, at)));
  await act({ id: await filled('A06', 4103, 2), action: 'publish' });
  await handOut('A07', await told('A07', 4098, 4));
  await ground.api('DELETE /occupations/{id}', { params: { id: await parcel('A08', 4097, 5) }, body: { reason: 'Ordered twice' } });
  const sentBack = await told('A09', 4090, 0);
  await ground.api('POST /lockers/{id}/open', {
    params: { id: ground.locker('A09') },
    body: { doorTag: 'A09', occupationId: sentBack, takeOut: 'keep', reason: 'Sent back to the shop' },
  });
  await ground.take('A09');
}

async function lending(ground: Ground): Promise<void> {
  const { act, register, fill, handOut } = counter(ground);
  const offer = async (doorTag: string, name: string) => {
    const id = await register(doorTag, { type: 'lending', assetId: ground.asset(name), policyRef: 'tools' });
    await fill(doorTag, id, name);
    await act({ id, action: 'publish' });
    return id;
  };
  await offer('A13', 'Laptop 14" no. 1');
  await offer('B13', 'Laser level');
  await offer('C10', 'Projector');
  await handOut('A14', await offer('A14', 'Cordless drill'), who(3));
  await handOut('B14', await offer('B14', 'Laptop 14" no. 2'), who(5), soon());
}

async function goods(ground: Ground): Promise<void> {
  const { act, register, fill, refill, takeSome } = counter(ground);
  const stock = async (type: 'consumable' | 'sale', doorTag: string, name: string, more: Omit<Registration, 'type'>) => {
    const id = await register(doorTag, { type, assetId: ground.asset(name), ...more });
    await fill(doorTag, id, name);
    await act({ id, action: 'publish' });
    return id;
  };
  const { api } = ground;
  const pay = (occupationId: string, at: number, received = true, quantity = 1) =>
    api('POST /payments', { body: { occupationId, quantity, received, payer: { name: who(at)?.name ?? null } } });
  await stock('consumable', 'A17', 'Work gloves, pair', { quantity: 20, refillLevel: 5 });
  await stock('consumable', 'C13', 'First-aid kit', { quantity: 4, refillLevel: 1 });
  const coffee = await stock('sale', 'A19', 'Coffee, 250 g', { quantity: 8, price: { amount: 8900, currency: 'NOK' } });
  await stock('sale', 'B16', 'Bicycle pump', { quantity: 1, price: { amount: 24900, currency: 'NOK' } });
  // Money that was taken over the counter, in every state that it can be in.
  const bought = async (at: number, quantity: number) => {
    const payment = await pay(coffee, at, true, quantity);
    await takeSome('A19', coffee);
    await refill('A19', coffee, quantity);
    return payment;
  };
  const sold = await bought(0, 2);
  await api('PUT /payments/refund', { body: { _id: sold._id, amount: 8900 } });
  const kept = await bought(1, 1);
  await api('PUT /payments/update', { body: { _id: kept._id, details: { terminal: 'Counter 1', receipt: 4711 } } });
  await api('PUT /payments/cancel', { body: { _id: (await pay(coffee, 2, false))._id } });
  await pay(coffee, 3);
}

async function visits(ground: Ground): Promise<void> {
  const { act, register, fill } = counter(ground);
  const suitcase = await register('A20', { type: 'storage', assetText: 'Suitcase', receiver: who(1), policyRef: 'cloakroom' });
  await fill('A20', suitcase, 'Suitcase');
  const recalled = await register('C14', { type: 'recall', assetId: ground.asset('Tablet for inventory'), receiver: who(4) });
  await act({ id: recalled, action: 'send' });
  const brought = await register('B17', { type: 'drop-off', assetText: 'Return from Amir', receiver: who(1) });
  await fill('B17', brought, 'Return from Amir');
  const expected = await register('C15', { type: 'drop-off', assetText: 'Keys', receiver: who(2) });
  await act({ id: expected, action: 'send' });
}

async function troubles(ground: Ground): Promise<void> {
  const { api, locker, put } = ground;
  const { register } = counter(ground);
  const takeOut = (doorTag: string, reason: string) =>
    api('PUT /lockers/{id}/service', { params: { id: locker(doorTag) }, body: { outOfService: true, reason } });
  await takeOut('A24', 'Hinge is bent; spare part ordered');
  await takeOut('C18', 'Kept free for the fire brigade');
  // Ended after the door stood open, at the wall without sensors: nobody knows what lies there, and somebody has to look.
  for (const doorTag of ['B18', 'B19']) {
    const id = await register(doorTag, { type: 'delivery', assetText: 'Parcel without a label', receiver: who(3) });
    await api('POST /lockers/{id}/open', { params: { id: locker(doorTag) }, body: { doorTag, occupationId: id } });
    await put(doorTag, 'Parcel without a label');
    await api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'Nobody knows whose it is' } });
  }
}

/** Some of everything, so that no screen of the demo is empty. */
export async function seedUses(ground: Ground): Promise<void> {
  // side by side: each waits for doors most of its time
  await Promise.all([deliveries, lending, goods, visits, troubles].map((part) => part(ground)));
}
