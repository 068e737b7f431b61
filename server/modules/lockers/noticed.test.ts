import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin']);
  wall = await testCabinet(server, admin.api, 8);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

describe('what a controller notices', () => {
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
    const locker = await wall.free();
    const made = await claimed(locker);
    await wall.say().event('tamper', { compartment: locker.compartment });
    const content = async () => (await admin.api('GET /lockers/{id}', { params: { id: locker.id } })).content;
    await expect.poll(content).toBe('unknown');
    const told = await typesOf(made.id);
    expect(told).toContain('locker_unknown');
    expect(told).not.toContain('locker_opened');
    expect(told).not.toContain('occupation_claiming');
    expect(await admin.api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'CLAIMING' });
  });

  // shows R4.9
  it('of a door left open is told as that, and not as a second opening', async () => {
    const locker = await wall.free();
    const made = await claimed(locker);
    await admin.api('POST /lockers/{id}/open', {
      params: { id: locker.id },
      body: { doorTag: locker.doorTag, occupationId: made.id },
    });
    expect((await typesOf(made.id)).slice(-2)).toEqual(['occupation_claiming', 'locker_opened']);
    await wall.say().event('left_open', { compartment: locker.compartment });
    await expect.poll(() => typesOf(made.id)).toContain('locker_unknown');
    expect((await typesOf(made.id)).filter((type) => type === 'locker_opened')).toHaveLength(1);
  });

  // shows R4.25
  it('once more after somebody has looked is another incident: in doubt again, and told to whom its parcel concerns', async () => {
    const locker = await wall.free();
    const params = { id: locker.id };
    const staff = await company.person(['delivery_manager']);
    const made = await claimed(locker);
    const content = async () => (await admin.api('GET /lockers/{id}', { params })).content;
    for (let time = 0; time < 2; time++) {
      await wall.say().event('tamper', { compartment: locker.compartment });
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
  });

  it('by a sensor counts once the door is shut, also where it was noticed while the door stood open', async () => {
    const locker = await wall.free();
    const params = { id: locker.id };
    await admin.api('POST /lockers/{id}/open', { params, body: { doorTag: locker.doorTag } });
    await wall.say().state('open', { occupancy: 'occupied' }, locker.compartment);
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params })).occupancy).toBe('occupied');
    expect(await admin.api('GET /lockers/{id}', { params })).toMatchObject({ content: 'empty' });
    await wall.close(locker.compartment, { occupancy: 'occupied' });
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params })).door).toBe('closed');
    expect(await admin.api('GET /lockers/{id}', { params })).toMatchObject({ content: 'occupied', contentWhy: 'sensor', inDoubt: true });
  });
});

describe('when a cabinet was last heard', () => {
  it('does not stand still while it speaks', async () => {
    const heard = () => admin.api('GET /cabinets/{id}', { params: { id: wall.id } });
    const long = new Date(Date.now() - 3_600_000).toISOString();
    await query(server.database.ownerUrl, 'update cabinets set last_seen_at = $2, updated_at = $2 where id = $1', [wall.id, long]);
    expect(await heard()).toMatchObject({ lastSeenAt: long });
    await wall.close(1);
    await expect.poll(async () => Date.parse((await heard()).lastSeenAt ?? long)).toBeGreaterThan(Date.parse(long));
    // A screen that shows it takes the change as a newer one.
    expect(Date.parse((await heard()).updatedAt)).toBeGreaterThan(Date.parse(long));
  });
});

describe('a lock', () => {
  it('that did not catch is told of for as long as it is heard', async () => {
    const locker = await wall.free();
    const seen = () => admin.api('GET /lockers/{id}', { params: { id: locker.id } });
    expect(await seen()).toMatchObject({ door: 'closed', lock: 'locked' });
    for (const lock of ['unlocked', 'locked', 'unlocked'] as const) {
      await wall.close(locker.compartment, { lock });
      await expect.poll(async () => (await seen()).lock).toBe(lock);
    }
    expect(await seen()).toMatchObject({ door: 'closed', content: 'empty', inDoubt: false });
    // What it said before it went is not what its lock is now.
    await wall.cut();
    await expect.poll(async () => (await seen()).connection).toBe('offline');
    expect(await seen()).toMatchObject({ door: 'unknown', lock: 'unknown' });
    await wall.plug();
  });
});

describe('a process killed between asking and hearing', () => {
  it('leaves a command that ends as no-answer, not a door believed open', async () => {
    const { settleCommand } = await import('./door-commands.ts');
    const id = crypto.randomUUID();
    const locker = await wall.free();
    await query(
      server.database.ownerUrl,
      `insert into commands (tenant_id, id, cabinet_id, controller_id, locker_id, compartment, op, actor, issued_at, expires_at) values ($1, $2, $3::uuid, $3::uuid::text, $4, $5, 'open', '{"kind":"person","id":null,"name":"X"}', now(), now())`,
      [company.id, id, wall.id, locker.id, locker.compartment],
    );
    await settleCommand(server.deps, company.id, id);
    await settleCommand(server.deps, company.id, id);
    const rows = await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1', [locker.id]);
    expect(rows.map((row) => row.type)).toEqual(['locker_no_answer']);
  });
});

// Each row is kept as it was last written; whatever a row is made of, a change of it is seen at once.
describe('a page of lockers', () => {
  const page = () => admin.api('GET /lockers', { query: { limit: 50 } });
  /** Each as it is read by itself, where nothing is kept. */
  const each = () => Promise.all(wall.lockers.map(({ id }) => admin.api('GET /lockers/{id}', { params: { id } })));
  const inOrder = <T extends { id: string }>(rows: readonly T[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const agrees = async () => {
    const [once, again, alone] = [await page(), await page(), await each()];
    expect(inOrder(once)).toEqual(inOrder(alone));
    expect(again).toEqual(once);
    return inOrder(once);
  };

  it('a page says what each locker says, after each kind of change', async () => {
    const { id: lockerId } = await wall.free();
    await expect.poll(async () => (await each()).every(({ door }) => door === 'closed')).toBe(true);
    const set = (text: string) => query(server.database.ownerUrl, text);
    const of = async () => (await agrees()).find(({ id }) => id === lockerId);
    await agrees();
    await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: true, reason: 'Broken' } });
    expect((await of())?.outOfService?.reason).toBe('Broken');
    await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: false } });
    const body = { type: 'delivery', assetText: 'Parcel', receiver: { name: 'Kari', email: 'kari@example.test' }, lockerId } as const;
    const { id } = await admin.api('POST /occupations', { body });
    expect((await of())?.occupationId).toBe(id);
    // what else it is made of, each by itself: its use, its cabinet
    await set(`update occupations set overdue = true where id = '${id}'`);
    expect((await of())?.occupation?.overdue).toBe(true);
    await set(`update cabinets set connection = 'offline' where tenant_id = '${company.id}'`);
    expect(await of()).toMatchObject({ connection: 'offline', door: 'unknown' });
    await set(`update cabinets set connection = 'online' where tenant_id = '${company.id}'`);
    await admin.api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'Not needed' } });
    expect((await of())?.occupationId).toBeNull();
  });

  it('who asks for one gets that one, and another company none, also where all are kept', async () => {
    await page();
    const [first] = wall.lockers;
    const found = await admin.api('GET /lockers', { query: { limit: 50, q: { id: first?.id ?? '' } } });
    expect(found.map(({ id }) => id)).toEqual([first?.id]);
    const stranger = await (await testCompany(server)).person(['admin']);
    expect(await stranger.api('GET /lockers', { query: { limit: 50 } })).toEqual([]);
  });
});
