import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { problemOf, refusal } from './test-refusal.ts';

// Each service's road over HTTP, from fill to end, as staff walk it.
import { likeTheFirst } from './test-copy.ts';
import { testDoors, type TestDoors } from './test-doors.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestDoors;
/** Whose doors move. */
let steel: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testDoors(admin.api, 84);
  steel = await testCabinet(server, admin.api, 3);
});
afterAll(async () => {
  steel?.end();
  await server.stop();
});

type Body = Parameters<typeof admin.api<'POST /occupations'>>[1]['body'];
const kari = { name: 'Kari Nordmann', tlf: '91234567', email: 'kari@example.test' };
const ola = { name: 'Ola Hansen', email: 'ola@example.test' };
const register = async (body: Omit<Body, 'lockerId'>, api = admin.api) =>
  api('POST /occupations', { body: { lockerId: (await wall.free()).id, ...body } });
type Action = 'fill' | 'publish' | 'empty' | 'reset' | 'finnish' | 'send' | 'extract' | 'return';
const act = (id: string, action: Action, more: object = {}) => admin.api('PUT /occupations', { body: { id, action, ...more } });
const claim = (id: string, more: object = {}) => admin.api('PUT /occupations/assign', { body: { action: 'claim', id, ...more } });
const one = (id: string) => admin.api('GET /occupations/{id}', { params: { id } });
const end = (id: string, reason?: string) => admin.api('DELETE /occupations/{id}', { params: { id }, body: reason ? { reason } : {} });
const lockerOf = (id: string) => admin.api('GET /lockers/{id}', { params: { id } });
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const asset = async (name: string, label?: string) => {
  const made = await admin.api('POST /assets', { body: { name } });
  if (label !== undefined) {
    const labels = await query<{ id: string }>(
      server.database.ownerUrl,
      `insert into status_labels (tenant_id, id, name, type, notes, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $3, '', now(), now()) returning id`,
      [ours.id, `${name} label`, label],
    );
    await query(server.database.ownerUrl, 'update assets set status_label_id = $1 where id = $2', [labels[0]?.id, made._id]);
  }
  return made._id;
};
const storyOf = async (id: string) =>
  (await query<{ type: string }>(server.database.ownerUrl, 'select type from events where occupation_id = $1 order by id', [id])).map(
    (row) => row.type,
  );
const messagesOf = (id: string) =>
  query<{ kind: string; channel: string }>(
    server.database.ownerUrl,
    'select kind, channel from messages where occupation_id = $1 order by created_at, kind, channel',
    [id],
  );

describe('lending', () => {
  const drill = likeTheFirst(
    () => server,
    async ({ id: lockerId }, more: object = {}) => {
      const made = await register({ type: 'lending', assetText: 'Drill', lockerId, ...more } as Omit<Body, 'lockerId'>);
      await act(made.id, 'fill');
      return act(made.id, 'publish');
    },
  );
  const offered = async (more?: object) => drill(await wall.free(), more);

  // shows R4.2, R4.3, R4.13, R4.14
  it('goes out, is due, comes back, is looked at where the policy says so, and goes out again', async () => {
    const door = await wall.free();
    await admin.api('POST /policies', { body: { name: 'Tools', ref: 'tools', lockerIds: [door.id], loanHours: 48, inspectReturns: true } });
    const body = { type: 'lending', lockerId: door.id, assetId: await asset('Laser level') } as const;
    const made = await admin.api('POST /occupations', { body });
    expect(made).toMatchObject({ loanHours: 48 });
    await act(made.id, 'fill');
    expect((await act(made.id, 'publish')).actions[0]).toBe('claim');
    expect(await claim(made.id, { receiver: kari })).toMatchObject({ stageName: 'CLAIMING', receiver: { name: 'Kari Nordmann' } });
    const out = await act(made.id, 'finnish');
    expect(out).toMatchObject({ stageName: 'VACANT', overdue: false });
    const due = Date.parse(out.dueAt ?? '') - Date.now();
    expect(due).toBeGreaterThan(47 * 3_600_000);
    expect(due).toBeLessThanOrEqual(48 * 3_600_000);
    expect(out.actions[0]).toBe('return');
    const back = await act(made.id, 'return', { condition: 'scratched' });
    expect(back).toMatchObject({ stageName: 'FILLED', dueAt: null, receiver: null, claimedBy: null });
    const loans = 'select borrower_name, condition_in, end_reason from loans where occupation_id = $1';
    expect(await query(server.database.ownerUrl, loans, [made.id])).toEqual([
      { borrower_name: 'Kari Nordmann', condition_in: 'scratched', end_reason: 'returned' },
    ]);
    expect(await act(made.id, 'publish')).toMatchObject({ stageName: 'ACQUIRABLE' });
    expect(await storyOf(made.id)).toEqual([
      'occupation_created',
      'locker_reserved',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_claimed',
      'occupation_borrowed',
      'occupation_returned',
      'occupation_published',
    ]);
    await claim(made.id, { receiver: ola });
    expect(await act(made.id, 'finnish')).toMatchObject({ stageName: 'VACANT', receiver: { name: 'Ola Hansen' } });
  });

  it('is reminded of by the word of staff, also where no reminder was sent before, and not while one is under way', async () => {
    const { id } = await offered();
    expect((await claim(id, { receiver: kari })).actions).not.toContain('send');
    expect((await act(id, 'finnish')).actions).toContain('send');
    const reminders = async () => (await messagesOf(id)).filter(({ kind }) => kind === 'reminder').length;
    expect(await reminders()).toBe(0);
    expect(await act(id, 'send')).toMatchObject({ stageName: 'VACANT' });
    expect(await reminders()).toBe(1);
    await query(server.database.ownerUrl, "update messages set state = 'queued' where occupation_id = $1 and kind = 'reminder'", [id]);
    expect(await refusal(act(id, 'send'))).toEqual([409, 'message-not-sendable']);
    await query(server.database.ownerUrl, "update messages set state = 'accepted' where occupation_id = $1 and kind = 'reminder'", [id]);
    await act(id, 'send');
    expect(await reminders()).toBe(2);
    await act(id, 'return');
    // offered to nobody by name again, it is nobody's to be reminded of
    expect(await refusal(act(id, 'send'))).toEqual([422, 'receiver-needed']);
    expect(await reminders()).toBe(2);
  });

  it('stands in the list where its due date belongs, also after that has changed, and by when it is fetched else', async () => {
    const mark = `Sorted${unique()}`;
    const due = async (at: number) => {
      const { id } = await offered({ assetText: mark });
      await claim(id, { receiver: kari, dueAt: hours(at) });
      return act(id, 'finnish');
    };
    const [soon, late] = [await due(2), await due(90)];
    const parcel = await register({ type: 'delivery', assetText: mark, pickupBy: hours(40) });
    const never = await register({ type: 'delivery', assetText: mark });
    const listed = async (sort: 'deadline' | '-deadline') => {
      const ids: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = { q: { $text: mark }, sort, limit: 1, ...(cursor === '' ? {} : { cursor }) };
        const page: { rows: { id: string }[]; next: string | null } = await admin.api.page('GET /occupations', { query });
        ids.push(...page.rows.map(({ id }) => id));
        cursor = page.next;
      }
      return ids;
    };
    expect(await listed('deadline')).toEqual([soon.id, parcel.id, late.id, never.id]);
    expect(await listed('-deadline')).toEqual([never.id, late.id, parcel.id, soon.id]);
    await admin.api('PUT /occupations/{id}', { params: { id: soon.id }, body: { version: soon.version, dueAt: hours(60) } });
    expect(await listed('deadline')).toEqual([parcel.id, soon.id, late.id, never.id]);
    await act(late.id, 'return');
    expect((await listed('deadline')).slice(0, 2)).toEqual([parcel.id, soon.id]);
  });

  it('is due when staff say so at the hand-over or while it is out, and never in the past', async () => {
    const lent = await offered({ loanHours: 5 });
    expect(lent.loanHours).toBe(5);
    expect(await refusal(claim(lent.id, { receiver: kari, dueAt: '2020-01-01T00:00:00Z' }))).toEqual([422, 'deadline']);
    const dueAt = hours(30);
    await claim(lent.id, { receiver: kari, dueAt });
    const out = await act(lent.id, 'finnish');
    expect(out.dueAt).toBe(dueAt);
    const later = hours(60);
    const extended = await admin.api('PUT /occupations/{id}', { params: { id: lent.id }, body: { version: out.version, dueAt: later } });
    expect(extended.dueAt).toBe(later);
    const past = { version: extended.version, dueAt: '2020-01-01T00:00:00Z' };
    expect(await refusal(admin.api('PUT /occupations/{id}', { params: { id: lent.id }, body: past }))).toEqual([422, 'deadline']);
    expect(await refusal(register({ type: 'delivery', loanHours: 5 }))).toEqual([422, 'deadline']);
  });

  it('whose borrower was written down wrongly is corrected in the loan too', async () => {
    const drill = await asset('Misplaced drill');
    const lent = await offered({ assetId: drill, assetText: undefined });
    await claim(lent.id, { receiver: kari });
    const { version } = await act(lent.id, 'finnish');
    await admin.api('PUT /occupations/{id}', { params: { id: lent.id }, body: { version, receiver: ola } });
    expect((await admin.api('GET /assets/{id}', { params: { id: drill } })).holder).toMatchObject({ name: 'Ola Hansen' });
    const [loan] = await admin.api('GET /assets/{id}/loans', { params: { id: drill }, query: {} });
    expect(loan?.borrower).toEqual({ accountId: null, name: 'Ola Hansen', tlf: null, email: 'ola@example.test' });
  });

  it('whose door would not open leaves no borrower behind', async () => {
    const lent = await offered();
    await claim(lent.id, { receiver: kari });
    expect(await act(lent.id, 'return')).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null, claimedBy: null });
  });

  it('is refused for what its label keeps in, for what is out, and for what lies in another locker', async () => {
    const broken = await asset('Broken drill', 'undeployable');
    expect(await refusal(register({ type: 'lending', assetId: broken }))).toEqual([409, 'not-lendable']);
    expect(await register({ type: 'delivery', assetId: broken, receiver: kari })).toMatchObject({ stageName: 'RESERVED' });
    const drill = await asset('Good drill', 'deployable');
    const first = await offered({ assetId: drill, assetText: undefined });
    expect(await problemOf(register({ type: 'lending', assetId: drill }))).toMatchObject({
      code: 'in-use-elsewhere',
      errors: [{ pointer: '/assetId' }],
    });
    await claim(first.id, { receiver: kari });
    await act(first.id, 'finnish');
    expect(await refusal(register({ type: 'lending', assetId: drill }))).toEqual([409, 'open-loan']);
    // recalled is what is out: that it is, is no obstacle
    expect(await register({ type: 'recall', assetId: drill, receiver: kari })).toMatchObject({ stageName: 'RESERVED' });
  });

  it('registered twice at once lies in one locker', async () => {
    const drill = await asset('Wanted drill');
    const lockers = [await wall.free(), await wall.free(), await wall.free(), await wall.free()];
    const both = await Promise.allSettled(
      lockers.map(({ id: lockerId }) => admin.api('POST /occupations', { body: { type: 'lending', assetId: drill, lockerId } })),
    );
    expect(both.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
  });

  it('that is over elsewhere ends with its reason, and with no other', async () => {
    for (const reason of ['lost', 'returned-elsewhere']) {
      const lent = await offered();
      await claim(lent.id, { receiver: kari });
      await act(lent.id, 'finnish');
      for (const none of [undefined, 'no idea']) expect(await refusal(end(lent.id, none))).toEqual([409, 'open-loan']);
      await end(lent.id, reason);
      expect(await one(lent.id)).toMatchObject({ stageName: 'TERMINATED', endReason: 'cancelled', dueAt: null });
      const loans = `select end_reason, ended_by->>'name' as by from loans where occupation_id = $1`;
      expect(await query(server.database.ownerUrl, loans, [lent.id])).toEqual([{ end_reason: reason, by: 'Ada Admin' }]);
      expect(await lockerOf(lent.lockerId)).toMatchObject({ content: 'empty', occupationId: null });
    }
  });

  it('comes back into another locker, where staff say so', async () => {
    const lent = await offered();
    await claim(lent.id, { receiver: kari });
    await act(lent.id, 'finnish');
    const other = await wall.free();
    expect(await act(lent.id, 'return', { lockerId: other.id })).toMatchObject({ stageName: 'ACQUIRABLE', doorTag: other.doorTag });
    expect(await lockerOf(lent.lockerId)).toMatchObject({ content: 'empty', occupationId: null });
    expect(await lockerOf(other.id)).toMatchObject({ content: 'occupied', occupationId: lent.id });
  });
});

describe('a consumable', () => {
  it('refilled after its door was forced stays in doubt: whoever put more in said nothing of what was there', async () => {
    const { id: lockerId, compartment } = await steel.free();
    const made = await register({ type: 'consumable', lockerId, assetText: 'Gloves', quantity: 40 } as Omit<Body, 'lockerId'>);
    await act(made.id, 'fill');
    await steel.force(compartment);
    await steel.close(compartment);
    await expect.poll(async () => (await lockerOf(lockerId)).inDoubt).toBe(true);
    expect(await act(made.id, 'fill', { quantity: 1 })).toMatchObject({ quantity: 41, inDoubt: true });
    expect(await lockerOf(lockerId)).toMatchObject({ content: 'unknown', inDoubt: true });
    expect(await refusal(act(made.id, 'publish'))).toEqual([409, 'locker-in-doubt']);
    await admin.api('PUT /lockers/{id}/content', { params: { id: lockerId }, body: { content: 'occupied' } });
    expect(await act(made.id, 'publish')).toMatchObject({ stageName: 'ACQUIRABLE', inDoubt: false });
  });

  // shows R4.6, R4.15
  it('is taken in pieces until none is left, and refilled', async () => {
    const made = await register({ type: 'consumable', assetText: 'Gloves', quantity: 3, refillLevel: 1 });
    await act(made.id, 'fill');
    expect(await act(made.id, 'publish')).toMatchObject({ quantity: 3, refillLevel: 1 });
    expect(await refusal(claim(made.id, { quantity: 4 }))).toEqual([422, 'quantity']);
    expect(await claim(made.id, { quantity: 2 })).toMatchObject({ stageName: 'CLAIMING', held: 2 });
    expect(await refusal(claim(made.id))).toEqual([409, 'in-use']);
    expect(await act(made.id, 'finnish')).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 1, held: 0 });
    expect(await act(made.id, 'fill', { quantity: 4 })).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 5 });
    await claim(made.id, { quantity: 5 });
    expect(await act(made.id, 'finnish')).toMatchObject({ stageName: 'VACANT', quantity: 0 });
    expect(await lockerOf(made.lockerId)).toMatchObject({ content: 'empty', occupationId: made.id });
    expect(await act(made.id, 'fill', { quantity: 10 })).toMatchObject({ stageName: 'FILLED', quantity: 10 });
    expect(await storyOf(made.id)).toEqual([
      'occupation_created',
      'locker_reserved',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_claimed',
      'occupation_consumed',
      'occupation_refilled',
      'occupation_assigned',
      'occupation_claimed',
      'occupation_consumed',
      'occupation_filled',
    ]);
  });

  it.each([
    ['whose pieces were all taken', 'finnish', 'cancelled'],
    ['that staff took out', 'extract', 'taken-out'],
  ] as const)('%s ends as that', async (_what, action, endReason) => {
    const made = await register({ type: 'consumable', assetText: 'Gloves', quantity: 1 });
    await act(made.id, 'fill');
    await act(made.id, 'publish');
    if (action === 'finnish') await claim(made.id);
    expect(await act(made.id, action)).toMatchObject({ stageName: 'VACANT' });
    await end(made.id);
    expect(await one(made.id)).toMatchObject({ stageName: 'TERMINATED', endReason });
  });

  it('is put back whole by who changed their mind, and taken out by staff', async () => {
    const made = await register({ type: 'consumable', assetText: 'Gloves', quantity: 3 });
    await act(made.id, 'fill');
    await act(made.id, 'publish');
    await claim(made.id, { quantity: 2 });
    expect(await refusal(act(made.id, 'return', { lockerId: (await wall.free()).id }))).toEqual([409, 'occupation-transition']);
    expect(await act(made.id, 'return', { lockerId: made.lockerId })).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 3, held: 0 });
    expect(await act(made.id, 'extract')).toMatchObject({ stageName: 'VACANT', quantity: 3 });
    const other = await wall.free();
    expect(await act(made.id, 'fill', { lockerId: other.id })).toMatchObject({ doorTag: other.doorTag, quantity: 3, stageName: 'FILLED' });
    await end(made.id);
    expect(await one(made.id)).toMatchObject({ stageName: 'TERMINATED' });
  });

  it('two who take the last one at once: one of them gets it', async () => {
    const made = await register({ type: 'consumable', assetText: 'Gloves', quantity: 1 });
    await act(made.id, 'fill');
    await act(made.id, 'publish');
    const both = await Promise.allSettled([claim(made.id), claim(made.id)]);
    expect(both.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    expect(await one(made.id)).toMatchObject({ held: 1, quantity: 1 });
  });
});

describe('a storage', () => {
  // shows R4.17, R4.18
  it('is its owner’s from the fill on, until when was said; they come and go, and it ends by word', async () => {
    const pickupBy = hours(100);
    const made = await register({ type: 'storage', receiver: kari, assetText: 'Suitcase', pickupBy });
    expect(await act(made.id, 'fill')).toMatchObject({ stageName: 'ACQUIRABLE', pickupBy });
    expect(await act(made.id, 'send')).toMatchObject({ stageName: 'CONTACTING' });
    expect(await messagesOf(made.id)).toEqual([{ kind: 'ready', channel: 'sms' }]);
    await claim(made.id);
    expect(await refusal(act(made.id, 'return'))).toEqual([409, 'occupation-transition']);
    expect(await act(made.id, 'finnish')).toMatchObject({ stageName: 'TERMINATED', endReason: 'taken' });
    expect(await storyOf(made.id)).toEqual([
      'occupation_created',
      'locker_reserved',
      'occupation_filled',
      'occupation_stored',
      'occupation_published',
      'occupation_assigned',
      'occupation_claimed',
      'occupation_unstored',
    ]);
    expect(await refusal(register({ type: 'storage', receiver: kari, pickupBy: '2020-01-01T00:00:00Z' }))).toEqual([422, 'deadline']);
  });

  it('whose door shut behind its owner is stored again', async () => {
    const door = await steel.free();
    const made = await admin.api('POST /occupations', { body: { type: 'storage', lockerId: door.id, receiver: kari } });
    await act(made.id, 'fill');
    await claim(made.id);
    await admin.api('POST /lockers/{id}/open', { params: { id: door.id }, body: { doorTag: door.doorTag, occupationId: made.id } });
    await steel.close(door.compartment);
    await expect.poll(async () => (await one(made.id)).stageName).toBe('ACQUIRABLE');
    expect((await storyOf(made.id)).filter((type) => type === 'occupation_stored')).toHaveLength(2);
  });
});

describe.each(['drop-off', 'recall'] as const)('a %s', (type) => {
  // shows R4.5, R4.10
  it('is asked for by a link, brought by who got it, and taken out by staff', async () => {
    const door = await steel.free();
    const body = { type, lockerId: door.id, receiver: ola, assetText: 'Keys' };
    const made = await admin.api('POST /occupations', { body });
    expect(made.actions[0]).toBe('send');
    expect(await act(made.id, 'send')).toMatchObject({ stageName: 'RESERVED' });
    expect(await messagesOf(made.id)).toEqual([{ kind: 'request', channel: 'mail' }]);
    const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [
      made.id,
    ]);
    const key = { token: server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '' };
    const phone = server.as(null);
    await phone('POST /pickup/open', { body: { key, doorTag: door.doorTag } });
    await steel.close(door.compartment);
    await expect.poll(() => phone('POST /pickup/done', { body: { key } }).then(() => 'done', String)).toBe('done');
    expect(await one(made.id)).toMatchObject({ stageName: 'ACQUIRABLE' });
    // the link never takes out again what it brought
    await expect(phone('POST /pickup/open', { body: { key, doorTag: door.doorTag } })).rejects.toThrow('occupation-transition');
    await claim(made.id);
    expect(await act(made.id, 'finnish')).toMatchObject({ stageName: 'TERMINATED', endReason: 'taken' });
    const told = await storyOf(made.id);
    expect(told).toContain('occupation_filled');
    expect(told.slice(-2)).toEqual(
      type === 'recall' ? ['occupation_claimed', 'occupation_returned'] : ['occupation_assigned', 'occupation_claimed'],
    );
  });
});

describe('a drop-off, as a recall', () => {
  const type = 'drop-off';

  it('nobody came for is called off, and its link is dead', async () => {
    const made = await register({ type, receiver: ola, assetText: 'Keys' });
    await act(made.id, 'send');
    expect(await refusal(act(made.id, 'publish'))).toEqual([409, 'occupation-transition']);
    await end(made.id, 'nobody came');
    expect(await lockerOf(made.lockerId)).toMatchObject({ content: 'empty', occupationId: null });
  });

  it('needs somebody to ask', async () => {
    const made = await register({ type, assetText: 'Keys' });
    expect(await refusal(act(made.id, 'send'))).toEqual([422, 'receiver-needed']);
    expect(await act(made.id, 'send', { receiver: ola })).toMatchObject({ stageName: 'RESERVED', receiver: { name: 'Ola Hansen' } });
  });
});

describe('a sale', () => {
  // shows R3.5
  it('has its price and pieces, is refilled on the shelf, and opens for nobody who has not paid', async () => {
    expect(await refusal(register({ type: 'sale', assetText: 'Coffee', quantity: 2 }))).toEqual([422, 'price']);
    const nothing = { amount: 0, currency: 'NOK' };
    expect(await refusal(register({ type: 'sale', assetText: 'Coffee', price: nothing }))).toEqual([422, 'price']);
    const price = { amount: 8900, currency: 'NOK' };
    const made = await register({ type: 'sale', assetText: 'Coffee', quantity: 2, price });
    expect(await act(made.id, 'fill')).toMatchObject({ stageName: 'FILLED', quantity: 2, price });
    expect(await refusal(act(made.id, 'send', { receiver: kari }))).toEqual([409, 'occupation-transition']);
    await act(made.id, 'publish');
    expect(await act(made.id, 'fill', { quantity: 3 })).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 5 });
    expect(await refusal(claim(made.id))).toEqual([402, 'payment-needed']);
    expect(await act(made.id, 'extract')).toMatchObject({ stageName: 'VACANT' });
    expect(await act(made.id, 'reset')).toMatchObject({ stageName: 'RESERVED' });
    await end(made.id);
  });
});

describe('who may', () => {
  // shows R6.5, R6.6, R6.7, R6.8, R6.9
  it('start each service: its role, and no other service’s, on a door that they name or on any', async () => {
    const roles = {
      delivery: 'delivery_manager',
      sale: 'sale_manager',
      lending: 'lending_manager',
      consumable: 'consumable_manager',
      recall: 'recall_manager',
      'drop-off': 'drop-off_manager',
    } as const;
    const price = { amount: 8900, currency: 'NOK' };
    const types = Object.keys(roles) as (keyof typeof roles)[];
    for (const type of types) {
      const holder = await ours.person([roles[type]]);
      const asked = (of: typeof type) => ({ type: of, receiver: ola, ...(of === 'sale' ? { price } : {}) });
      expect(await register(asked(type), holder.api)).toMatchObject({ type });
      // each role against each service: domain/test/access.test.ts
      const other = types[(types.indexOf(type) + 1) % types.length] ?? type;
      for (const door of [{ lockerId: (await wall.free()).id }, {}]) {
        const body = { ...asked(other), ...door };
        expect([other, await refusal(holder.api('POST /occupations', { body }))]).toEqual([other, [403, 'forbidden']]);
      }
    }
  });
});

describe('a thing that is taken to lie nowhere else', () => {
  const alone = (type: 'delivery' | 'sale' | 'recall' | 'lending' | 'drop-off', assetId: string) =>
    register({ type, assetId, assetUnused: true, receiver: kari, ...(type === 'sale' ? { price: { amount: 100 } } : {}) });

  it('is refused where it does, also when two register it at once, and goes on by somebody’s word', async () => {
    const camera = await asset('Only camera');
    const both = await Promise.allSettled(Array.from({ length: 4 }, () => alone('delivery', camera)));
    expect(both.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    const problem = await problemOf(alone('delivery', camera));
    expect(problem).toMatchObject({ status: 409, code: 'in-use-elsewhere', errors: [{ pointer: '/assetId' }] });
    expect(await refusal(alone('lending', camera))).toEqual([409, 'in-use-elsewhere']);
    expect(await register({ type: 'delivery', assetId: camera, receiver: kari })).toMatchObject({ stageName: 'RESERVED' });
  });

  it('waits for one who registers it without that word at the same time', async () => {
    const camera = await asset('Hurried camera');
    const answers = await Promise.allSettled([
      register({ type: 'delivery', assetId: camera, receiver: kari }),
      alone('delivery', camera),
      alone('delivery', camera),
    ]);
    expect(answers[0]?.status).toBe('fulfilled');
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(3);
  });

  it('may be goods, of which there are several, and what is recalled, which is out', async () => {
    const mug = await asset('Mugs');
    expect(await alone('sale', mug)).toMatchObject({ stageName: 'RESERVED' });
    expect(await alone('sale', mug)).toMatchObject({ stageName: 'RESERVED' });
    expect(await refusal(alone('delivery', mug))).toEqual([409, 'in-use-elsewhere']);
    expect(await alone('recall', mug)).toMatchObject({ stageName: 'RESERVED' });
  });

  it('is recalled once, also when two recall it at once, until that has ended or somebody wants it asked for once more', async () => {
    const drill = await asset('Recalled drill');
    const lent = await register({ type: 'lending', assetId: drill });
    await act(lent.id, 'fill');
    await act(lent.id, 'publish');
    await claim(lent.id, { receiver: kari });
    await act(lent.id, 'finnish');
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => alone('recall', drill)));
    const [first] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const again = { code: 'in-use-elsewhere', errors: [{ pointer: '/assetId', detail: 'it is being recalled already' }] };
    expect(await problemOf(alone('recall', drill))).toMatchObject(again);
    expect(await refusal(alone('drop-off', drill))).toEqual([409, 'in-use-elsewhere']);
    // asked, and brought: it lies there until staff take it out
    await act(first?.id ?? '', 'send');
    expect(await refusal(alone('recall', drill))).toEqual([409, 'in-use-elsewhere']);
    await act(first?.id ?? '', 'fill');
    expect(await refusal(alone('recall', drill))).toEqual([409, 'in-use-elsewhere']);
    const more = await register({ type: 'recall', assetId: drill, receiver: kari });
    await end(more.id);
    await claim(first?.id ?? '');
    await act(first?.id ?? '', 'finnish');
    expect(await alone('recall', drill)).toMatchObject({ stageName: 'RESERVED' });
  });
});

describe('what policies settle', () => {
  let ours: TestCompany;
  let admin: TestPerson;
  let wall: TestDoors;
  beforeAll(async () => {
    ours = await testCompany(server);
    admin = await ours.person(['admin']);
    wall = await testDoors(admin.api, 30);
  });

  const register = async (body: { type: 'delivery' | 'lending' | 'storage' | 'recall' } & Record<string, unknown>) =>
    admin.api('POST /occupations', { body: { lockerId: (await wall.free()).id, assetText: 'A thing', ...body } });
  const act = (id: string, action: 'fill' | 'publish' | 'extract' | 'finnish' | 'return', more: object = {}) =>
    admin.api('PUT /occupations', { body: { id, action, ...more } });
  const claim = (id: string, more: object = {}) => admin.api('PUT /occupations/assign', { body: { action: 'claim', id, ...more } });
  const offered = async (more: object = {}) => {
    const made = await register({ type: 'lending', ...more });
    await act(made.id, 'fill');
    return act(made.id, 'publish');
  };
  const policy = (more: object) => admin.api('POST /policies', { body: { name: `Policy ${unique()}`, ref: unique(), ...more } });
  const refusedOf = async (calls: Promise<unknown>[]) => {
    const answers = await Promise.allSettled(calls.map((call) => refusal(call)));
    return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  };

  describe('as many as one person may have', () => {
    it('holds for many at once who register for the same person', async () => {
      await policy({ services: ['storage'], maxActivePerPerson: 1 });
      const receiver = { name: 'Kari Nordmann', tlf: '91234567' };
      const many = Array.from({ length: 6 }, () => register({ type: 'storage', receiver }));
      expect(await refusedOf(many)).toEqual(Array.from({ length: 5 }, () => [409, 'too-many']));
      // By a name each of their own, but the same address, in capitals or not.
      const email = `ola-${unique()}@example.test`;
      const typed = [email, email.toUpperCase(), ` ${email}`, email.replace('ola', 'Ola')];
      const others = typed.map((address, at) => register({ type: 'storage', receiver: { name: `Ola ${at}`, email: address } }));
      expect(await refusedOf(others)).toHaveLength(3);
    });

    it('holds for two who hand out to the same person at once', async () => {
      const { ref } = await policy({ services: ['lending'], lockerIds: [(await wall.free()).id], maxActivePerPerson: 1 });
      const lent = [];
      for (let count = 0; count < 4; count++) lent.push(await offered({ policyRef: ref }));
      const receiver = { name: 'Per Hansen', tlf: '92345678' };
      expect(await refusedOf(lent.map(({ id }) => claim(id, { receiver })))).toEqual(Array.from({ length: 3 }, () => [409, 'too-many']));
    });
  });

  describe('who is asked to bring something back', () => {
    it('is asked although they have as many as they may, pays nothing, and counts for nothing while staff fetch it', async () => {
      const { ref } = await policy({
        maxActivePerPerson: 1,
        price: { amount: 5_000, currency: 'NOK' },
        lockerIds: [(await wall.free()).id],
      });
      const receiver = { name: 'Per Hansen', tlf: '94567890' };
      const { _id: assetId } = await admin.api('POST /assets', { body: { name: `Drill ${unique()}` } });
      const { ref: lent } = await policy({ services: ['lending'], maxActivePerPerson: 1, lockerIds: [(await wall.free()).id] });
      const loan = await offered({ policyRef: lent, assetId, assetText: undefined });
      await claim(loan.id, { receiver });
      await act(loan.id, 'finnish');
      const recall = await register({ type: 'recall', policyRef: ref, assetId, assetText: undefined, receiver });
      expect(recall).toMatchObject({ policyRef: ref, price: null });
      await act(recall.id, 'fill');
      expect(await claim(recall.id)).toMatchObject({ stageName: 'CLAIMING' });
      await act(loan.id, 'return');
      const other = await offered({ policyRef: lent });
      expect(await claim(other.id, { receiver })).toMatchObject({ stageName: 'CLAIMING' });
      expect(await act(recall.id, 'finnish')).toMatchObject({ stageName: 'TERMINATED' });
    });
  });

  describe('a policy for groups', () => {
    const crew = async () => {
      const person = await ours.person([], 'Cara Crew');
      const group = await admin.api('POST /groups', { body: { name: `Crew ${unique()}` } });
      const [account] = await admin.api('GET /accounts', { query: { q: { email: person.email } } });
      await admin.api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account?.id ?? '' }, body: {} });
      return { group, receiver: { name: 'Cara Crew', email: person.email.toUpperCase() } };
    };

    it('holds for what is registered for one of theirs, and for nobody else', async () => {
      const { group, receiver } = await crew();
      const { id: lockerId } = await wall.free();
      const theirs = await policy({ services: ['delivery'], groupIds: [group.id], lockerIds: [lockerId], pickupHours: 5 });
      const stranger = { name: 'Stian Stranger', email: `s-${unique()}@example.test` };
      const other = await register({ type: 'delivery', lockerId, receiver: stranger });
      expect(other.policyRef).not.toBe(theirs.ref);
      await admin.api('DELETE /occupations/{id}', { params: { id: other.id }, body: {} });
      expect(await register({ type: 'delivery', lockerId, receiver })).toMatchObject({ policyRef: theirs.ref });
    });

    it('is settled for a loan by who borrows, not by who put it in', async () => {
      const { group, receiver } = await crew();
      const { id: lockerId } = await wall.free();
      await policy({ services: ['lending'], groupIds: [group.id], lockerIds: [lockerId], loanHours: 3 });
      await policy({ services: ['lending'], lockerIds: [lockerId], loanHours: 48 });
      const lent = await offered({ lockerId });
      // for how long it goes out nobody knows before that
      expect(lent).toMatchObject({ policyRef: null, loanHours: null });
      expect(await offered({ lockerId: (await wall.free()).id, loanHours: 5 })).toMatchObject({ loanHours: 5 });
      const hours = async (more: object) => {
        await claim(lent.id, more);
        const { dueAt } = await act(lent.id, 'finnish');
        await act(lent.id, 'return');
        await act(lent.id, 'publish').catch(() => undefined);
        return Math.round((Date.parse(dueAt ?? '') - Date.now()) / 3_600_000);
      };
      expect(await hours({ receiver })).toBe(3);
      expect(await hours({ receiver: { name: 'Stian Stranger', tlf: '93456789' } })).toBe(48);
    });
  });

  describe('a locker that is for something else', () => {
    it('is refused to what would move or come back there', async () => {
      const only = await wall.free();
      const { version } = await admin.api('GET /lockers/{id}', { params: { id: only.id } });
      await admin.api('PUT /lockers/{id}', { params: { id: only.id }, body: { version, services: ['delivery'] } });
      const lent = await offered();
      await claim(lent.id, { receiver: { name: 'Per Hansen', tlf: '92345678' } });
      await act(lent.id, 'finnish');
      expect(await refusal(act(lent.id, 'return', { lockerId: only.id }))).toEqual([422, 'service-not-allowed']);
      await act(lent.id, 'return');
      await act(lent.id, 'extract');
      expect(await refusal(act(lent.id, 'fill', { lockerId: only.id }))).toEqual([422, 'service-not-allowed']);
      const parcel = await register({ type: 'delivery' });
      await act(parcel.id, 'fill');
      await act(parcel.id, 'extract');
      expect(await act(parcel.id, 'fill', { lockerId: only.id })).toMatchObject({ lockerId: only.id, stageName: 'FILLED' });
    });
  });
});
