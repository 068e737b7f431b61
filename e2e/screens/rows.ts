import { connectTool } from '@hatchway/dev/asset-tool.ts';
import { askPayer, beginToBuy, newKeys } from '@hatchway/dev/vipps.ts';
import { messagesTo, type OwnCompany } from '../company.ts';
import { once } from '../counter.ts';
import { expect } from '../journey.ts';

/** A company with a row of everything that its screens can show, and the ids that their addresses want. */
export async function rowsOf(company: OwnCompany, origin: string): Promise<Record<string, string>> {
  const { api } = company.admin;
  const { account } = await api('GET /accounts/me');
  const { id: cabinet, lockers, virtual } = await company.cabinet({ doors: 9 });
  // nobody else's: an inbox is looked at too, and each mail in it is a frame to look into
  const mailOf = (name: string) => `${name}-${company.id}@e2e.test`;
  const linkTo = async (name: string) => (await messagesTo(origin, mailOf(name)))[0]?.links[0] ?? '';
  const lockerAt = (at: number) => lockers[at]?.id ?? '';

  // a cabinet that senses nothing, and a door of it that somebody forced
  const blind = await company.cabinet({ doors: 1, hasSensors: false });
  await once(() => blind.virtual.act({ do: 'force', door: blind.lockers[0]?.compartment }));
  await once(() => blind.virtual.act({ do: 'close', door: blind.lockers[0]?.compartment }));

  const asset = await api('POST /assets', { body: { name: 'Cordless drill', identifiers: [{ kind: 'ean', value: '7090001000011' }] } });
  const current = await api('POST /occupations/delivery', {
    body: {
      lockerId: lockerAt(0),
      assetText: 'Parcel',
      receiver: { name: 'Ingrid Solberg', email: mailOf('ingrid') },
      fill: true,
    },
  });
  const sale = await api('POST /occupations', {
    body: { type: 'sale', lockerId: lockerAt(1), assetId: asset._id, quantity: 3, price: { amount: 8900, currency: 'NOK' } },
  });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id: sale.id, action } });
  const pay = (name: string) => api('POST /payments', { body: { occupationId: sale.id, received: true, payer: { name } } });
  const captured = await pay('Kari Kunde');
  await api('PUT /occupations/assign', { body: { action: 'claim', id: sale.id, paymentId: captured._id } });
  await api('PUT /occupations', { body: { id: sale.id, action: 'finnish' } });
  const payment = await pay('Per Kunde');
  const inUse = async (at: number, body: { type: 'lending' | 'consumable' | 'delivery'; assetText: string; quantity?: number }) => {
    const { id } = await api('POST /occupations', { body: { ...body, lockerId: lockerAt(at) } });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
    return id;
  };
  const lendable = await inUse(2, { type: 'lending', assetText: 'Projector' });
  const lent = await inUse(3, { type: 'lending', assetText: 'Camera' });
  await api('PUT /occupations/assign', { body: { action: 'claim', id: lent, receiver: { name: 'Ola Nordmann', email: 'ola@e2e.test' } } });
  await api('PUT /occupations', { body: { id: lent, action: 'finnish' } });
  const stock = await inUse(4, { type: 'consumable', assetText: 'Gloves', quantity: 5 });
  const takenOut = await inUse(5, { type: 'delivery', assetText: 'Parcel 2' });
  await api('PUT /occupations', { body: { id: takenOut, action: 'extract' } });
  const uses = { lendable, lent, stock, takenOut, goods: sale.id };

  const lockerIds = lockers.map(({ id }) => id);
  const link = await api('POST /links', { body: { name: 'Supplier', purpose: 'drop-off', lockerIds } });
  // its door is chosen for nothing: somebody comes to it who is no receiver
  const opening = await api('POST /links', { body: { name: 'Caretaker', purpose: 'open', lockerIds: [lockerAt(8)] } });

  await api('POST /asset-groups', { body: { name: 'Tools', description: 'What is lent out' } });
  await api('POST /policies', { body: { name: 'Parcels', ref: `parcels-${company.id}`, services: ['delivery'], pickupHours: 72 } });
  await api('POST /key', { body: { name: 'Webshop', scopes: ['read'] } });
  await api('POST /webhooks', { body: { url: 'https://example.com/hatchway', active: false } });
  const group = await api('POST /groups', { body: { name: 'Crew', description: 'Hands out parcels' } });
  await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account.id }, body: {} });
  await api('POST /permissions', {
    body: { name: 'Parcels', scopes: ['delivery'], groups: [group.id], lockers: lockerIds },
  });
  await api('POST /companies/{tenant}/invitations', {
    params: { tenant: company.id },
    body: { email: mailOf('nora'), roles: ['lending_manager'] },
  });
  await expect.poll(async () => (await api('GET /payments/{id}', { params: { id: captured._id } })).state).toBe('captured');
  await expect.poll(async () => (await api('GET /lockers', { query: { q: { inDoubt: true } } })).length).toBe(1);
  await api('PUT /occupations', { body: { id: current.id, action: 'send' } });
  await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id: current.id } })).stageName).toBe('CONTACTED');
  const shop = `shop-${company.id.slice(0, 8)}`;
  const { _id } = await api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: await newKeys(origin, company.name) });
  await api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'vipps', _id }, body: {} });
  await api('PUT /storefront', { body: { name: shop, open: true } });
  // one of ours that carries what stands on a thing of the tool: that differs
  await api('POST /assets', { body: { name: 'Our saw', identifiers: [{ kind: 'barcode', value: 'T-002' }] } });
  const tool = await connectTool(api, origin);
  const paid = { payment: payment._id, reserved: payment._id, captured: captured._id };
  const links = { accessLink: link.id, accessAddress: link.url, openAddress: opening.url };
  const told = { invitation: await linkTo('nora'), link: await linkTo('ingrid'), inbox: `?to=${encodeURIComponent(mailOf('ingrid'))}` };
  const ids = {
    asset: asset._id,
    occupation: current.id,
    current: current.id,
    cabinet,
    virtual: `#cabinet=${virtual.id}`,
    asked: await askPayer(origin),
  };
  return { ...ids, ...tool, ...paid, ...uses, ...links, ...told, ...(await beginToBuy(origin, shop)) };
}
