import { expect, it } from 'vitest';
import { emptyDraft, registrationOf, saidOf, settled } from './draft.ts';
import { PLANS } from './plan.ts';

type One = Parameters<typeof saidOf>[0];
const one = (more: Partial<One>): One => ({
  type: 'delivery',
  assetId: null,
  assetText: null,
  assetName: null,
  orderRef: null,
  externalRef: null,
  receiver: null,
  quantity: 1,
  refillLevel: null,
  loanHours: null,
  price: null,
  pickupBy: null,
  note: null,
  createdAt: '2026-03-10T12:00:00.000Z',
  ...more,
});
const anew = (occupation: One, now = Date.parse('2026-03-10T13:00:00.000Z')) =>
  registrationOf(settled({ ...emptyDraft('summary', 'k'), ...saidOf(occupation) }, now), PLANS[occupation.type], 'l2');

it('what is under way can be registered anew behind another door, and nothing said of it is lost', () => {
  const receiver = { name: 'Kari Nordmann', tlf: '+4791234567', email: null };
  expect(anew(one({ assetText: 'Parcel 77', receiver, orderRef: 'A1', note: 'Fragile' }))).toEqual({
    type: 'delivery',
    lockerId: 'l2',
    assetText: 'Parcel 77',
    orderRef: 'A1',
    receiver,
    note: 'Fragile',
  });
  expect(anew(one({ type: 'sale', assetId: 'a1', assetName: 'Mug', quantity: 5, price: { amount: 8950, currency: 'EUR' } }))).toEqual({
    type: 'sale',
    lockerId: 'l2',
    assetId: 'a1',
    assetUnused: true,
    quantity: 5,
    price: { amount: 8950, currency: 'EUR' },
  });
  expect(anew(one({ type: 'consumable', assetText: 'Gloves', quantity: 40, refillLevel: 10 }))).toMatchObject({
    quantity: 40,
    refillLevel: 10,
  });
  expect(anew(one({ type: 'lending', assetText: 'Drill', loanHours: 48 }))).toMatchObject({ loanHours: 48 });
  // as long as it was to be, from when it lies there
  expect(anew(one({ type: 'storage', receiver, pickupBy: '2026-03-12T12:00:00.000Z' }))).toMatchObject({
    pickupBy: '2026-03-12T13:00:00.000Z',
  });
});
