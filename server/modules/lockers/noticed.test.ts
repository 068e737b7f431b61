import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin']);
});
afterAll(() => server.stop());

describe('what a controller notices', () => {
  const doors = async () => testCabinet(server, admin.api, 2);
  const claimed = async (locker: { id: string }) => {
    const receiver = { name: 'Kari Nordmann', tlf: '91234567' };
    const made = await admin.api('POST /occupations/delivery', { body: { lockerId: locker.id, receiver, fill: true } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    return admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
  };
  const typesOf = async (occupationId: string) =>
    (
      await query<{ type: string }>(server.database.ownerUrl, 'select type from events where occupation_id = $1 order by id', [
        occupationId,
      ])
    ).map((row) => row.type);

  // shows R4.25
  it('of a shut door is no opening: nobody was let to the content, it is only in doubt', async () => {
    const other = await doors();
    const [locker] = other.lockers;
    const made = await claimed(locker ?? { id: '' });
    await other.say().event('tamper', { compartment: 1 });
    const content = async () => (await admin.api('GET /lockers/{id}', { params: { id: locker?.id ?? '' } })).content;
    await expect.poll(content).toBe('unknown');
    const told = await typesOf(made.id);
    expect(told).toContain('locker_unknown');
    expect(told).not.toContain('locker_opened');
    expect(told).not.toContain('occupation_claiming');
    expect(await admin.api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'CLAIMING' });
    other.end();
  });

  // shows R4.9
  it('of a door left open is told as that, and not as a second opening', async () => {
    const other = await doors();
    const [locker] = other.lockers;
    const made = await claimed(locker ?? { id: '' });
    await admin.api('POST /lockers/{id}/open', {
      params: { id: locker?.id ?? '' },
      body: { doorTag: locker?.doorTag ?? '', occupationId: made.id },
    });
    expect((await typesOf(made.id)).slice(-2)).toEqual(['occupation_claiming', 'locker_opened']);
    await other.say().event('left_open', { compartment: 1 });
    await expect.poll(() => typesOf(made.id)).toContain('locker_unknown');
    expect((await typesOf(made.id)).filter((type) => type === 'locker_opened')).toHaveLength(1);
    other.end();
  });

  // shows R4.25
  it('once more after somebody has looked is another incident: in doubt again, and told to whom its parcel concerns', async () => {
    const other = await doors();
    const [locker] = other.lockers;
    const params = { id: locker?.id ?? '' };
    const staff = await company.person(['delivery_manager']);
    const made = await claimed(locker ?? { id: '' });
    const content = async () => (await admin.api('GET /lockers/{id}', { params })).content;
    for (let time = 0; time < 2; time++) {
      await other.say().event('tamper', { compartment: 1 });
      await expect.poll(content).toBe('unknown');
      await admin.api('PUT /lockers/{id}/content', { params, body: { content: 'occupied' } });
      expect(await content()).toBe('occupied');
    }
    const told = (await staff.api('GET /history', { query: { q: { occupationId: made.id } } })).map(({ type }) => type);
    expect(told.filter((type) => type === 'locker_unknown' || type === 'locker_occupied').toSorted()).toEqual([
      'locker_occupied',
      'locker_occupied',
      'locker_unknown',
      'locker_unknown',
    ]);
    other.end();
  });

  it('by a sensor counts once the door is shut, also where it was noticed while the door stood open', async () => {
    const other = await doors();
    const [locker] = other.lockers;
    const params = { id: locker?.id ?? '' };
    await admin.api('POST /lockers/{id}/open', { params, body: { doorTag: locker?.doorTag ?? '' } });
    await other.say().state('open', { occupancy: 'occupied' }, 1);
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params })).occupancy).toBe('occupied');
    expect(await admin.api('GET /lockers/{id}', { params })).toMatchObject({ content: 'empty' });
    await other.close(1, { occupancy: 'occupied' });
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params })).door).toBe('closed');
    expect(await admin.api('GET /lockers/{id}', { params })).toMatchObject({ content: 'occupied', contentWhy: 'sensor', inDoubt: true });
    other.end();
  });
});

describe('when a cabinet was last heard', () => {
  it('does not stand still while it speaks', async () => {
    const other = await testCabinet(server, admin.api, 1);
    const heard = () => admin.api('GET /cabinets/{id}', { params: { id: other.id } });
    const long = new Date(Date.now() - 3_600_000).toISOString();
    await query(server.database.ownerUrl, 'update cabinets set last_seen_at = $2, updated_at = $2 where id = $1', [other.id, long]);
    expect(await heard()).toMatchObject({ lastSeenAt: long });
    await other.close(1);
    await expect.poll(async () => Date.parse((await heard()).lastSeenAt ?? long)).toBeGreaterThan(Date.parse(long));
    // A screen that shows it takes the change as a newer one.
    expect(Date.parse((await heard()).updatedAt)).toBeGreaterThan(Date.parse(long));
    other.end();
  });
});

describe('a lock', () => {
  it('that did not catch is told of for as long as it is heard', async () => {
    const other = await testCabinet(server, admin.api, 1);
    const seen = () => admin.api('GET /lockers/{id}', { params: { id: other.lockers[0]?.id ?? '' } });
    expect(await seen()).toMatchObject({ door: 'closed', lock: 'locked' });
    await other.close(1, { lock: 'unlocked' });
    await expect.poll(async () => (await seen()).lock).toBe('unlocked');
    expect(await seen()).toMatchObject({ door: 'closed', content: 'empty', inDoubt: false });
    await other.close(1, { lock: 'locked' });
    await expect.poll(async () => (await seen()).lock).toBe('locked');
    await other.close(1, { lock: 'unlocked' });
    await expect.poll(async () => (await seen()).lock).toBe('unlocked');
    // What it said before it went is not what its lock is now.
    await other.cut();
    await expect.poll(async () => (await seen()).connection).toBe('offline');
    expect(await seen()).toMatchObject({ door: 'unknown', lock: 'unknown' });
    other.end();
  });
});

describe('a process killed between asking and hearing', () => {
  it('leaves a command that ends as no-answer, not a door believed open', async () => {
    const { settleCommand } = await import('./door-commands.ts');
    const id = crypto.randomUUID();
    const other = await testCabinet(server, admin.api, 1);
    const [locker] = other.lockers;
    await query(
      server.database.ownerUrl,
      `insert into commands (tenant_id, id, cabinet_id, controller_id, locker_id, compartment, op, actor, issued_at, expires_at) values ($1, $2, $3::uuid, $3::uuid::text, $4, 1, 'open', '{"kind":"person","id":null,"name":"X"}', now(), now())`,
      [company.id, id, other.id, locker?.id],
    );
    await settleCommand(server.deps, company.id, id);
    await settleCommand(server.deps, company.id, id);
    const rows = await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1', [locker?.id]);
    expect(rows.map((row) => row.type)).toEqual(['locker_no_answer']);
    other.end();
  });
});
