import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@hatchway/contract/client.ts';
import type { Pickup } from '@hatchway/contract/pickup.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, UNANSWERED, type TestServer } from '../../test-server.ts';
import { sweep } from '../../jobs/sweep.ts';
import { lookNow } from '../occupations/clock.ts';
import { copied, patternOf, type Pattern } from '../occupations/test-copy.ts';
import { emptied } from '../occupations/test-doors.ts';
import { problemOf, refusal } from '../occupations/test-refusal.ts';

let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let otto: TestPerson;
let wall: TestCabinet;
/** Where codes are typed, at its first door, and which is cut off: every door of a wall is told again as it comes back. */
let other: TestCabinet;
let used = 0;
/** Each test begins with a wall that nobody uses. */
const free = (): TestLocker => {
  const door = wall.lockers[used++];
  if (!door) throw new Error('the wall is full');
  return door;
};
let visitors = 0;
beforeAll(async () => {
  server = await testServer({ config: { trustProxy: true }, now: () => new Date(Date.now() + ahead) });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  otto = await ours.person(['admin'], 'Otto Other');
  wall = await testCabinet(server, admin.api, 3);
  other = await testCabinet(server, admin.api, 3);
});
afterEach(async () => {
  ahead = 0;
  for (const cabinet of [wall, other]) {
    cabinet.mode = 'obey';
    cabinet.commands.length = 0;
  }
  await emptied(server, [...wall.lockers.slice(0, used), ...other.lockers.slice(1)]);
  used = 0;
});
afterAll(async () => {
  wall?.end();
  other?.end();
  await server.stop();
});

/** Somebody with a phone, each behind an address of their own. */
const phone = (address = `10.0.${Math.floor(++visitors / 200)}.${(visitors % 200) + 1}`) =>
  createClient({
    base: `${server.url}/v1`,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('x-forwarded-for', address);
      return fetch(input, { ...init, headers });
    },
  });
type Phone = ReturnType<typeof phone>;

type Held = { id: string; doorTag: string; lockerId: string; compartment: number; token: string; code: string; key: { token: string } };
const receiver = { name: 'Kari Nordmann', tlf: '91234567', email: 'kari@example.test' };
const secretsOf = async (id: string) => {
  const [row] = await query<{ token_sealed: Buffer; code_sealed: Buffer }>(
    server.database.ownerUrl,
    'select token_sealed, code_sealed from occupations where id = $1',
    [id],
  );
  const open = (sealed: Buffer | undefined) => server.deps.seal.open(sealed ?? Buffer.alloc(0)) ?? '';
  return { token: open(row?.token_sealed), code: open(row?.code_sealed) };
};
type Type = 'delivery' | 'storage' | 'lending' | 'consumable' | 'drop-off';
/** The first of each type that was made. */
const patterns = new Map<Type, Pattern>();
const make = async (type: Type, given?: TestLocker): Promise<Held> => {
  const at = given ?? free();
  const where = { doorTag: at.doorTag, lockerId: at.id, compartment: at.compartment };
  const pattern = patterns.get(type);
  if (pattern) {
    const copy = await copied(server, pattern, at);
    return { ...copy, ...where, key: { token: copy.token } };
  }
  const thing = { lockerId: at.id, receiver, assetText: 'Bosch GSR 18V' };
  const made =
    type === 'delivery'
      ? await admin.api('POST /occupations/delivery', { body: { ...thing, fill: true } })
      : await admin.api('POST /occupations', { body: { type, ...thing } });
  if (type === 'drop-off') await admin.api('PUT /occupations', { body: { id: made.id, action: 'send' } });
  else if (type !== 'delivery') await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  if (type !== 'storage' && type !== 'drop-off') await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  patterns.set(type, await patternOf(server, made.id));
  const secrets = await secretsOf(made.id);
  return { id: made.id, ...where, ...secrets, key: { token: secrets.token } };
};
const look = async (held: Pick<Held, 'key'>, api: Phone = phone()) =>
  (await api('POST /pickup/look', { body: { key: held.key } })) as Pickup;
const open = (held: Held, api: Phone = phone()) => api('POST /pickup/open', { body: { key: held.key, doorTag: held.doorTag } });
const isShut = async ({ lockerId }: Held) => {
  const door = () => query(server.database.ownerUrl, 'select door from lockers where id = $1', [lockerId]);
  await expect.poll(door).toEqual([{ door: 'closed' }]);
};
const shut = async (held: Held) => {
  await wall.close(held.compartment);
  await isShut(held);
};

describe('a link', () => {
  // shows R7.24
  it('shows what lies where, and nothing of anybody else’s doors', async () => {
    const held = await make('delivery');
    const seen = await look(held);
    expect(seen).toMatchObject({
      stageName: 'ACQUIRABLE',
      purpose: 'take',
      content: 'Bosch GSR 18V',
      may: ['open', 'report'],
      hold: null,
      lastOpen: null,
      ended: null,
    });
    const doors = seen.cabinet.columns.flatMap((column) => column.doors);
    expect(doors).toHaveLength(wall.lockers.length);
    expect(doors.filter((door) => door.mine || door.doorTag !== null)).toMatchObject([{ mine: true, doorTag: held.doorTag }]);
    expect(JSON.stringify(seen)).not.toContain('Kari');
    // Looking again changes nothing, and costs nothing where nothing changed.
    expect(await phone()('POST /pickup/look', { body: { key: held.key, rev: seen.rev } })).toBeUndefined();
    const short = await phone()('GET /occupations/token/{token}', { params: { token: held.token } });
    const [site, cabinet] = [seen.site.name, seen.cabinet.name];
    const { pickupBy: until } = await admin.api('GET /occupations/{id}', { params: { id: held.id } });
    expect(until).toEqual(expect.any(String));
    expect(short).toMatchObject({
      id: held.id,
      doorTag: held.doorTag,
      stageName: 'ACQUIRABLE',
      type: 'delivery',
      site,
      cabinet,
      price: null,
      until,
    });
  });

  it('says that its time runs out on a day on which the place is closed', async () => {
    const held = await make('delivery');
    expect((await look(held)).untilClosed).toBe(false);
    const { pickupBy } = await admin.api('GET /occupations/{id}', { params: { id: held.id } });
    const { siteId } = await admin.api('GET /cabinets/{id}', { params: { id: wall.id } });
    const [place] = await admin.api('GET /sites', { query: { q: { id: siteId } } });
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Oslo' }).format(new Date(pickupBy ?? ''));
    const change = (closedDays: string[], version: number) =>
      admin.api('PUT /sites/{id}', { params: { id: siteId }, body: { name: place?.name ?? '', closedDays, version } });
    const { version } = await change([day], place?.version ?? 0);
    expect((await look(held)).untilClosed).toBe(true);
    await change([], version);
  });

  it('says of what its status label keeps in that it is not lent out, and nobody is told to come for it', async () => {
    const labels = await admin.api('GET /statuslabels');
    const [repair, ready] = (['undeployable', 'deployable'] as const).map(
      (type) => labels.find((label) => label.type === type)?.id ?? null,
    );
    const { _id, version } = await admin.api('POST /assets', { body: { name: 'Bosch GSR 18V' } });
    const at = free();
    const { id } = await admin.api('POST /occupations', { body: { type: 'lending', lockerId: at.id, receiver, assetId: _id } });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    const { token } = await secretsOf(id);
    const seen = () => look({ key: { token } });
    const label = (statusLabelId: string | null | undefined, seenVersion: number) =>
      admin.api('PUT /assets/{_id}', { params: { _id }, body: { name: 'Bosch GSR 18V', version: seenVersion, statusLabelId } });
    const send = () => admin.api('PUT /occupations', { body: { id, action: 'send' } });
    const now = await label(repair, version);
    expect(await seen()).toMatchObject({ hold: 'not-lendable', may: ['report'] });
    expect(await refusal(send())).toEqual([409, 'not-lendable']);
    await label(ready, now.version);
    expect(await seen()).toMatchObject({ hold: null, may: ['open', 'report'] });
    expect(await send()).toMatchObject({ stageName: 'CONTACTING' });
  });
  it('tells its holder that the door was opened by nobody who was asked, until somebody has looked', async () => {
    const held = await make('delivery');
    const asked = await make('delivery');
    expect((await look(held)).openedUnasked).toBeNull();
    await wall.force(held.compartment);
    await expect.poll(async () => (await look(held)).openedUnasked).not.toBeNull();
    await shut(held);
    const seen = await look(held);
    expect(Date.parse(seen.openedUnasked ?? '')).toBeLessThanOrEqual(Date.parse(seen.now));
    expect(seen).toMatchObject({ hold: null, may: ['open', 'report'], door: { state: 'closed' } });
    // Opened by who may, and left open: nobody broke in.
    await open(asked);
    await wall.say().event('left_open', { compartment: asked.compartment });
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: asked.lockerId } })).contentWhy).toBe('left-open');
    expect((await look(asked)).openedUnasked).toBeNull();
    await shut(asked);
    await admin.api('PUT /lockers/{id}/content', { params: { id: held.lockerId }, body: { content: 'occupied' } });
    expect((await look(held)).openedUnasked).toBeNull();
    // Somebody looked after that one: a door left open later is no second telling of it, a second break-in is news.
    const why = async () => (await admin.api('GET /lockers/{id}', { params: { id: held.lockerId } })).contentWhy;
    await wall.say().event('left_open', { compartment: held.compartment });
    await expect.poll(why).toBe('left-open');
    expect((await look(held)).openedUnasked).toBeNull();
    await wall.force(held.compartment);
    await expect.poll(async () => (await look(held)).openedUnasked).not.toBeNull();
    expect(Date.parse((await look(held)).openedUnasked ?? '')).toBeGreaterThan(Date.parse(seen.openedUnasked ?? ''));
    // A sensor settles it as a person does.
    await wall.close(held.compartment, { occupancy: 'occupied' });
    await expect.poll(why).toBe('sensor');
    expect((await look(held)).openedUnasked).toBeNull();
    await wall.say().event('left_open', { compartment: held.compartment });
    await expect.poll(why).toBe('left-open');
    expect((await look(held)).openedUnasked).toBeNull();
  });

  it('asks for no money for what may be gone, and lets in who paid before', async () => {
    const lot = free();
    const body = { type: 'delivery' as const, lockerId: lot.id, receiver, price: { amount: 5000, currency: 'NOK' } };
    const { id } = await admin.api('POST /occupations', { body });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    const { token } = await secretsOf(id);
    const held = { id, doorTag: lot.doorTag, lockerId: lot.id, compartment: lot.compartment, ...(await secretsOf(id)), key: { token } };
    const { _id } = await admin.api('POST /payments', { body: { occupationId: id } });
    expect((await look(held)).hold).toBe('payment-needed');
    await admin.api('PUT /lockers/{id}/content', { params: { id: lot.id }, body: { content: 'empty' } });
    expect(await look(held)).toMatchObject({ hold: 'in-doubt', may: ['report'] });
    expect(await refusal(open(held))).toEqual([409, 'locker-in-doubt']);
    await admin.api('PUT /payments/update', { body: { _id, received: true } });
    expect(await look(held)).toMatchObject({ hold: null, may: ['open', 'report'] });
  });

  it('opens by the tag that its door bears, also one that no door would be given any more', async () => {
    const held = await make('delivery');
    const tag = 'skap 3';
    await query(server.database.ownerUrl, 'update lockers l set door_tag = $2 from occupations o where o.id = $1 and l.id = o.locker_id', [
      held.id,
      tag,
    ]);
    await query(server.database.ownerUrl, 'update occupations set door_tag = $2 where id = $1', [held.id, tag]);
    expect(await phone()('POST /pickup/open', { body: { key: held.key, doorTag: 'Skap 3' } })).toMatchObject({ outcome: 'opened' });
    await query(server.database.ownerUrl, 'update lockers set door_tag = $2 where id = $1', [held.lockerId, held.doorTag]);
  });

  it('opens, is asked, ends, and opens once more for five minutes', async () => {
    const held = await make('delivery');
    expect(await refusal(phone()('POST /pickup/open', { body: { key: held.key, doorTag: 'A-99' } }))).toEqual([422, 'door-tag-mismatch']);
    const opened = await open(held);
    expect(opened).toMatchObject({ outcome: 'opened', pickup: { stageName: 'CLAIMING', lastOpen: { outcome: 'opened' } } });
    expect(opened.pickup.may).toEqual(['open', 'done', 'put-back', 'report']);
    await shut(held);
    expect((await look(held)).finishesAt).not.toBeNull();
    // Its lock did not catch: whoever stands there is asked to push it.
    await wall.close(held.compartment, { lock: 'unlocked' });
    await expect.poll(async () => (await look(held)).door).toMatchObject({ state: 'closed', lock: 'unlocked' });
    const done = await phone()('POST /pickup/done', { body: { key: held.key } });
    expect(done).toMatchObject({ stageName: 'TERMINATED', ended: { how: 'taken' }, may: ['open', 'report'] });
    expect(done.openAgainUntil).not.toBeNull();
    // Pressed twice it is still ended.
    expect(await phone()('POST /pickup/done', { body: { key: held.key } })).toMatchObject({ ended: { how: 'taken' } });
    // A door that jammed has opened for nobody: once more is still to come.
    wall.mode = 'jam';
    expect(await open(held)).toMatchObject({ outcome: 'jammed', pickup: { may: ['open', 'report'] } });
    wall.mode = 'obey';
    expect(await open(held)).toMatchObject({ outcome: 'opened', pickup: { may: ['report'], hold: 'ended' } });
    expect(await refusal(open(held))).toEqual([409, 'occupation-transition']);
    // Counted as taken, and something of it lies there all the same: the locker is given to nobody before somebody has looked.
    await shut(held);
    const locker = () => admin.api('GET /lockers/{id}', { params: { id: held.lockerId } });
    expect(await locker()).toMatchObject({ inDoubt: false });
    await phone()('POST /pickup/report', { body: { key: held.key, kind: 'left-behind' } });
    expect(await locker()).toMatchObject({ content: 'unknown', inDoubt: true });
    ahead = 6 * 60_000;
    // Its holder hears that it is over, before the next sweep and after it, and nothing else.
    const over = { status: 410, code: 'gone' };
    expect(await problemOf(look(held))).toMatchObject(over);
    await sweep(server.deps, ours.id);
    expect(await problemOf(look(held))).toMatchObject(over);
    expect(JSON.stringify(await problemOf(look(held)))).not.toMatch(/Bosch|Kari|A-\d/);
    expect(await refusal(open(held))).toEqual([410, 'gone']);
    expect(await refusal(phone()('GET /occupations/token/{token}', { params: { token: held.token } }))).toEqual([410, 'gone']);
  });

  it('tells whoever is done nothing of the door when it opens for the next', async () => {
    const held = await make('delivery');
    await open(held);
    await shut(held);
    await phone()('POST /pickup/done', { body: { key: held.key } });
    const lot = wall.lockers.find(({ id }) => id === held.lockerId);
    const next = await make('delivery', lot);
    expect(await open(next)).toMatchObject({ outcome: 'opened' });
    await expect.poll(async () => (await look(next)).door.state).toBe('opened');
    expect((await look(held)).door).toMatchObject({ state: 'unknown', since: null, lock: 'unknown' });
    await shut(next);
  });

  it('that found nothing inside is not said to have taken it: the locker is in doubt, and staff say what becomes of it', async () => {
    const held = await make('delivery', other.lockers[1]);
    const stage = async () => (await admin.api('GET /occupations/{id}', { params: { id: held.id } })).stageName;
    const locker = () => admin.api('GET /lockers/{id}', { params: { id: held.lockerId } });
    const waits = async () => (await admin.api('GET /occupations/{id}', { params: { id: held.id } })).awaitsWord;
    await open(held);
    await phone()('POST /pickup/report', { body: { key: held.key, kind: 'nothing-inside' } });
    expect(await waits()).toBe(false);
    await other.close(held.compartment);
    await isShut(held);
    expect(await look(held)).toMatchObject({ finishesAt: null, ended: null });
    expect(await waits()).toBe(true);
    ahead = 60_000;
    await lookNow(server.deps, ours.id, held.id, 'finnish');
    expect(await stage()).toBe('CLAIMING');
    // Silent meanwhile, and back with the door shut: that takes nothing either.
    ahead = 0;
    await other.cut();
    await expect.poll(async () => (await locker()).connection).toBe('offline');
    await other.plug();
    await expect.poll(async () => (await locker()).door).toBe('closed');
    expect(await stage()).toBe('CLAIMING');
    expect(await locker()).toMatchObject({ content: 'unknown', contentWhy: 'found-empty', inDoubt: true });
    // Nor does what staff said of it, who looked and have yet to say what becomes of it.
    await admin.api('PUT /lockers/{id}/content', { params: { id: held.lockerId }, body: { content: 'empty' } });
    ahead = 60_000;
    await lookNow(server.deps, ours.id, held.id, 'finnish');
    expect(await stage()).toBe('CLAIMING');
    expect(await look(held)).toMatchObject({ finishesAt: null, ended: null });
    ahead = 0;
    await admin.api('PUT /occupations', { body: { id: held.id, action: 'empty' } });
    expect(await locker()).toMatchObject({ content: 'empty', contentWhy: 'said-empty', inDoubt: false });
  });

  it('is not ended by silence where staff have looked, until its door opens again', async () => {
    const held = await make('delivery');
    const stage = async () => (await admin.api('GET /occupations/{id}', { params: { id: held.id } })).stageName;
    const waits = async () => (await admin.api('GET /occupations/{id}', { params: { id: held.id } })).awaitsWord;
    const minuteLater = async () => {
      ahead = 60_000;
      await lookNow(server.deps, ours.id, held.id, 'finnish');
      ahead = 0;
    };
    await open(held);
    await shut(held);
    expect(await waits()).toBe(false);
    // What was believed anyway is a word too.
    await admin.api('PUT /lockers/{id}/content', { params: { id: held.lockerId }, body: { content: 'occupied' } });
    await minuteLater();
    expect([await stage(), (await look(held)).finishesAt, await waits()]).toEqual(['CLAIMING', null, true]);
    // Nor where they open it once more by themselves.
    await admin.api('POST /lockers/{id}/open', { params: { id: held.lockerId }, body: { doorTag: held.doorTag, reason: 'A look' } });
    await shut(held);
    await minuteLater();
    expect([await stage(), await waits()]).toEqual(['CLAIMING', true]);
    await open(held);
    await shut(held);
    await minuteLater();
    expect(await stage()).toBe('TERMINATED');
  });

  it('is not ended as if whoever was let in had been there, where somebody else opened the door by lock control', async () => {
    const look = async (by: TestPerson) => {
      const held = await make('delivery');
      await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: held.id } });
      await by.api('POST /lockers/{id}/open', { params: { id: held.lockerId }, body: { doorTag: held.doorTag, reason: 'A look' } });
      await shut(held);
      ahead = 60_000;
      await lookNow(server.deps, ours.id, held.id, 'finnish');
      ahead = 0;
      return admin.api('GET /occupations/{id}', { params: { id: held.id } });
    };
    expect(await look(otto)).toMatchObject({ stageName: 'CLAIMING', awaitsWord: true });
    // Whoever has the claim opened it themselves, whichever way.
    expect(await look(admin)).toMatchObject({ stageName: 'TERMINATED', awaitsWord: false });
  });

  it.each([
    ['its clock is behind, and the door moves only after the claim', {}, false],
    ['its clock is behind, and it was away while the door moved', {}, true],
    ['it was opened to take out what lies there', { takeOut: 'keep' }, false],
  ] as const)('is not ended as if whoever was let in had been there, where %s', async (_what, more, away) => {
    const held = await make('delivery');
    const asked = async () => (await admin.api('GET /lockers/{id}', { params: { id: held.lockerId } })).lastCommand?.id ?? '';
    const occupation = 'takeOut' in more ? { ...more, occupationId: held.id } : {};
    wall.mode = 'mute';
    const press = () =>
      otto.api('POST /lockers/{id}/open', {
        params: { id: held.lockerId },
        body: { doorTag: held.doorTag, reason: 'A look', ...occupation },
      });
    // nothing answers where its cabinet goes away
    const opening = away ? server.paced({ commandMs: 5_000, answerMs: 5_500 }, press) : press();
    await expect.poll(() => wall.commands.some(({ compartment }) => compartment === held.compartment)).toBe(true);
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: held.id } });
    const cmdId = await asked();
    const said = () => ({ occupancy: 'unknown' as const, cmdId, ts: new Date(Date.now() - 50_000).toISOString() });
    if (away) {
      await wall.cut();
      await opening.catch(() => null);
      await wall.plug({ doors: false });
      // it says nothing of its other doors either
      used = wall.lockers.length;
    } else {
      await wall.say().state('open', said(), held.compartment);
      await opening;
    }
    await wall.say().state('closed', said(), held.compartment);
    await expect.poll(async () => (await admin.api('GET /occupations/{id}', { params: { id: held.id } })).awaitsWord).toBe(true);
    ahead = 130_000;
    await lookNow(server.deps, ours.id, held.id, 'claim-failed');
    await lookNow(server.deps, ours.id, held.id, 'finnish');
    ahead = 0;
    expect(await admin.api('GET /occupations/{id}', { params: { id: held.id } })).toMatchObject({
      stageName: 'CLAIMING',
      awaitsWord: true,
    });
  });

  it('counts as opened for whoever is let in at a door that stands open already', async () => {
    const began = new Date().toISOString();
    const held = await make('delivery');
    const story = async () =>
      (await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1 order by id', [held.lockerId]))
        .map(({ type }) => type)
        .filter((type) => type === 'locker_opened' || type === 'locker_closed');
    const before = (await story()).length;
    await admin.api('POST /lockers/{id}/open', { params: { id: held.lockerId }, body: { doorTag: held.doorTag, reason: 'A look' } });
    expect(await open(held)).toMatchObject({ outcome: 'opened', pickup: { stageName: 'CLAIMING' } });
    await shut(held);
    expect(await phone()('POST /pickup/done', { body: { key: held.key } })).toMatchObject({ stageName: 'TERMINATED' });
    expect((await story()).slice(before)).toEqual(['locker_opened', 'locker_opened', 'locker_closed']);
    // The controller names the command at the next word too: it opened once.
    await wall.say().state('closed', { occupancy: 'unknown', cmdId: wall.commands.at(-1)?.cmdId }, held.compartment);
    await wall.say().state('open', { occupancy: 'unknown' }, held.compartment);
    const unasked = () =>
      query(server.database.ownerUrl, `select from events where locker_id = $1 and data->>'unexpected' = 'true' and at > $2`, [
        held.lockerId,
        began,
      ]);
    await expect.poll(unasked).toHaveLength(1);
  });

  it('is ended by the word of whoever was let in at a door whose sensor is stuck, and the locker is in doubt', async () => {
    const [named, silent] = [await make('delivery'), await make('delivery')];
    for (const held of [named, silent]) {
      await wall.say().state('open', { occupancy: 'unknown' }, held.compartment);
      await expect.poll(async () => (await look(held)).door.state).toBe('opened');
      await admin.api('PUT /lockers/{id}/content', { params: { id: held.lockerId }, body: { content: 'occupied' } });
    }
    // Its controller names the command with the state that stays as it was, or says nothing more of a door that did not move.
    expect(await open(named)).toMatchObject({ outcome: 'opened' });
    wall.mode = 'blind';
    expect(await open(silent)).toMatchObject({ outcome: 'opened', pickup: { may: ['open', 'done', 'put-back', 'report'] } });
    for (const held of [named, silent]) {
      expect(await phone()('POST /pickup/done', { body: { key: held.key } })).toMatchObject({ ended: { how: 'taken' } });
      const locker = await admin.api('GET /lockers/{id}', { params: { id: held.lockerId } });
      expect(locker).toMatchObject({ content: 'unknown', contentWhy: 'unseen', inDoubt: true });
    }
  });

  it('lets whoever changed their mind put it back', async () => {
    const held = await make('delivery');
    await open(held);
    await shut(held);
    expect(await phone()('POST /pickup/put-back', { body: { key: held.key } })).toMatchObject({
      stageName: 'ACQUIRABLE',
      may: ['open', 'report'],
    });
    await admin.api('PUT /occupations', { body: { id: held.id, action: 'extract' } });
    expect(await look(held)).toMatchObject({ may: ['report'], hold: 'taken-out' });
  });

  it.each([
    ['called empty by staff is not said to be with them', 'empty', 'empty', 'cancelled'],
    ['taken out by staff is said to be with them, whatever is said of the locker since', 'extract', 'taken-out', 'taken-out'],
  ] as const)('%s', async (_what, action, hold, how) => {
    const held = await make('delivery');
    await admin.api('PUT /occupations', { body: { id: held.id, action } });
    await admin.api('PUT /lockers/{id}/content', { params: { id: held.lockerId }, body: { content: 'empty' } });
    expect(await look(held)).toMatchObject({ hold, ended: null });
    await admin.api('DELETE /occupations/{id}', { params: { id: held.id }, body: { reason: 'gone' } });
    expect(await admin.api('GET /occupations/{id}', { params: { id: held.id } })).toMatchObject({ endReason: how });
    expect(await look(held)).toMatchObject({ hold: 'ended', ended: { how } });
    const asked = await make('drop-off');
    await admin.api('PUT /occupations', { body: { id: asked.id, action: 'fill' } });
    await admin.api('PUT /occupations', { body: { id: asked.id, action } });
    expect(await look(asked)).toMatchObject({ purpose: 'put-in', hold });
  });

  it.each(['delivery', 'consumable'] as const)('lets nobody in to a %s by the opening that staff have asked for', async (type) => {
    const held = await make(type);
    wall.mode = 'silent';
    const staff = admin.api('POST /lockers/{id}/open', {
      params: { id: held.lockerId },
      body: { doorTag: held.doorTag, occupationId: held.id, ...(type === 'delivery' ? { takeOut: 'end' } : {}) },
    });
    const asked = () => wall.commands.find(({ compartment }) => compartment === held.compartment);
    await expect.poll(asked).toBeDefined();
    expect(await refusal(open(held))).toEqual([409, 'in-use']);
    await wall.say().state('open', { cmdId: asked()?.cmdId, occupancy: 'unknown' }, held.compartment);
    await staff;
    expect(await look(held)).toMatchObject({ stageName: 'ACQUIRABLE' });
    const history = await admin.api('GET /history', { query: { q: { occupationId: held.id } } });
    expect(history.map((event) => event.type)).not.toContain('occupation_claiming');
  });

  it('tells of a jam, claims nothing, and is told that its cabinet is away; of the door as it is after a power cut nobody has heard', async () => {
    const held = await make('delivery', other.lockers[1]);
    other.mode = 'jam';
    const jammed = { outcome: 'jammed', pickup: { stageName: 'ACQUIRABLE', lastOpen: { outcome: 'jammed' }, may: ['open', 'report'] } };
    expect(await open(held)).toMatchObject(jammed);
    await other.cut();
    await expect.poll(async () => (await look(held)).hold).toBe('cabinet-offline');
    expect(await open(held)).toMatchObject({ outcome: 'offline', pickup: { stageName: 'ACQUIRABLE', door: { state: 'unknown' } } });
    await other.plug();
    await expect.poll(async () => (await look(held)).cabinet.connection).toBe('online');
    expect(await look(held)).toMatchObject({ lastOpen: null, may: ['open', 'report'] });
    expect(await open(held)).toMatchObject(jammed);
  });

  it('asks the door once for one press, however often it arrives', async () => {
    const held = await make('delivery');
    const api = phone();
    const press = () => api('POST /pickup/open', { body: { key: held.key, doorTag: held.doorTag }, idempotencyKey: 'press-1' });
    const before = wall.commands.length;
    const [first, second] = await Promise.all([press(), press()]);
    expect(second).toEqual(first);
    expect(await press()).toEqual(first);
    expect(wall.commands.length - before).toBe(1);
  });

  it('asks the door once of several who press at once, and once more but once', async () => {
    const held = await make('delivery');
    // As written down: a controller that does not answer is asked the same again.
    const commands = async () =>
      (await query(server.database.ownerUrl, 'select id from commands where occupation_id = $1', [held.id])).length;
    const at = async (presses: number) => {
      const before = await commands();
      const answers = await Promise.allSettled(Array.from({ length: presses }, () => open(held)));
      return { asked: (await commands()) - before, answers };
    };
    wall.mode = 'silent';
    const first = await server.paced(UNANSWERED, () => at(4));
    expect(first.asked).toBe(1);
    for (const one of first.answers) expect(one).toMatchObject({ value: { outcome: 'no-answer' } });
    expect(await look(held)).toMatchObject({ stageName: 'ACQUIRABLE' });
    wall.mode = 'obey';
    await open(held);
    await shut(held);
    await phone()('POST /pickup/done', { body: { key: held.key } });
    const again = await at(4);
    expect(again.asked).toBe(1);
    for (const one of again.answers)
      expect(one).toMatchObject(
        one.status === 'fulfilled'
          ? { value: { outcome: 'opened' } }
          : { reason: { status: 409, problem: { code: 'occupation-transition' } } },
      );
  });

  it('is told why not: claimed by staff, out of service', async () => {
    const held = await make('delivery');
    await admin.api('PUT /lockers/{id}/service', { params: { id: held.lockerId }, body: { outOfService: true, reason: 'hinge' } });
    expect(await look(held)).toMatchObject({ hold: 'out-of-service', may: ['report'] });
    expect(await refusal(open(held))).toEqual([409, 'out-of-service']);
    await admin.api('PUT /lockers/{id}/service', { params: { id: held.lockerId }, body: { outOfService: false } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: held.id } });
    expect(await look(held)).toMatchObject({ hold: 'in-use' });
    expect(await refusal(open(held))).toEqual([409, 'in-use']);
  });

  it('that never was, or is another’s, is unknown in the same words', async () => {
    const held = await make('delivery');
    const forged = `${held.token.slice(0, -3)}AAA`;
    const words = async (token: string) => (await problemOf(phone()('POST /pickup/look', { body: { key: { token } } }))).detail;
    expect(new Set([await words(forged), await words('x'.repeat(43)), await words('short')]).size).toBe(1);
    expect(await refusal(phone()('GET /occupations/token/{token}', { params: { token: forged } }))).toEqual([404, 'unknown-link']);
  });
});

describe('a storage', () => {
  it('is come to and gone from, and ended by its owner; said to be empty against its sensor, it says so until it is sensed empty', async () => {
    const sensing = await testCabinet(server, admin.api, 1, ['M'], ['door', 'occupancy']);
    const held = await make('storage', sensing.lockers[0]);
    const closed = async (occupancy: 'empty' | 'occupied') => {
      await sensing.close(held.compartment, { occupancy });
      await expect.poll(async () => (await look(held)).door.state).toBe('closed');
    };
    expect(await look(held)).toMatchObject({ purpose: 'own', may: ['open', 'done', 'report'] });
    await open(held);
    await closed('occupied');
    await expect.poll(async () => (await look(held)).stageName).toBe('ACQUIRABLE');
    const done = await phone()('POST /pickup/done', { body: { key: held.key } });
    expect(done).toMatchObject({ ended: { how: 'taken' }, stillInside: true, may: ['open', 'report'] });
    await open(held);
    await closed('empty');
    await expect.poll(async () => (await look(held)).stillInside).toBe(false);
    sensing.end();
  });
});

describe('a consumable', () => {
  it('whose last piece its receiver took is taken, by no staff', async () => {
    const held = await make('consumable');
    await open(held);
    await shut(held);
    const done = await phone()('POST /pickup/done', { body: { key: held.key } });
    expect(done).toMatchObject({ stageName: 'VACANT', ended: { how: 'taken' }, hold: 'ended', quantity: null, may: ['report'] });
    expect(await phone()('POST /pickup/done', { body: { key: held.key } })).toMatchObject({ ended: { how: 'taken' } });
  });
});

describe('a drop-off', () => {
  it('is filled by who got the link: open, put in, shut, done', async () => {
    const held = await make('drop-off');
    expect(await look(held)).toMatchObject({ purpose: 'put-in', stageName: 'RESERVED', may: ['open', 'report'] });
    expect(await open(held)).toMatchObject({ outcome: 'opened', pickup: { stageName: 'INITIATED' } });
    expect(await refusal(phone()('POST /pickup/done', { body: { key: held.key } }))).toEqual([409, 'door-open']);
    await shut(held);
    expect((await look(held)).may).toEqual(['open', 'done', 'nothing-inside', 'report']);
    expect(await phone()('POST /pickup/report', { body: { key: held.key, kind: 'nothing-inside' } })).toMatchObject({
      stageName: 'RESERVED',
    });
    await open(held);
    await shut(held);
    const done = await phone()('POST /pickup/done', { body: { key: held.key } });
    expect(done).toMatchObject({ ended: { how: 'put-in', at: expect.any(String) }, hold: 'ended' });
    expect(await refusal(open(held))).toEqual([409, 'occupation-transition']);
    // It was put in when it was, whatever longer time staff give it since, and what its door does after that is none of who brought it.
    ahead = 60_000;
    const { version } = await admin.api('GET /occupations/{id}', { params: { id: held.id } });
    const pickupBy = new Date(Date.now() + 9 * 86_400_000).toISOString();
    await admin.api('PUT /occupations/{id}', { params: { id: held.id }, body: { version, pickupBy } });
    expect((await look(held)).ended).toEqual(done.ended);
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: held.id } });
    expect((await phone()('POST /pickup/done', { body: { key: held.key } })).ended).toEqual(done.ended);
  });

  it('opened for staff is neither filled, nor empty, nor full by the word of who has the link and is elsewhere', async () => {
    const held = await make('drop-off');
    await admin.api('POST /lockers/{id}/open', {
      params: { id: held.lockerId },
      body: { doorTag: held.doorTag, occupationId: held.id },
    });
    await shut(held);
    const locker = async () => {
      const { content, contentWhy, inDoubt } = await admin.api('GET /lockers/{id}', { params: { id: held.lockerId } });
      return { content, contentWhy, inDoubt };
    };
    const before = await locker();
    expect((await look(held)).may).toEqual(['open', 'report']);
    expect(await refusal(phone()('POST /pickup/done', { body: { key: held.key } }))).toEqual([409, 'not-yet']);
    for (const kind of ['nothing-inside', 'not-empty'] as const)
      expect(await phone()('POST /pickup/report', { body: { key: held.key, kind } })).toMatchObject({ stageName: 'INITIATED' });
    expect(await locker()).toEqual(before);
    // come to the door themselves, they say what they put in
    await open(held);
    await shut(held);
    expect(await phone()('POST /pickup/done', { body: { key: held.key } })).toMatchObject({ ended: { how: 'put-in' } });
  });

  it('tells of a locker that was not empty: the content is unknown from then on, and what staff asked for goes on behind the next door', async () => {
    const held = await make('drop-off', other.lockers[1]);
    const { version } = await admin.api('GET /occupations/{id}', { params: { id: held.id } });
    const pickupBy = new Date(Date.now() + 9 * 86_400_000).toISOString();
    await admin.api('PUT /occupations/{id}', { params: { id: held.id }, body: { version, pickupBy } });
    await open(held);
    const next = await phone()('POST /pickup/report', { body: { key: held.key, kind: 'not-empty', note: 'a shoe' } });
    const [onward] = await admin.api('GET /occupations', { query: { q: { doorTag: next?.door.doorTag, stage: 0 } } });
    expect(onward).toMatchObject({ pickupBy, continuedBy: null });
    expect(await admin.api('GET /occupations/{id}', { params: { id: held.id } })).toMatchObject({
      stageName: 'TERMINATED',
      continuedBy: onward?.id,
    });
    expect(await admin.api('GET /lockers/{id}', { params: { id: held.lockerId } })).toMatchObject({
      content: 'unknown',
      contentWhy: 'not-empty',
    });
  });
});

describe('a loan', () => {
  it('that staff end is said to be lost or brought back elsewhere, as they say, and where it was not lent, called off', async () => {
    const kept = await make('lending');
    for (const reason of ['lost', 'returned-elsewhere'] as const) {
      const held = await make('lending');
      await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: held.id } });
      await admin.api('PUT /occupations', { body: { id: held.id, action: 'finnish' } });
      await admin.api('DELETE /occupations/{id}', { params: { id: held.id }, body: { reason } });
      expect(await look(held)).toMatchObject({ stageName: 'TERMINATED', hold: 'ended', ended: { how: reason } });
    }
    await admin.api('DELETE /occupations/{id}', { params: { id: kept.id }, body: { reason: 'lost' } });
    expect(await look(kept)).toMatchObject({ ended: { how: 'cancelled' } });
  });

  it('said to be taken after the clock was quicker is lent, and goes on', async () => {
    const held = await make('lending');
    await open(held);
    await shut(held);
    ahead = 60_000;
    expect(await lookNow(server.deps, ours.id, held.id, 'finnish')).toBe(true);
    const lent = { stageName: 'VACANT', purpose: 'bring-back', ended: null, may: ['open', 'report'] };
    expect(await look(held)).toMatchObject(lent);
    expect(await phone()('POST /pickup/done', { body: { key: held.key } })).toMatchObject(lent);
  });

  it('goes out and comes back through the same link, not by whom the door was not opened for, nor by a link that sleeps', async () => {
    const lent = await make('lending');
    const byStaff = async (held: Held) => {
      await admin.api('POST /lockers/{id}/open', { params: { id: held.lockerId }, body: { doorTag: held.doorTag, occupationId: held.id } });
      await shut(held);
    };
    const done = (held: Held) => phone()('POST /pickup/done', { body: { key: held.key } });
    expect(await look(lent)).toMatchObject({ purpose: 'borrow' });
    await open(lent);
    await shut(lent);
    expect(await done(lent)).toMatchObject({ stageName: 'VACANT', purpose: 'bring-back', may: ['open', 'report'], returning: false });
    await byStaff(lent);
    expect(await look(lent)).toMatchObject({ may: ['open', 'report'], returning: false });
    expect(await refusal(done(lent))).toEqual([409, 'not-yet']);
    await open(lent);
    expect(await look(lent)).toMatchObject({ door: { state: 'opened' }, may: ['open', 'report'], returning: true });
    expect(await refusal(done(lent))).toEqual([409, 'door-open']);
    await shut(lent);
    expect(await done(lent)).toMatchObject({ stageName: 'ACQUIRABLE', ended: { how: 'put-back' }, may: [] });
    expect(await refusal(look(lent))).toEqual([410, 'gone']);

    const taken = await make('lending');
    await admin.api('PUT /occupations', { body: { id: taken.id, action: 'extract' } });
    await byStaff(taken);
    expect((await look(taken)).may).not.toContain('done');
    expect(await refusal(done(taken))).toEqual([403, 'not-allowed']);
    expect(await admin.api('GET /occupations/{id}', { params: { id: taken.id } })).toMatchObject({ stageName: 'VACANT' });
  });
});

// What is said on the way is heard, and believed of a locker only from who stands at its open door.
describe('a report', () => {
  type Kind = 'jammed' | 'wrong-door' | 'not-empty' | 'nothing-inside';
  const report = ({ key }: Held, kind: Kind) => phone()('POST /pickup/report', { body: { key, kind, note: 'Look here' } });
  const locker = ({ lockerId }: Held) => admin.api('GET /lockers/{id}', { params: { id: lockerId } });
  const told = async ({ id, lockerId }: Held) =>
    (await admin.api('GET /history', { query: { q: { lockerId, occupationId: id }, sort: 'at' } }))
      .filter(({ type }) => type === 'locker_reported' || type === 'locker_unknown')
      .map(({ type, data }) => [type, data['report'], data['note']]);

  it('from elsewhere leaves the locker as it is known, and so does a jam at the door; of something inside, at the open door, nobody knows', async () => {
    const held = await make('delivery');
    const before = await locker(held);
    const elsewhere = ['jammed', 'wrong-door', 'not-empty'] as const;
    for (const kind of elsewhere) await report(held, kind);
    await open(held);
    await report(held, 'jammed');
    const { content, contentWhy, inDoubt } = await locker(held);
    expect([content, contentWhy, inDoubt]).toEqual([before.content, before.contentWhy, false]);
    await report(held, 'not-empty');
    expect(await locker(held)).toMatchObject({ content: 'unknown', inDoubt: true });
    const heard = [...elsewhere, 'jammed'].map((kind) => ['locker_reported', kind, 'Look here']);
    expect(await told(held)).toEqual([...heard, ['locker_unknown', 'not-empty', 'Look here']]);
  });

  it('is heard ten times an hour of one use, also all at once after it has ended', async () => {
    const [held, other] = [await make('delivery'), await make('delivery')];
    await open(held);
    await shut(held);
    await phone()('POST /pickup/done', { body: { key: held.key } });
    const said = await Promise.all(Array.from({ length: 14 }, () => report(held, 'jammed').then(() => 'heard', (error: Error) => refusal(Promise.reject(error))))); // prettier-ignore
    expect(said.filter((one) => one === 'heard')).toHaveLength(10);
    expect(said.filter((one) => one !== 'heard')).toEqual(Array.from({ length: 4 }, () => [429, 'too-many-requests']));
    expect(await told(held)).toHaveLength(10);
    await report(other, 'jammed');
    expect(await told(other)).toHaveLength(1);
  });
});

const HOUR = 3_600_000;
let hours = 0;
/** Limits count by the full hour: each test has hours of its own, and none runs across an end. */
const tenPast = () => {
  hours += 3;
  ahead = hours * HOUR - (Date.now() % HOUR) + HOUR / 6;
};

describe('a code', () => {
  let held: Held;
  beforeAll(async () => {
    held = await make('delivery', other.lockers[0]);
  });
  /** As if whatever was counted in windows of so many seconds had been counted so often. */
  const counted = (seconds: number, count: number) =>
    query(
      server.database.ownerUrl,
      `update rate_limits set count = $2 where count > 0 and expires_at - started_at = make_interval(secs => $1)`,
      [seconds, count],
    );
  const typed = (code: string, cabinet: number, api: Phone = phone()) =>
    api('POST /pickup/look', { body: { key: { code, cabinet: String(cabinet) } } });
  const wrongOf = (code: string) => `${code.slice(0, 5)}${(Number(code.slice(5)) + 1) % 10}`;
  /** One that begins otherwise. */
  const strange = (code: string, nth: number) => `${String((Number(code.slice(0, 3)) + 1 + nth) % 1000).padStart(3, '0')}${code.slice(3)}`;

  it('opens at its own cabinet, blanks and all, and at no other', async () => {
    expect(await typed(`${held.code.slice(0, 3)} ${held.code.slice(3)}`, other.number)).toMatchObject({ door: { doorTag: held.doorTag } });
    expect(await problemOf(typed(held.code, wall.number))).toMatchObject({ status: 422, code: 'wrong-code', data: { triesLeft: 4 } });
    expect(await refusal(typed(held.code, 99_999_999))).toEqual([404, 'unknown-cabinet']);
    expect(await phone()('GET /pickup/cabinets/{number}', { params: { number: String(other.number) } })).toMatchObject({
      connection: 'online',
      number: String(other.number),
    });
  });

  it('is tried five times from one address, at once or one after another; then links alone work', async () => {
    tenPast();
    const api = phone('10.9.0.1');
    const tries = await Promise.all(Array.from({ length: 12 }, () => refusal(typed(wrongOf(held.code), other.number, api))));
    expect(tries.filter(([status]) => status === 422)).toHaveLength(5);
    expect(tries.filter(([status]) => status === 429)).toHaveLength(7);
    const refused = await problemOf(typed(held.code, other.number, api));
    expect(refused.code).toBe('too-many-codes');
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(await look(held, api)).toMatchObject({ door: { doorTag: held.doorTag } });
    // Somebody else at the same cabinet, and this one at another cabinet, are not kept out.
    expect(await typed(held.code, other.number)).toMatchObject({ door: { doorTag: held.doorTag } });
    expect(await refusal(typed('000000', wall.number, api))).toEqual([422, 'wrong-code']);
  });

  it('finds no cabinet by trying its number: past sixty wrong ones a right one is not told, save to whoever typed a right code there', async () => {
    tenPast();
    const [trying, bystander] = [phone('10.9.0.60'), phone('10.9.0.61')];
    expect(await typed(held.code, other.number, trying)).toMatchObject({ door: { doorTag: held.doorTag } });
    const card = (number: number, api: Phone) => api('GET /pickup/cabinets/{number}', { params: { number: String(number) } });
    const wrong = (n: number) => refusal(card(90_000_000 + n, trying));
    expect(await wrong(0)).toEqual([404, 'unknown-cabinet']);
    await counted(600, 59);
    expect(await wrong(1)).toEqual([404, 'unknown-cabinet']);
    expect(await wrong(2)).toEqual([429, 'too-many-requests']);
    const refused = await problemOf(card(other.number, trying));
    expect(refused.code).toBe('too-many-requests');
    expect(refused.retryAfter).toBeGreaterThan(500);
    expect(await refusal(typed(wrongOf(held.code), other.number, trying))).toEqual([429, 'too-many-requests']);
    expect(await typed(held.code, other.number, trying)).toMatchObject({ door: { doorTag: held.doorTag } });
    expect(await card(other.number, bystander)).toMatchObject({ connection: 'online' });
    ahead += 600_000;
    expect(await card(other.number, trying)).toMatchObject({ connection: 'online' });
  });

  it('that was right goes on from there, whatever others try at the same address', async () => {
    const held = await make('delivery', other.lockers[1]);
    tenPast();
    const api = phone('10.9.0.2');
    const key = { code: held.code, cabinet: String(other.number) };
    await api('POST /pickup/open', { body: { key, doorTag: held.doorTag } });
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await refusal(typed(wrongOf(held.code), other.number, api))).toEqual([422, 'wrong-code']);
    expect(await refusal(typed(wrongOf(held.code), other.number, api))).toEqual([429, 'too-many-codes']);
    await other.close(held.compartment);
    await expect.poll(async () => (await typed(held.code, other.number, api))?.door.state).toBe('closed');
    expect(await api('POST /pickup/done', { body: { key } })).toMatchObject({ ended: { how: 'taken' } });
  });

  it('is not shut to somebody by what strangers at the same address type', async () => {
    tenPast();
    const api = phone('10.6.0.1');
    for (let nth = 0; nth < 6; nth++) expect(await refusal(typed(strange(held.code, nth), other.number, api))).toEqual([422, 'wrong-code']);
    expect(await typed(held.code, other.number, api)).toMatchObject({ door: { doorTag: held.doorTag } });
  });

  it('that is none is no try', async () => {
    tenPast();
    const api = phone('10.6.0.2');
    const none = ['1', '123', '12345', '1234567', 'abcdef', '12 34', '12345a', '-', '000', '12.345.6', 'hw_123456', '123456 7'];
    for (const text of none) expect([text, await refusal(typed(text, other.number, api))]).toEqual([text, [422, 'wrong-code']]);
    expect(await problemOf(typed(wrongOf(held.code), other.number, api))).toMatchObject({ code: 'wrong-code', data: { triesLeft: 4 } });
    expect(await typed(held.code, other.number, api)).toMatchObject({ door: { doorTag: held.doorTag } });
  });

  it('that is wrong thirty times in an hour, from wherever, shuts the keypad in sight of staff, who lift it', async () => {
    const outsider = await ours.person(['delivery_manager']);
    tenPast();
    const later = ahead;
    /** Tokens live shorter than an hour: staff ask by the clock that theirs were made by. */
    const byStaff = async <T>(ask: () => Promise<T>): Promise<T> => {
      ahead = 0;
      try {
        return await ask();
      } finally {
        ahead = later;
      }
    };
    const at = { params: { id: other.id } };
    const seen = () => byStaff(async () => (await admin.api('GET /cabinets/{id}', at)).keypadShut);
    const guess = (nth: number) => refusal(typed(strange(held.code, nth), other.number, phone(`10.6.1.${nth}`)));
    expect(await guess(0)).toEqual([422, 'wrong-code']);
    await counted(3600, 28);
    expect(await guess(28)).toEqual([422, 'wrong-code']);
    expect(await seen()).toBeNull();
    expect(await guess(29)).toEqual([422, 'wrong-code']);
    const shut = await seen();
    expect(Date.parse(shut?.until ?? '') - Date.parse(shut?.since ?? '')).toBeGreaterThan(2_900_000);
    expect(await refusal(typed(held.code, other.number))).toEqual([429, 'too-many-codes']);
    // Links go on, and the code does once the hour is over.
    expect(await look(held)).toMatchObject({ door: { doorTag: held.doorTag } });
    ahead = later + HOUR;
    expect(await typed(held.code, other.number)).toMatchObject({ door: { doorTag: held.doorTag } });
    ahead = later;
    expect(await byStaff(() => refusal(outsider.api('POST /cabinets/{id}/keypad', at)))).toEqual([403, 'forbidden']);
    expect(await byStaff(() => admin.api('POST /cabinets/{id}/keypad', at))).toMatchObject({ keypadShut: null });
    expect(await typed(held.code, other.number)).toMatchObject({ door: { doorTag: held.doorTag } });
    expect(await guess(30)).toEqual([422, 'wrong-code']);
    const told = await byStaff(() => admin.api('GET /history', { query: { q: { lockerId: held.lockerId }, sort: 'at' } }));
    const ofKeypad = told.filter(({ type }) => type.startsWith('locker_keypad')).map(({ type, actor }) => `${type} by ${actor.kind}`);
    expect(ofKeypad.toSorted()).toEqual(['locker_keypad_lifted by person', 'locker_keypad_shut by system']);
  });

  it('is tried thirty times an hour from one address, at whatever cabinets', async () => {
    tenPast();
    const [guesser, bystander] = [phone('10.7.0.1'), phone('10.7.0.2')];
    expect(await refusal(typed(wrongOf(held.code), wall.number, guesser))).toEqual([422, 'wrong-code']);
    await counted(3600, 28);
    const guesses = await Promise.all(Array.from({ length: 4 }, () => refusal(typed(wrongOf(held.code), other.number, guesser))));
    expect(guesses.map(([, code]) => code).toSorted()).toEqual(['too-many-codes', 'too-many-codes', 'wrong-code', 'wrong-code']);
    expect(await refusal(typed(held.code, other.number, guesser))).toEqual([429, 'too-many-codes']);
    // Links go on there, and the code does elsewhere.
    expect(await look(held, guesser)).toMatchObject({ door: { doorTag: held.doorTag } });
    expect(await typed(held.code, other.number, bystander)).toMatchObject({ door: { doorTag: held.doorTag } });
    ahead += 3_600_000;
    expect(await typed(held.code, other.number, guesser)).toMatchObject({ door: { doorTag: held.doorTag } });
  });

  it('is tried five times from one network, however a proxy writes where it comes from and whoever says it comes from elsewhere', async () => {
    tenPast();
    const written = ['10.8.0.1', '10.8.0.1:4711', '10.8.0.1:4712', '::ffff:10.8.0.1', '[::ffff:10.8.0.1]:80', '9.9.9.9, 10.8.0.1'];
    const six = [
      '2001:db8:8::1',
      '2001:DB8:8:0:ffff::2',
      '[2001:db8:8::3]:443',
      '[2001:db8:8::4]',
      '1.1.1.1, 2001:db8:8::5',
      '2001:db8:8::6',
    ];
    for (const forms of [written, six]) {
      for (const [nth, form] of forms.entries())
        expect([form, await refusal(typed(wrongOf(held.code), other.number, phone(form)))]).toEqual([
          form,
          nth < 5 ? [422, 'wrong-code'] : [429, 'too-many-codes'],
        ]);
    }
    // The code itself is one however it is typed.
    const { code } = held;
    const wide = Array.from(code, (digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    const arabic = Array.from(code, (digit) => String.fromCodePoint(0x660 + Number(digit))).join('');
    for (const text of [
      ` ${code} `,
      `${code.slice(0, 3)}-${code.slice(3)}`,
      `${code.slice(0, 2)}\u2011${code.slice(2)}`,
      `${code}\u200b`,
      wide,
      arabic,
      `\u202a${code}\u202c`,
      `${code}\n`,
      `${code.slice(0, 4)}\u00a0${code.slice(4)}`,
      Array.from(code).join(' '),
    ])
      // prettier-ignore
      expect([text, await typed(text, other.number)]).toMatchObject([text, { door: { doorTag: held.doorTag } }]);
  });
});
