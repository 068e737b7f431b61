import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@hatchway/contract/client.ts';
import type { Pickup, PickupKey, PickupLink } from '@hatchway/contract/pickup.ts';
import { query } from '../../db/test-database.ts';
import { count } from '../../http/rate-limit.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, UNANSWERED, type TestServer } from '../../test-server.ts';
import { emptied } from '../occupations/test-doors.ts';
import { problemOf, refusal } from '../occupations/test-refusal.ts';

let ahead = 0;
let server: TestServer;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead) });
  phone = server.as(null);
  admin = await (await testCompany(server)).person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 3);
});
afterEach(async () => {
  ahead = 0;
  wall.mode = 'obey';
  wall.commands.length = 0;
  await emptied(server, wall.lockers.slice(0, used));
  used = 0;
  // what somebody can open by a link is chosen for nobody
  await query(server.database.ownerUrl, 'update access_links set revoked_at = now() where revoked_at is null');
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

/** Somebody with a phone, who is not signed in. */
let phone: Client;
type Made = { id: string; token: string };
let used = 0;
/** Each test begins with a wall that nobody uses. */
const doors = (count: number): TestLocker[] => {
  const given = wall.lockers.slice(used, (used += count));
  if (given.length < count) throw new Error('the wall is full');
  return given;
};
const link = async (purpose: PickupLink['purpose'], at: TestLocker[], more: Record<string, unknown> = {}): Promise<Made> => {
  const made = await admin.api('POST /links', { body: { name: 'Plumber', purpose, lockerIds: at.map(({ id }) => id), ...more } });
  return { id: made.id, token: made.url.split('/l/')[1] ?? '' };
};
const look = async ({ token }: Made) => (await phone('POST /pickup/link', { body: { token } })) as PickupLink;
const press = ({ token }: Made, more: { doorTag?: string; use?: string; name?: string } = {}, idempotencyKey?: string) =>
  phone('POST /pickup/link/open', { body: { token, ...more }, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
const staffSee = ({ id }: Made) => admin.api('GET /links/{id}', { params: { id } });
const seen = async (key: PickupKey) => (await phone('POST /pickup/look', { body: { key } })) as Pickup;
const shut = async (door: TestLocker | undefined) => {
  await wall.close(door?.compartment ?? 0);
  await expect
    .poll(() => query(server.database.ownerUrl, 'select door from lockers where id = $1', [door?.id]))
    .toEqual([{ door: 'closed' }]);
};
const useOf = (opened: { use: string | null }): string => opened.use ?? '';

describe('a link to open', () => {
  it('opens its doors and no other, and is not spent by looking', async () => {
    const [a, b, c] = doors(3);
    const made = await link(
      'open',
      [a, b].filter((one) => one !== undefined),
    );
    await look(made);
    const first = await look(made);
    expect(first).toMatchObject({ state: 'active', usesLeft: 1, purpose: 'open', current: null });
    expect(first.places.flatMap((place) => place.doors.map((door) => door.doorTag))).toEqual([a?.doorTag, b?.doorTag]);
    expect(await phone('POST /pickup/link', { body: { token: made.token, rev: first.rev } })).toBeUndefined();
    expect(await refusal(press(made, { doorTag: c?.doorTag ?? '' }))).toEqual([422, 'door-tag-mismatch']);
    expect(await refusal(press(made))).toEqual([422, 'door-tag-mismatch']);
    expect((await staffSee(made)).used).toBe(0);
    const once = () => press(made, { doorTag: a?.doorTag ?? '', name: 'Per Plumber' }, 'press-1');
    const opened = await once();
    // One press, however often it arrives.
    expect(await once()).toEqual(opened);
    expect(wall.commands.filter(({ op, compartment }) => op === 'open' && compartment === a?.compartment)).toHaveLength(1);
    expect(opened).toMatchObject({ outcome: 'opened', pickup: null, link: { state: 'used-up', usesLeft: 0 } });
    expect(await staffSee(made)).toMatchObject({
      state: 'used-up',
      used: 1,
      uses: [{ name: 'Per Plumber', doorTag: a?.doorTag, outcome: 'opened', occupationId: null }],
    });
    await expect
      .poll(async () => (await admin.api('GET /history', { query: { q: { lockerId: a?.id, type: 'locker_opened' } } }))[0]?.actor)
      .toMatchObject({ kind: 'person', id: null, name: 'Plumber' });
  });

  it('counts two presses at once as one use where one is left', async () => {
    const made = await link('open', doors(2));
    const { places } = await look(made);
    const tags = places.flatMap((place) => place.doors.map((door) => door.doorTag));
    const before = wall.commands.length;
    const answers = await Promise.all(
      tags.map((doorTag) =>
        press(made, { doorTag }).then(
          (answer) => answer.outcome,
          async () => 'refused',
        ),
      ),
    );
    expect(answers.toSorted()).toEqual(['opened', 'refused']);
    expect(wall.commands.length - before).toBe(1);
    expect((await staffSee(made)).used).toBe(1);
  });

  it('opens the same door once more for five minutes, and then no more', async () => {
    const made = await link('open', doors(1));
    const use = useOf(await press(made));
    expect(await refusal(press(made))).toEqual([410, 'gone']);
    expect((await look(made)).current).toMatchObject({ use, occupation: false });
    expect(await press(made, { use })).toMatchObject({ outcome: 'opened', use });
    expect((await staffSee(made)).used).toBe(1);
    ahead = 6 * 60_000;
    expect(await problemOf(press(made, { use }))).toMatchObject({ status: 410, code: 'gone', data: { state: 'used-up' } });
  });

  it('gives the use back where the door surely stayed shut, and keeps it where nobody knows', async () => {
    const made = await link('open', doors(1));
    wall.mode = 'jam';
    expect(await press(made)).toMatchObject({ outcome: 'jammed', use: null, link: { state: 'active', usesLeft: 1 } });
    wall.mode = 'silent';
    expect(await server.paced(UNANSWERED, () => press(made))).toMatchObject({ outcome: 'no-answer', link: { state: 'used-up' } });
  });

  it('says why it opens nothing: not yet, over, withdrawn; and is unknown where it never was', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const later = await link('open', doors(1), { validFrom: at(3600_000), validTo: at(7200_000) });
    expect(await problemOf(press(later))).toMatchObject({ status: 410, code: 'gone', data: { state: 'waiting' } });
    expect(await look(later)).toMatchObject({ state: 'waiting', places: [] });
    ahead = 3 * 3600_000;
    expect(await problemOf(press(later))).toMatchObject({ code: 'gone', data: { state: 'expired' } });
    ahead = 0;
    const withdrawn = await link('open', doors(1));
    await admin.api('DELETE /links/{id}', { params: { id: withdrawn.id } });
    expect(await problemOf(press(withdrawn))).toMatchObject({ code: 'gone', data: { state: 'revoked' } });
    const forged = { id: '', token: `${withdrawn.token.slice(0, -3)}AAA` };
    expect(await refusal(press(forged))).toEqual([404, 'unknown-link']);
    expect(await refusal(look(forged))).toEqual([404, 'unknown-link']);
    // An occupation's token is no access link, nor the other way round.
    expect(await refusal(seen({ token: withdrawn.token }))).toEqual([404, 'unknown-link']);
  });

  // shows R7.29
  it('works at POST /open/door without a bearer, as that link may; the tag of a door alone does not', async () => {
    const [door, other] = doors(2);
    const made = await link('open', door ? [door] : []);
    const bare = server.as(null);
    expect(await refusal(bare('POST /open/door', { body: { doorTag: door?.doorTag ?? '' } }))).toEqual([401, 'unauthenticated']);
    expect(await refusal(bare('POST /open/door', { body: { token: made.token, doorTag: other?.doorTag ?? '' } }))).toEqual([
      422,
      'door-tag-mismatch',
    ]);
    // Whoever is signed in opens by the link no more than the link does.
    expect(await refusal(admin.api('POST /open/door', { body: { token: 'x'.repeat(43), doorTag: door?.doorTag ?? '' } }))).toEqual([
      404,
      'unknown-link',
    ]);
    expect(await bare('POST /open/door', { body: { token: made.token } })).toMatchObject({ outcome: 'opened', doorTag: door?.doorTag });
    expect(await refusal(admin.api('POST /open/door', { body: {} }))).toEqual([400, 'malformed']);
  });
});

describe('presses', () => {
  it('are counted from one address too, whatever links they are on', async () => {
    const [a, b] = [await link('open', doors(1), { maxUses: 9 }), await link('open', doors(1), { maxUses: 9 })];
    // An hour of its own, in which no other test presses.
    ahead = 7 * 3600_000 - (Date.now() % 3600_000);
    const now = new Date(Date.now() + ahead).toISOString();
    await server.deps.db.open((tx) => count(tx, { bucket: 'press-from:127.0.0.1', most: 3_000, seconds: 3600 }, now));
    await query(
      server.database.ownerUrl,
      'update rate_limits set count = 2999 where started_at = (select max(started_at) from rate_limits)',
    );
    expect(await press(a)).toMatchObject({ outcome: 'opened' });
    expect(await refusal(press(b))).toEqual([429, 'too-many-requests']);
    // Staff's token is of today.
    ahead = 0;
    expect((await staffSee(b)).used).toBe(0);
  });
});

describe('a link to drop something off', () => {
  it('registers at its use, and is filled like any drop-off', async () => {
    const [door] = doors(1);
    const made = await link('drop-off', door ? [door] : []);
    const opened = await press(made, { name: 'Dora Dropper' });
    expect(opened).toMatchObject({
      outcome: 'opened',
      doorTag: door?.doorTag,
      pickup: { type: 'drop-off', purpose: 'put-in', stageName: 'INITIATED' },
      link: { state: 'used-up', current: { use: opened.use, occupation: true } },
    });
    const key = { link: made.token, use: useOf(opened) };
    await shut(door);
    expect(await phone('POST /pickup/done', { body: { key } })).toMatchObject({ ended: { how: 'put-in' }, may: ['report'] });
    const [use] = (await staffSee(made)).uses;
    const occupation = await admin.api('GET /occupations/{id}', { params: { id: use?.occupationId ?? '' } });
    expect(occupation).toMatchObject({ type: 'drop-off', stageName: 'ACQUIRABLE', note: 'Dora Dropper', createdBy: { name: 'Plumber' } });
    // Never claimed with it.
    expect(await refusal(phone('POST /pickup/open', { body: { key, doorTag: door?.doorTag ?? '' } }))).toEqual([
      409,
      'occupation-transition',
    ]);
  });

  it('goes on where it was, and ends at once when the link is withdrawn', async () => {
    const [door] = doors(1);
    const made = await link('drop-off', door ? [door] : []);
    const key = { link: made.token, use: useOf(await press(made)) };
    await shut(door);
    expect(await phone('POST /pickup/report', { body: { key, kind: 'nothing-inside' } })).toMatchObject({
      stageName: 'RESERVED',
      may: ['open', 'report'],
    });
    expect(await phone('POST /pickup/open', { body: { key, doorTag: door?.doorTag ?? '' } })).toMatchObject({ outcome: 'opened' });
    const foreign = await link('drop-off', doors(1));
    expect(await refusal(seen({ link: foreign.token, use: key.use }))).toEqual([404, 'unknown-link']);
    await admin.api('DELETE /links/{id}', { params: { id: made.id } });
    expect(await refusal(seen(key))).toEqual([404, 'unknown-link']);
  });

  it('goes to its next best door where the first is not empty; staff find that one in doubt', async () => {
    const [a, b] = doors(2);
    const made = await link(
      'drop-off',
      [a, b].filter((one) => one !== undefined),
    );
    const opened = await press(made, { doorTag: a?.doorTag ?? '' });
    const key = { link: made.token, use: useOf(opened) };
    const moved = await phone('POST /pickup/report', { body: { key, kind: 'not-empty', note: 'a shoe' } });
    expect(moved).toMatchObject({ door: { doorTag: b?.doorTag }, stageName: 'RESERVED', may: ['open', 'report'] });
    expect(await admin.api('GET /lockers/{id}', { params: { id: a?.id ?? '' } })).toMatchObject({
      content: 'unknown',
      contentWhy: 'not-empty',
      occupationId: null,
    });
    expect((await staffSee(made)).uses[0]).toMatchObject({ doorTag: b?.doorTag });
    // Not empty either, and none of its own is left: it stays, and staff know.
    await phone('POST /pickup/open', { body: { key, doorTag: b?.doorTag ?? '' } });
    expect(await phone('POST /pickup/report', { body: { key, kind: 'not-empty' } })).toMatchObject({
      door: { doorTag: b?.doorTag },
      stageName: 'INITIATED',
    });
  });

  it('goes on with the locker that was set aside, where the press was cut off and comes again', async () => {
    const made = await link('drop-off', doors(2), { maxUses: 2 });
    const key = 'cut-off';
    const first = await press(made, {}, key);
    // As a process leaves it that was killed before its answer was kept.
    await query(
      server.database.ownerUrl,
      `update idempotency set state = 'running', created_at = created_at - interval '1 minute' where key = $1`,
      [key],
    );
    const again = await press(made, {}, key);
    expect(again).toMatchObject({ outcome: 'opened', use: first.use, doorTag: first.doorTag });
    expect(await staffSee(made)).toMatchObject({ used: 1, uses: [{ doorTag: first.doorTag }] });
    expect((await look(made)).usesLeft).toBe(1);
    // Withdrawn meanwhile, it goes on with nothing.
    await query(
      server.database.ownerUrl,
      `update idempotency set state = 'running', created_at = created_at - interval '1 minute' where key = $1`,
      [key],
    );
    await admin.api('DELETE /links/{id}', { params: { id: made.id } });
    expect(await refusal(press(made, {}, key))).toEqual([410, 'gone']);
  });

  it('is refused where none of its doors is free, and nothing is counted', async () => {
    const [door] = doors(1);
    await admin.api('POST /occupations', {
      body: { type: 'delivery', lockerId: door?.id ?? '', assetText: 'Drill', receiver: { name: 'Kari', email: 'k@example.test' } },
    });
    const made = await link('drop-off', door ? [door] : []);
    expect((await look(made)).places[0]?.doors).toMatchObject([{ hold: 'taken' }]);
    expect(await refusal(press(made))).toEqual([409, 'no-free-locker']);
    expect(await refusal(press(made, { doorTag: door?.doorTag ?? '' }))).toEqual([409, 'locker-taken']);
    expect((await staffSee(made)).used).toBe(0);
  });
});

describe('a link to fetch', () => {
  const dropOff = async (door: TestLocker | undefined) => {
    const made = await admin.api('POST /occupations', {
      body: { type: 'drop-off', lockerId: door?.id ?? '', receiver: { name: 'Kari', email: 'k@example.test' } },
    });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    return made.id;
  };

  it('claims what has waited longest, and ends it once it is out', async () => {
    const [a, b] = doors(2);
    const older = await dropOff(b);
    const younger = await dropOff(a);
    const made = await link(
      'pick-up',
      [a, b].filter((one) => one !== undefined),
      { maxUses: 2 },
    );
    expect(await look(made)).toMatchObject({ waiting: 2, state: 'active', places: [{ waiting: 2 }] });
    // At another cabinet nothing opens.
    expect(await refusal(phone('POST /pickup/link/open', { body: { token: made.token, cabinet: '99999' } }))).toEqual([
      409,
      'nothing-waiting',
    ]);
    const opened = await press(made);
    expect(opened).toMatchObject({
      doorTag: b?.doorTag,
      outcome: 'opened',
      pickup: { purpose: 'take', stageName: 'CLAIMING', may: ['open', 'done', 'put-back', 'report'] },
    });
    expect((await staffSee(made)).uses[0]).toMatchObject({ occupationId: older });
    const key = { link: made.token, use: useOf(opened) };
    await shut(b);
    expect(await phone('POST /pickup/done', { body: { key } })).toMatchObject({ stageName: 'TERMINATED', ended: { how: 'taken' } });
    expect((await press(made)).doorTag).toBe(a?.doorTag);
    expect((await staffSee(made)).uses[0]).toMatchObject({ occupationId: younger });
  });

  it('says so where nothing waits, and leaves alone what is its owner’s or a borrower’s', async () => {
    const [a, b] = doors(2);
    const receiver = { name: 'Kari', email: 'k@example.test' };
    for (const [type, door] of [
      ['storage', a],
      ['lending', b],
    ] as const) {
      const made = await admin.api('POST /occupations', { body: { type, lockerId: door?.id ?? '', assetText: 'Box', receiver } });
      await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
      if (type === 'lending') await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    }
    const made = await link(
      'pick-up',
      [a, b].filter((one) => one !== undefined),
    );
    expect((await look(made)).waiting).toBe(0);
    expect(await refusal(press(made))).toEqual([409, 'nothing-waiting']);
    expect((await staffSee(made)).used).toBe(0);
  });

  it('has its use given back where the door surely stayed shut, and goes on to what lies behind another', async () => {
    const [a, b] = doors(2);
    const jammed = await dropOff(a);
    const next = await dropOff(b);
    const made = await link(
      'pick-up',
      [a, b].filter((one) => one !== undefined),
    );
    wall.mode = 'jam';
    expect(await press(made)).toMatchObject({
      doorTag: a?.doorTag,
      outcome: 'jammed',
      use: null,
      pickup: null,
      link: { state: 'active', usesLeft: 1, waiting: 2, current: null },
    });
    expect(await admin.api('GET /occupations/{id}', { params: { id: jammed } })).toMatchObject({
      stageName: 'ACQUIRABLE',
      claimedBy: null,
    });
    expect(await staffSee(made)).toMatchObject({ used: 0, uses: [] });
    wall.mode = 'obey';
    expect(await press(made)).toMatchObject({ doorTag: b?.doorTag, outcome: 'opened', link: { state: 'used-up' } });
    expect((await staffSee(made)).uses[0]).toMatchObject({ occupationId: next });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['staff ended it', (id) => admin.api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'sent back' } })],
    [
      'staff had somebody else let in',
      async (id) => {
        await admin.api('PUT /occupations', { body: { id, action: 'return' } });
        await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
      },
    ],
    [
      'its receiver had just been told of it',
      (id) => query(server.database.ownerUrl, 'update occupations set resume_stage = 5 where id = $1 and resume_stage = 3', [id]),
    ],
  ])('has its use given back too where, before the door refused, %s', async (_what, meanwhile) => {
    const [door] = doors(1);
    const id = await dropOff(door);
    const made = await link('pick-up', door ? [door] : []);
    wall.mode = 'silent';
    const before = wall.commands.length;
    const pressed = press(made);
    await expect.poll(() => wall.commands.length).toBe(before + 1);
    await meanwhile(id);
    await wall.say().ack(wall.commands.at(-1)?.cmdId ?? '', 'failed', { code: 'jammed' });
    expect(await pressed).toMatchObject({ outcome: 'jammed', use: null, pickup: null, link: { state: 'active', usesLeft: 1 } });
    expect(await staffSee(made)).toMatchObject({ used: 0, uses: [] });
  });

  it('cannot say that it took what it never opened', async () => {
    const [door] = doors(1);
    const id = await dropOff(door);
    const made = await link('pick-up', door ? [door] : []);
    wall.mode = 'silent';
    const opened = await server.paced(UNANSWERED, () => press(made));
    expect(opened).toMatchObject({ outcome: 'no-answer', pickup: { stageName: 'ACQUIRABLE', may: ['open', 'report'] } });
    const key = { link: made.token, use: useOf(opened) };
    expect(await refusal(phone('POST /pickup/done', { body: { key } }))).toEqual([409, 'occupation-transition']);
    wall.mode = 'obey';
    // The same use goes on: it was begun, and the thing is still there.
    expect(await phone('POST /pickup/open', { body: { key, doorTag: door?.doorTag ?? '' } })).toMatchObject({
      outcome: 'opened',
      pickup: { stageName: 'CLAIMING' },
    });
    expect(await admin.api('GET /occupations/{id}', { params: { id } })).toMatchObject({
      stageName: 'CLAIMING',
      claimedBy: { name: 'Plumber' },
    });
  });

  it('and anybody else who was let in keeps their claim when somebody else’s opening fails', async () => {
    const [door] = doors(1);
    const id = await dropOff(door);
    const { secret } = await admin.api('POST /key', { body: { name: 'Other staff', scopes: ['manage'] } });
    const stage = async () => (await admin.api('GET /occupations/{id}', { params: { id } })).stageName;
    const open = (api: Client) =>
      refusal(api('POST /lockers/{id}/open', { params: { id: door?.id ?? '' }, body: { doorTag: door?.doorTag ?? '', occupationId: id } }));
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
    wall.mode = 'jam';
    expect(await open(server.as(secret))).toEqual([409, 'door-refused']);
    expect(await stage()).toBe('CLAIMING');
    expect(await open(admin.api)).toEqual([409, 'door-refused']);
    expect(await stage()).toBe('ACQUIRABLE');
  });

  it('keeps its claim from whoever holds the receiver’s own link, and theirs from it', async () => {
    const [door] = doors(1);
    const id = await dropOff(door);
    const made = await link('pick-up', door ? [door] : [], { maxUses: 2 });
    await press(made);
    const other = await link('pick-up', door ? [door] : []);
    expect(await refusal(press(other))).toEqual([409, 'nothing-waiting']);
    await admin.api('PUT /occupations', { body: { id, action: 'return' } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
    const key = { link: made.token, use: (await staffSee(made)).uses[0]?.id ?? '' };
    expect(await seen(key)).toMatchObject({ hold: 'in-use', may: ['report'] });
    expect(await refusal(phone('POST /pickup/done', { body: { key } }))).toEqual([409, 'in-use']);
  });
});
