import type { Client } from '@hatchway/contract/client.ts';
import { testCabinet } from '../test-cabinet.ts';
import { unique, type TestServer } from '../test-server.ts';
import { picture, type World } from './test-world.ts';

/** What a call is asked with instead of what the world and the contract alone would give it. */
export type Made = { params?: Record<string, string>; body?: Record<string, unknown> };
type Ready = (at: { server: TestServer; world: World; api: Client }) => Promise<Made>;

const param = (world: World, noun: string, name = 'id'): string => world.params[noun]?.[name] ?? '';

const walls = new WeakMap<World, ReturnType<typeof testCabinet>>();
/** A door that opens: its controller obeys. */
const aDoor = async (server: TestServer, world: World, api: Client): Promise<{ id: string; doorTag: string }> => {
  const wall = walls.get(world) ?? testCabinet(server, api, 3);
  walls.set(world, wall);
  return (await wall).free();
};
const spares = new WeakMap<World, Promise<string[]>>();
const spareWall = async (world: World, api: Client): Promise<string[]> => {
  const doors = Array.from({ length: 16 }, (_, at) => ({ doorTag: unique(), compartment: at + 1, size: 'M' as const, height: 100 }));
  const body = { siteId: param(world, 'sites'), name: 'Spare', columns: [{ width: 400, doors }] };
  const cabinet = await api('POST /cabinets', { body });
  return cabinet.columns.flatMap((column) => column.doors.map(({ lockerId }) => lockerId));
};
/** A door without a controller, with nothing inside. */
const spareDoor = async (world: World, api: Client): Promise<string> => {
  const made = spares.get(world) ?? spareWall(world, api);
  spares.set(world, made);
  const id = (await made).pop();
  if (id === undefined) throw new Error('no spare door is left: give the wall more');
  return id;
};
const act = (api: Client, id: string, action: 'fill' | 'publish') => api('PUT /occupations', { body: { id, action } });
/** One that is filled and offered to nobody yet; what the world has may have ended by an earlier call. */
const anOccupation = async (world: World, api: Client): Promise<{ id: string; version: number }> => {
  const { id } = await api('POST /occupations', { body: { type: 'delivery', lockerId: await spareDoor(world, api) } });
  return act(api, id, 'fill');
};
const coffee = async (world: World, api: Client): Promise<string> => {
  const price = { amount: 12_900, currency: 'NOK' };
  const body = { type: 'sale' as const, lockerId: await spareDoor(world, api), assetText: 'Coffee', price, quantity: 3 };
  const { id } = await api('POST /occupations', { body });
  await act(api, id, 'fill');
  await act(api, id, 'publish');
  return id;
};
const reserved = async (world: World, api: Client): Promise<{ _id: string }> => {
  const { _id } = await api('POST /payments', { body: { occupationId: await coffee(world, api), received: true } });
  return { _id };
};
const aPolicy: Ready = async ({ api }) => {
  const { _id } = await api('POST /policies', { body: { name: 'Spare', ref: unique() } });
  return { params: { _id, id: _id } };
};
const withPicture = async (world: World, api: Client): Promise<void> => {
  const _id = param(world, 'assets');
  const { version, name } = await api('GET /assets/{id}', { params: { id: _id } });
  await api('PUT /assets/{_id}', { params: { _id }, body: { version, name }, image: await picture() });
};
const activeWebhook: Ready = async ({ world, api }) => {
  const id = param(world, 'webhooks');
  const hook = (await api('GET /webhooks')).find((one) => one.id === id);
  await api('PUT /webhooks/{id}', { params: { id }, body: { url: hook?.url ?? '', active: true, version: hook?.version ?? 0 } });
  return {};
};

/** Calls that a row of every noun is not enough for: what must be so before each of them can succeed, and what they are then asked with. */
export const READY: Readonly<Record<string, Ready>> = {
  'PUT /directory/groups/{id}': () => Promise.resolve({ body: { roles: [], groups: [], permissions: [] } }),
  'DELETE /directory/scim/bearer': async ({ api }) => api('POST /directory/scim/bearer', { body: {} }).then(() => ({})),
  'DELETE /assets/{id}/image': async ({ world, api }) => withPicture(world, api).then(() => ({})),
  'POST /occupations': async ({ world, api }) => ({ body: { type: 'delivery', lockerId: await spareDoor(world, api) } }),
  'POST /occupations/delivery': async ({ world, api }) => ({ body: { lockerId: await spareDoor(world, api) } }),
  'POST /occupations/{id}/doubt': async ({ server, world, api }) => {
    const door = await aDoor(server, world, api);
    const { id } = await api('POST /occupations', { body: { type: 'delivery', lockerId: door.id } });
    await api('POST /lockers/{id}/open', { params: { id: door.id }, body: { doorTag: door.doorTag, occupationId: id } });
    return { params: { id } };
  },
  'PUT /occupations': async ({ world, api }) => ({ body: { id: (await anOccupation(world, api)).id, action: 'publish' } }),
  'PUT /occupations/{id}': async ({ world, api }) => {
    const { id, version } = await anOccupation(world, api);
    return { params: { id }, body: { version, note: 'Fragile' } };
  },
  'PUT /occupations/assign': async ({ world, api }) => {
    const { id } = await anOccupation(world, api);
    await act(api, id, 'publish');
    return { body: { id, action: 'claim' } };
  },
  'DELETE /occupations/{id}': async ({ world, api }) => ({ params: { id: (await anOccupation(world, api)).id } }),
  'POST /payments': async ({ world, api }) => ({ body: { occupationId: await coffee(world, api) } }),
  'PUT /payments/capture': async ({ world, api }) => ({ body: await reserved(world, api) }),
  'PUT /payments/cancel': async ({ world, api }) => ({ body: await reserved(world, api) }),
  'PUT /payments/refund': async ({ world, api }) => {
    const body = await reserved(world, api);
    await api('PUT /payments/capture', { body });
    return { body };
  },
  'POST /integrations/{kind}': async () => ({ params: { kind: 'tcm' }, body: { settings: { url: 'https://tool.example' } } }),
  'PUT /integrations/{kind}/{_id}': async () => ({ body: { settings: { merchantSerialNumber: '654321', clientId: 'Client' } } }),
  'POST /integrations/entra/consent': async () => ({ body: { state: 'state' } }),
  'DELETE /integrations/entra': async ({ api }) => {
    await api('POST /integrations/entra', { body: { tid: 'directory.example' } });
    return {};
  },
  'POST /lockers/{id}/open': async ({ server, world, api }) => {
    const { id, doorTag } = await aDoor(server, world, api);
    return { params: { id }, body: { doorTag } };
  },
  'POST /open/door': async ({ server, world, api }) => ({ body: { doorTag: (await aDoor(server, world, api)).doorTag } }),
  'POST /lockers': async ({ world }) => ({
    body: { cabinetId: param(world, 'cabinets'), doorTag: unique(), size: 'M', height: 300 },
  }),
  'DELETE /lockers/{id}': async ({ world, api }) => ({ params: { id: await spareDoor(world, api) } }),
  'DELETE /cabinets/{id}': async ({ world, api }) => {
    const body = { siteId: param(world, 'sites'), name: 'Empty', columns: [] };
    return { params: { id: (await api('POST /cabinets', { body })).id } };
  },
  'DELETE /sites/{id}': async ({ api }) => ({ params: { id: (await api('POST /sites', { body: { name: unique() } })).id } }),
  'DELETE /groups/{id}': async ({ api }) => ({ params: { id: (await api('POST /groups', { body: { name: unique() } })).id } }),
  'DELETE /groups/{id}/members/{userId}': async ({ api }) => {
    const { id } = await api('POST /groups', { body: { name: unique() } });
    const userId = (await api('GET /accounts/me')).account.id;
    await api('POST /groups/{id}/members/{userId}', { params: { id, userId }, body: {} });
    return { params: { id, userId } };
  },
  'PUT /policies/{_id}': aPolicy,
  'DELETE /policies/{_id}': aPolicy,
  'DELETE /assets/{id}': async ({ api }) => ({ params: { id: (await api('POST /assets', { body: { name: 'Spare' } }))._id } }),
  'POST /assets/import': async () => ({ body: { csv: 'Name\nLadder\n' } }),
  'POST /webhooks/{id}/test': activeWebhook,
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': activeWebhook,
  'PUT /templates': async ({ api }) => {
    const [first] = await api('GET /templates');
    if (!first) throw new Error('no template');
    const { kind, channel, locale, subject, text, version } = first;
    return { body: { kind, channel, locale, subject, text, version } };
  },
  'DELETE /statuslabels/{id}': async ({ api }) => ({
    params: { id: (await api('POST /statuslabels', { body: { name: unique(), type: 'pending' } })).id },
  }),
};
