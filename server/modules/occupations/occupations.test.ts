import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { testWall, type Wall } from './test-wall.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: Wall;
let used = 0;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testWall(server, ours, admin, 30);
}, 60_000);
afterAll(() => server.stop());

const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return [error.status, error.problem?.code];
};
const free = () => {
  const locker = wall.lockers[used++];
  if (!locker) throw new Error('the wall is full');
  return locker;
};
const receiver = { name: 'Kari Nordmann', tlf: '91234567', email: 'kari@example.test' };

describe('the road of a delivery', () => {
  it('goes from register to the end, and says at each step what comes next', async () => {
    const { id: lockerId, doorTag } = free();
    const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId, receiver, assetText: 'Bosch GSR 18V' } });
    expect(made).toMatchObject({ stageName: 'RESERVED', doorTag, version: 1, receiver: { tlf: '+4791234567' }, fit: null });
    const filled = await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    expect(filled).toMatchObject({ stageName: 'FILLED', version: 2 });
    expect(filled.actions[0]).toBe('send');
    const sent = await admin.api('PUT /occupations', { body: { id: made.id, action: 'send', channel: 'both' } });
    expect(sent.stageName).toBe('CONTACTING');
    const claimed = await admin.api('PUT /occupations/assign', { body: { id: made.id, action: 'claim' } });
    expect(claimed).toMatchObject({ stageName: 'CLAIMING', resumeStage: 4, claimedBy: { name: 'Ada Admin' } });
    const ended = await admin.api('PUT /occupations', { body: { id: made.id, action: 'finnish' } });
    expect(ended).toMatchObject({ stageName: 'TERMINATED', actions: [] });
    const events = await server.deps.db.tenant(ours.id, (tx) =>
      tx.selectFrom('events').select('type').where('tenant_id', '=', ours.id).where('occupation_id', '=', made.id).orderBy('id').execute(),
    );
    expect(events.map((event) => event.type)).toEqual([
      'occupation_created',
      'locker_reserved',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_claimed',
      'occupation_delivered',
    ]);
    expect(await admin.api('GET /lockers/{id}', { params: { id: lockerId } })).toMatchObject({ content: 'empty', occupationId: null });
  });

  it('goes in one call, all or nothing', async () => {
    const { id: lockerId } = free();
    const whole = await admin.api('POST /occupations/delivery', { body: { lockerId, receiver, fill: true, send: true } });
    expect(whole.stageName).toBe('CONTACTING');
    const other = free();
    expect(await refusal(admin.api('POST /occupations/delivery', { body: { lockerId: other.id, fill: true, send: true } }))).toEqual([
      422,
      'receiver-needed',
    ]);
    expect(await admin.api('GET /lockers/{id}', { params: { id: other.id } })).toMatchObject({ occupationId: null });
  });
});
