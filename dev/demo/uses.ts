import type { Client } from '@hatchway/contract/client.ts';
import { receivers } from './things.ts';

/** Lockers by door tag, assets by name. */
export type Ground = { api: Client; locker: (doorTag: string) => string; asset: (name: string) => string };

const who = (at: number) => receivers[at % receivers.length] ?? receivers[0];

/** Deliveries in every stage that a counter sees on a day. */
async function deliveries({ api, locker }: Ground): Promise<void> {
  const put = (doorTag: string, assetText: string, at: number, how: { fill?: boolean; send?: boolean } = {}) =>
    api('POST /occupations/delivery', { body: { lockerId: locker(doorTag), assetText, receiver: who(at), policyRef: 'parcels', ...how } });

  await put('A02', 'Parcel 4101', 0);
  await put('A03', 'Parcel 4102', 1, { fill: true });
  for (const [doorTag, at] of [
    ['A04', 2],
    ['A05', 3],
    ['A10', 4],
    ['A12', 5],
    ['B05', 0],
    ['B12', 1],
    ['C02', 2],
    ['C08', 3],
  ] as const)
    await put(doorTag, `Parcel ${4200 + at} for ${who(at).name.split(' ')[0]}`, at, { fill: true, send: true });

  const offered = await put('A06', 'Parcel 4103', 2, { fill: true });
  await api('PUT /occupations', { body: { id: offered.id, action: 'publish' } });

  const handedOver = await put('A07', 'Parcel 4098', 4, { fill: true, send: true });
  await api('PUT /occupations/assign', { body: { action: 'claim', id: handedOver.id } });
  await api('PUT /occupations', { body: { id: handedOver.id, action: 'finnish' } });

  const cancelled = await put('A08', 'Parcel 4097', 5);
  await api('DELETE /occupations/{id}', { params: { id: cancelled.id }, body: { reason: 'Ordered twice' } });

  const takenOut = await put('A09', 'Parcel 4090', 0, { fill: true, send: true });
  await api('PUT /occupations', { body: { id: takenOut.id, action: 'extract', reason: 'Sent back to the shop' } });
}

async function lending({ api, locker, asset }: Ground): Promise<void> {
  const offer = async (doorTag: string, name: string) => {
    const { id } = await api('POST /occupations', {
      body: { type: 'lending', lockerId: locker(doorTag), assetId: asset(name), policyRef: 'tools' },
    });
    await api('PUT /occupations', { body: { id, action: 'fill' } });
    await api('PUT /occupations', { body: { id, action: 'publish' } });
    return id;
  };
  await offer('A13', 'Laptop 14" no. 1');
  await offer('B13', 'Laser level');
  await offer('C10', 'Projector');
  const out = await offer('A14', 'Cordless drill');
  await api('PUT /occupations/assign', { body: { action: 'claim', id: out, receiver: who(3) } });
  await api('PUT /occupations', { body: { id: out, action: 'finnish' } });
}

async function goods({ api, locker, asset }: Ground): Promise<void> {
  const stock = async (
    type: 'consumable' | 'sale',
    doorTag: string,
    name: string,
    more: { quantity: number; refillLevel?: number; price?: { amount: number; currency: string } },
  ) => {
    const { id } = await api('POST /occupations', { body: { type, lockerId: locker(doorTag), assetId: asset(name), ...more } });
    await api('PUT /occupations', { body: { id, action: 'fill' } });
    await api('PUT /occupations', { body: { id, action: 'publish' } });
  };
  await stock('consumable', 'A17', 'Work gloves, pair', { quantity: 20, refillLevel: 5 });
  await stock('consumable', 'C13', 'First-aid kit', { quantity: 4, refillLevel: 1 });
  await stock('sale', 'A19', 'Coffee, 250 g', { quantity: 8, price: { amount: 8900, currency: 'NOK' } });
  await stock('sale', 'B16', 'Bicycle pump', { quantity: 1, price: { amount: 24900, currency: 'NOK' } });
}

async function visits({ api, locker, asset }: Ground): Promise<void> {
  const stored = await api('POST /occupations', {
    body: { type: 'storage', lockerId: locker('A20'), assetText: 'Suitcase', receiver: who(1), policyRef: 'cloakroom' },
  });
  await api('PUT /occupations', { body: { id: stored.id, action: 'fill' } });

  const asked = await api('POST /occupations', {
    body: { type: 'recall', lockerId: locker('C14'), assetId: asset('Tablet for inventory'), receiver: who(4) },
  });
  await api('PUT /occupations', { body: { id: asked.id, action: 'send' } });

  const brought = await api('POST /occupations', {
    body: { type: 'drop-off', lockerId: locker('B17'), assetText: 'Return from Amir', receiver: who(1) },
  });
  await api('PUT /occupations', { body: { id: brought.id, action: 'fill' } });
  const expected = await api('POST /occupations', {
    body: { type: 'drop-off', lockerId: locker('C15'), assetText: 'Keys', receiver: who(2) },
  });
  await api('PUT /occupations', { body: { id: expected.id, action: 'send' } });
}

async function troubles({ api, locker }: Ground): Promise<void> {
  await api('PUT /lockers/{id}/service', {
    params: { id: locker('A24') },
    body: { outOfService: true, reason: 'Hinge is bent; spare part ordered' },
  });
  await api('PUT /lockers/{id}/service', {
    params: { id: locker('C18') },
    body: { outOfService: true, reason: 'Kept free for the fire brigade' },
  });
}

/** Some of everything, so that no screen of the demo is empty. */
export async function seedUses(ground: Ground): Promise<void> {
  for (const part of [deliveries, lending, goods, visits, troubles]) await part(ground);
}
