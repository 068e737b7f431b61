import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import type { ProblemDocument } from '@hatchway/contract/problems.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { newId } from '../../ids.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { query } from '../../db/test-database.ts';
import { hearFact } from './facts.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['manager']);
});
afterAll(() => server.stop());

const tag = () => unique().slice(0, 6).toUpperCase();
/** Two columns of two doors: 1 over 2, 3 over 4. */
const makeWall = async (who = admin) => {
  const mark = tag();
  const site = await who.api('POST /sites', { body: { name: `Site ${mark}` } });
  const door = (n: number) => ({ doorTag: `${mark}-${n}`, compartment: n, size: 'M' as const, height: 300 });
  const columns = [
    { width: 400, doors: [door(1), door(2)] },
    { width: 400, doors: [door(3), door(4)] },
  ];
  const cabinet = await who.api('POST /cabinets', { body: { siteId: site.id, name: `Wall ${mark}`, columns } });
  const ids = cabinet.columns.flatMap(({ doors }) => doors.map((one) => one.lockerId));
  const id = (n: number) => ids[n - 1] ?? '';
  return { mark, site, cabinet, id, kept: (n: number) => ({ lockerId: id(n), height: 300 }), lockers: () => wallOf(cabinet.id, who) };
};
const wallOf = (id: string, who = admin) => who.api('GET /cabinets/{id}/lockers', { params: { id } });
const change = (id: string, body: Parameters<typeof admin.api<'PUT /cabinets/{id}'>>[1]['body'], who = admin) =>
  who.api('PUT /cabinets/{id}', { params: { id }, body });
const problem = async (call: Promise<unknown>): Promise<ProblemDocument> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError) || !error.problem) throw new Error(`expected a problem, got ${String(error)}`);
  return error.problem;
};
const fill = async (lockerId: string) => {
  // filled over the call without a door: the cabinet of this test has no controller
  const now = new Date().toISOString();
  await server.deps.db.tenant(company.id, (tx) =>
    tx
      .insertInto('occupations')
      .values({
        tenant_id: company.id,
        id: newId(),
        type: 'delivery',
        service: 'delivery',
        stage: 2,
        stage_at: now,
        locker_id: lockerId,
        door_tag: 'X',
        created_by: JSON.stringify({ kind: 'system', id: null, name: 'Test' }) as never,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
};
const doubt = (lockerId: string) =>
  server.deps.db.tenant(company.id, (tx) =>
    tx.updateTable('lockers').set({ content: 'unknown' }).where('tenant_id', '=', company.id).where('id', '=', lockerId).execute(),
  );

describe('a wall changed as a whole', () => {
  it('adds, changes, moves, splits and takes away doors at once, and its version grows', async () => {
    const { cabinet, id, kept, mark } = await makeWall();
    const columns = [
      { width: 600, doors: [kept(3), { ...kept(1), height: 150, doorTag: `${mark}-1B`, size: 'S' as const, name: 'By the window' }] },
      { width: 400, doors: [{ height: 150, doorTag: `${mark}-9`, compartment: 9, size: 'S' as const }, kept(4)] },
    ];
    const saved = await change(cabinet.id, { version: cabinet.version, columns });
    expect(saved.version).toBe(cabinet.version + 1);
    expect(saved.columns.map(({ width, doors }) => [width, doors.map((door) => door.height)])).toEqual([
      [600, [300, 150]],
      [400, [150, 300]],
    ]);
    const wall = await wallOf(cabinet.id);
    expect(wall.map(({ doorTag, compartment, size, name }) => [doorTag, compartment, size, name])).toEqual([
      [`${mark}-1B`, 1, 'S', 'By the window'],
      [`${mark}-3`, 3, 'M', ''],
      [`${mark}-4`, 4, 'M', ''],
      [`${mark}-9`, 9, 'S', ''],
    ]);
    expect(wall.some((locker) => locker.id === id(2))).toBe(false);
  });

  it('lets two doors swap their tags, and two free ones their locks', async () => {
    const { cabinet, id, kept, mark } = await makeWall();
    const columns = [
      {
        width: 400,
        doors: [
          { ...kept(1), doorTag: `${mark}-2`, compartment: 2 },
          { ...kept(2), doorTag: `${mark}-1`, compartment: 1 },
        ],
      },
      { width: 400, doors: [kept(3), kept(4)] },
    ];
    await change(cabinet.id, { version: cabinet.version, columns });
    const wall = await wallOf(cabinet.id);
    expect(wall.slice(0, 2).map((locker) => [locker.compartment, locker.doorTag, locker.id])).toEqual([
      [1, `${mark}-1`, id(2)],
      [2, `${mark}-2`, id(1)],
    ]);
  });

  it('loses no door that is in use or in doubt, names them, and changes nothing at all', async () => {
    const { cabinet, id, kept, mark, lockers } = await makeWall();
    await fill(id(1));
    await doubt(id(2));
    const before = await lockers();
    const columns = [{ width: 800, doors: [{ ...kept(3), doorTag: `${mark}-33` }, kept(4)] }];
    const refused = await problem(change(cabinet.id, { version: cabinet.version, columns }));
    expect([refused.status, refused.code]).toEqual([409, 'doors-in-use']);
    expect(refused.data?.doors).toEqual([
      { doorTag: `${mark}-1`, hold: 'in-use', how: 'removed' },
      { doorTag: `${mark}-2`, hold: 'in-doubt', how: 'removed' },
    ]);
    // another lock would be another compartment than the one that holds it
    const rewired = [{ width: 400, doors: [{ ...kept(1), compartment: 8 }, kept(2), kept(3), kept(4)] }];
    expect(await refusal(change(cabinet.id, { version: cabinet.version, columns: rewired }))).toEqual([409, 'doors-in-use']);
    // and behind a lower or narrower door lies what filled a larger one, though its size be called the same
    for (const [width, height] of [
      [400, 100],
      [400, 200],
      [250, 300],
    ] as const) {
      const cut = [
        { width, doors: [{ ...kept(1), height }] },
        { width: 400, doors: [kept(2), kept(3), kept(4)] },
      ];
      expect((await problem(change(cabinet.id, { version: cabinet.version, columns: cut }))).data?.doors).toEqual([
        { doorTag: `${mark}-1`, hold: 'in-use', how: 'cut' },
      ]);
    }
    expect(await lockers()).toEqual(before);
    expect(await refusal(admin.api('DELETE /cabinets/{id}', { params: { id: cabinet.id } }))).toEqual([409, 'doors-in-use']);
    expect(await refusal(admin.api('DELETE /lockers/{id}', { params: { id: id(1) } }))).toEqual([409, 'doors-in-use']);
    expect(await lockers()).toEqual(before);
  });

  it('renames a door in use together with what lies in it', async () => {
    const { cabinet, id, kept, mark } = await makeWall();
    await fill(id(1));
    const columns = [{ width: 400, doors: [{ ...kept(1), doorTag: `${mark}-NEW` }, kept(2), kept(3), kept(4)] }];
    await change(cabinet.id, { version: cabinet.version, columns });
    const [use] = await admin.api('GET /occupations', { query: { q: { lockerId: id(1) } } });
    expect(use?.doorTag).toBe(`${mark}-NEW`);
  });

  it('refuses tags and locks that are taken, each with its place: here, in another cabinet, whatever their case', async () => {
    const { cabinet, kept, mark } = await makeWall();
    const other = await makeWall();
    const put = (door: object) =>
      problem(
        change(cabinet.id, {
          version: cabinet.version,
          columns: [{ width: 400, doors: [{ ...kept(1), ...door }, kept(2), kept(3), kept(4)] }],
        }),
      );
    expect(await put({ doorTag: `${mark}-2`.toLowerCase() })).toMatchObject({
      code: 'name-taken',
      errors: [{ pointer: '/columns/0/doors/1/doorTag' }],
    });
    expect(await put({ compartment: 2 })).toMatchObject({ code: 'name-taken', errors: [{ pointer: '/columns/0/doors/1/compartment' }] });
    const there = await put({ doorTag: `${other.mark}-1`.toLowerCase() });
    expect(there).toMatchObject({ code: 'name-taken', errors: [{ pointer: '/columns/0/doors/0/doorTag' }] });
    const twice = [{ width: 400, doors: [kept(1), kept(1), kept(2), kept(3), kept(4)] }];
    expect((await problem(change(cabinet.id, { version: cabinet.version, columns: twice }))).code).toBe('rule');
    const naked = [{ width: 400, doors: [kept(1), kept(2), kept(3), kept(4), { height: 300 }] }];
    expect((await problem(change(cabinet.id, { version: cabinet.version, columns: naked }))).errors?.map((one) => one.pointer)).toEqual([
      '/columns/0/doors/4/doorTag',
      '/columns/0/doors/4/compartment',
      '/columns/0/doors/4/size',
    ]);
  });

  it('takes no tag that could not be typed or scanned, be it of a new cabinet, a new door or a renamed one; capitals are made', async () => {
    const { cabinet, kept, mark } = await makeWall();
    const fault = { code: 'rule', errors: [{ pointer: '/columns/0/doors/0/doorTag' }] };
    const make = (...tags: string[]) =>
      admin.api('POST /cabinets', {
        body: {
          siteId: cabinet.siteId,
          name: 'Tags',
          columns: [{ width: 400, doors: tags.map((doorTag, at) => ({ doorTag, compartment: at + 1, size: 'M' as const, height: 300 })) }],
        },
      });
    for (const doorTag of ['SKAP 3', 'A--1']) {
      expect(await problem(make(doorTag))).toMatchObject(fault);
      const columns = [{ width: 400, doors: [{ ...kept(1), doorTag }, kept(2), kept(3), kept(4)] }];
      expect(await problem(change(cabinet.id, { version: cabinet.version, columns }))).toMatchObject(fault);
      expect(await problem(admin.api('POST /lockers', { body: { cabinetId: cabinet.id, doorTag, size: 'M' } }))).toMatchObject({
        code: 'rule',
      });
    }
    // More doors than a controller has locks: said, however many there are.
    const columns = Array.from({ length: 12 }, (_, at) => ({
      width: 400,
      doors: Array.from({ length: 100 }, (__, row) => ({
        doorTag: `${mark}-${at}-${row}`,
        compartment: row + 1,
        size: 'S' as const,
        height: 30,
      })),
    }));
    const many = await problem(admin.api('POST /cabinets', { body: { siteId: cabinet.siteId, name: 'Many', columns } }));
    expect([many.code, many.errors?.length]).toEqual(['name-taken', 100]);
    expect(await problem(make(`${mark}-1`.toLowerCase()))).toMatchObject({ code: 'name-taken' });
    expect(await problem(make(`${mark}-A`, `${mark}-a`))).toMatchObject({ code: 'name-taken' });
    const made = await make(`${mark}-æ`);
    expect((await wallOf(made.id)).map(({ doorTag }) => doorTag)).toEqual([`${mark}-Æ`]);
  });

  it('of two builders at once lets one through and tells the other, and loses nothing', async () => {
    const { cabinet, kept, mark } = await makeWall();
    const add = (n: number) => [
      {
        width: 400,
        doors: [kept(1), kept(2), kept(3), kept(4), { height: 200, doorTag: `${mark}-N${n}`, compartment: 10 + n, size: 'S' as const }],
      },
    ];
    const both = await Promise.allSettled([1, 2].map((n) => change(cabinet.id, { version: cabinet.version, columns: add(n) })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const late = both.find((one) => one.status === 'rejected');
    expect(late?.reason instanceof ApiError && late.reason.problem?.code).toBe('stale');
    expect((await wallOf(cabinet.id)).filter((locker) => locker.doorTag.startsWith(`${mark}-N`))).toHaveLength(1);
  });

  it('is built while somebody takes a door: either the use or the change is refused', async () => {
    for (let round = 0; round < 3; round++) {
      const { cabinet, id, kept } = await makeWall();
      const columns = [{ width: 400, doors: [kept(2), kept(3), kept(4)] }];
      const [built, taken] = await Promise.allSettled([
        change(cabinet.id, { version: cabinet.version, columns }),
        admin.api('PUT /lockers/{id}/content', { params: { id: id(1) }, body: { content: 'occupied' } }),
      ]);
      const left = (await wallOf(cabinet.id)).some((locker) => locker.id === id(1));
      expect(left).toBe(built.status === 'rejected');
      expect(taken.status === 'fulfilled' || !left).toBe(true);
    }
  });

  it('is told to other builders as it happens', async () => {
    const { cabinet, id, kept } = await makeWall();
    const listener = await listen(server.url, admin.token);
    for (const event of ['cabinets', 'lockers', 'sites']) expect(await listener.ask({ topic: 'subscribe', event })).toBeNull();
    await change(cabinet.id, { version: cabinet.version, columns: [{ width: 400, doors: [kept(1), kept(2), kept(3)] }] });
    const heard = () => listener.events.map(({ subscription, method, data }) => [subscription, method, data['id'], data['version']]);
    await expect.poll(heard).toEqual(expect.arrayContaining([['lockers', 'DELETE', id(4), undefined]]));
    await expect.poll(() => heard().map(([kind, , one, version]) => [kind, one, version])).toContainEqual(['cabinets', cabinet.id, 2]);
    const site = await admin.api('POST /sites', { body: { name: `Site ${tag()}` } });
    await expect.poll(() => listener.events.at(-1)).toMatchObject({ subscription: 'sites', method: 'POST', data: { id: site.id } });
    listener.close();
  });
});

describe('who may build', () => {
  it('is whoever holds manage on every locker that is touched; others’ doors stay as they are', async () => {
    const { cabinet, id, kept, mark } = await makeWall();
    const own = await company.scoped(['manage'], [id(1), id(2)]);
    const renamed = [
      { width: 400, doors: [{ ...kept(1), doorTag: `${mark}-MINE` }, kept(2)] },
      { width: 400, doors: [kept(3), kept(4)] },
    ];
    const saved = await change(cabinet.id, { version: cabinet.version, columns: renamed }, own);
    expect((await wallOf(cabinet.id)).map((locker) => locker.doorTag)).toContain(`${mark}-MINE`);
    const { version } = saved;
    const forbidden = [
      { version, columns: [renamed[0] ?? { width: 1, doors: [] }, { width: 400, doors: [{ ...kept(3), doorTag: 'THEIRS' }, kept(4)] }] },
      { version, columns: [renamed[0] ?? { width: 1, doors: [] }, { width: 400, doors: [kept(4), kept(3)] }] },
      { version, columns: [renamed[0] ?? { width: 1, doors: [] }] },
      {
        version,
        columns: [...renamed, { width: 400, doors: [{ height: 200, doorTag: `${mark}-N`, compartment: 9, size: 'S' as const }] }],
      },
      { version, name: 'Mine now' },
    ];
    for (const body of forbidden) expect(await refusal(change(cabinet.id, body, own))).toEqual([403, 'forbidden']);
    expect(await refusal(own.api('DELETE /cabinets/{id}', { params: { id: cabinet.id } }))).toEqual([403, 'forbidden']);
    expect(await refusal(own.api('DELETE /cabinets/{id}/pair', { params: { id: cabinet.id } }))).toEqual([403, 'forbidden']);
    const [locker] = await own.api('GET /lockers', { query: { q: { id: id(2) } } });
    const version2 = locker?.version ?? 0;
    expect((await own.api('PUT /lockers/{id}', { params: { id: id(2) }, body: { version: version2, name: 'Mine' } })).name).toBe('Mine');
    expect(await refusal(own.api('PUT /lockers/{id}', { params: { id: id(3) }, body: { version: 1, name: 'Mine' } }))).toEqual([
      404,
      'not-found',
    ]);
    const place = { params: { id: (await makeWall()).cabinet.id } };
    expect(await refusal(own.api('DELETE /cabinets/{id}', place))).toEqual([404, 'not-found']);
    const body = { name: 'Mine', version: 1 };
    const { siteId } = saved;
    expect(await refusal(own.api('PUT /sites/{id}', { params: { id: siteId }, body }))).toEqual([403, 'forbidden']);
  });
});

describe('sites, cabinets and lockers by themselves', () => {
  it('are changed with their version and deleted when nothing stands on them', async () => {
    const { cabinet, site } = await makeWall();
    const moved = await admin.api('PUT /sites/{id}', {
      params: { id: site.id },
      body: { name: `New ${site.name}`, openingHours: '08–20', version: 1 },
    });
    expect(moved).toMatchObject({ openingHours: '08–20', version: 2 });
    const place = { address: 'Kai 1', lat: 59.9, lng: 10.7, tlf: '22 22 22 22' };
    const placed = await admin.api('PUT /sites/{id}', { params: { id: site.id }, body: { name: moved.name, ...place, version: 2 } });
    expect(placed).toMatchObject({ ...place, openingHours: '08–20' });
    const renamed = await admin.api('PUT /sites/{id}', { params: { id: site.id }, body: { name: `New ${site.name}`, version: 3 } });
    expect(renamed).toMatchObject({ ...place, openingHours: '08–20', version: 4 });
    const late = admin.api('PUT /sites/{id}', { params: { id: site.id }, body: { name: 'Late', version: 1 } });
    expect(await refusal(late)).toEqual([409, 'stale']);
    expect(await refusal(admin.api('DELETE /sites/{id}', { params: { id: site.id } }))).toEqual([409, 'in-use-elsewhere']);
    const number = 654_321;
    const named = await change(cabinet.id, { version: cabinet.version, name: 'North wall', number });
    expect(named).toMatchObject({ name: 'North wall', number, siteName: `New ${site.name}` });
    const other = await makeWall();
    expect(await refusal(change(other.cabinet.id, { version: other.cabinet.version, number }))).toEqual([409, 'name-taken']);
    await admin.api('DELETE /cabinets/{id}', { params: { id: cabinet.id } });
    expect(await refusal(admin.api('GET /cabinets/{id}', { params: { id: cabinet.id } }))).toEqual([404, 'not-found']);
    // whatever number somebody chose, the next cabinet has one that can be typed and kept
    const { version } = await change(other.cabinet.id, { version: other.cabinet.version, number: 999_999 });
    const next = await makeWall();
    await change(next.cabinet.id, { version: next.cabinet.version, number: next.cabinet.number, name: 'Kept' });
    // its number is free again, and so is its place
    await change(other.cabinet.id, { version, number });
    await admin.api('DELETE /sites/{id}', { params: { id: site.id } });
  });

  it('what is wrong with a single locker is told at its own field', async () => {
    const { cabinet, mark, id } = await makeWall();
    const other = await makeWall();
    const add = (more: object) =>
      problem(admin.api('POST /lockers', { body: { cabinetId: cabinet.id, doorTag: `${mark}-X`, size: 'M', ...more } }));
    const put = (body: object) => problem(admin.api('PUT /lockers/{id}', { params: { id: id(3) }, body: { version: 1, ...body } }));
    for (const tell of [add, put]) {
      for (const doorTag of [`${mark}-4`, `${other.mark}-1`])
        expect(await tell({ doorTag })).toMatchObject({ code: 'name-taken', errors: [{ pointer: '/doorTag' }] });
      expect(await tell({ doorTag: 'A--1' })).toMatchObject({ code: 'rule', errors: [{ pointer: '/doorTag' }] });
      expect(await tell({ compartment: 4 })).toMatchObject({ code: 'name-taken', errors: [{ pointer: '/compartment' }] });
      expect(await tell({ policyRef: 'no-such' })).toMatchObject({ code: 'unknown-reference', errors: [{ pointer: '/policyRef' }] });
    }
  });

  it('a column takes no more doors than the builder draws, in whichever way they come; one that stands with more is read, saved and made less', async () => {
    const { cabinet, mark, id, lockers } = await makeWall();
    const column = Array.from({ length: 100 }, (_, at) => ({
      height: at === 0 ? 30.5 : 30,
      ...(at < 4 ? { lockerId: id(at + 1) } : { doorTag: `${mark}-${at + 1}`, compartment: at + 1, size: 'XS' as const }),
    }));
    const full = await change(cabinet.id, { version: 1, columns: [{ width: 400, doors: column }] });
    const add = (body: object) => admin.api('POST /lockers', { body: { cabinetId: cabinet.id, doorTag: `${mark}-X`, size: 'M', ...body } });
    expect(await problem(add({}))).toMatchObject({ status: 422, code: 'rule', errors: [{ pointer: '/column' }] });
    const more = [...(full.columns[0]?.doors ?? []), { height: 30, doorTag: `${mark}-X`, compartment: 101, size: 'XS' as const }];
    expect(await problem(change(cabinet.id, { version: 2, columns: [{ width: 400, doors: more }] }))).toMatchObject({
      status: 422,
      code: 'rule',
      errors: [{ pointer: '/columns/0/doors/100' }],
    });
    // A wall that was built before there was such a rule.
    const kept = await change(cabinet.id, { version: 2, columns: [...full.columns, { width: 400, doors: [] }] });
    const own = await add({ column: 1 });
    const { columns } = await admin.api('GET /cabinets/{id}', { params: { id: cabinet.id } });
    await server.deps.db.tenant(company.id, (tx) =>
      tx
        .updateTable('cabinets')
        .set({ columns: jsonb([{ width: 400, doors: columns.flatMap(({ doors }) => doors) }]) })
        .where('tenant_id', '=', company.id)
        .where('id', '=', kept.id)
        .execute(),
    );
    const old = await admin.api('GET /cabinets/{id}', { params: { id: cabinet.id } });
    expect(old.columns.map(({ doors }) => doors.length)).toEqual([101]);
    expect((await admin.api('GET /cabinets', { query: { q: { id: cabinet.id } } })).length).toBe(1);
    const saved = await change(cabinet.id, { version: old.version, name: 'Full', columns: old.columns });
    await admin.api('PUT /lockers/{id}', { params: { id: own.id }, body: { version: own.version, name: 'Last' } });
    expect(await refusal(add({ doorTag: `${mark}-Y` }))).toEqual([422, 'rule']);
    await change(cabinet.id, { version: saved.version + 1, columns: [{ width: 400, doors: old.columns[0]?.doors.slice(1) ?? [] }] });
    expect(await lockers()).toHaveLength(100);
  });

  it('one that is added gets a lock that is free, whatever the highest one is', async () => {
    const { cabinet, mark } = await makeWall();
    const add = (doorTag: string, body: object) =>
      admin.api('POST /lockers', { body: { cabinetId: cabinet.id, doorTag, size: 'M', ...body } });
    await add(`${mark}-L`, { compartment: 999 });
    expect((await add(`${mark}-M`, {})).compartment).toBe(5);
  });

  it('a locker is added, changed and taken away, and an older drawing cannot undo it', async () => {
    const { cabinet, kept, mark } = await makeWall();
    const made = await admin.api('POST /lockers', {
      body: { cabinetId: cabinet.id, doorTag: `${mark}-X`, size: 'L', services: ['storage'] },
    });
    expect(made).toMatchObject({ compartment: 5, services: ['storage'], content: 'empty', door: 'unknown' });
    const changed = await admin.api('PUT /lockers/{id}', {
      params: { id: made.id },
      body: { version: made.version, size: 'XL', policyRef: null },
    });
    expect(changed).toMatchObject({ size: 'XL', services: ['storage'], doorTag: `${mark}-X` });
    const late = admin.api('PUT /lockers/{id}', { params: { id: made.id }, body: { version: made.version, size: 'S' } });
    expect(await refusal(late)).toEqual([409, 'stale']);
    const unknown = admin.api('PUT /lockers/{id}', { params: { id: made.id }, body: { version: changed.version, policyRef: 'no-such' } });
    expect(await refusal(unknown)).toEqual([422, 'unknown-reference']);
    const old = [{ width: 400, doors: [kept(1), kept(2), kept(3), kept(4)] }];
    expect(await refusal(change(cabinet.id, { version: cabinet.version, columns: old }))).toEqual([409, 'stale']);
    await admin.api('DELETE /lockers/{id}', { params: { id: made.id } });
    expect(await wallOf(cabinet.id)).toHaveLength(4);
  });

  it('leave no trace in permissions; a policy that is for them alone keeps them', async () => {
    const { id } = await makeWall();
    const boss = await company.person(['admin']);
    const permission = await boss.api('POST /permissions', {
      body: { name: tag(), scopes: ['delivery'], groups: [], lockers: [id(1), id(2)] },
    });
    const policy = await boss.api('POST /policies', { body: { name: tag(), ref: tag().toLowerCase(), lockerIds: [id(2)] } });
    await admin.api('DELETE /lockers/{id}', { params: { id: id(1) } });
    expect((await boss.api('GET /permissions/{id}', { params: { id: permission.id } })).lockers).toEqual([id(2)]);
    const kept = await problem(admin.api('DELETE /lockers/{id}', { params: { id: id(2) } }));
    expect(kept).toMatchObject({ code: 'in-use-elsewhere', data: { policies: [policy.name] } });
  });
});

describe('a wall with its controller', () => {
  it('asks it for the doors that are new, and knows nothing of a lock before it has answered', async () => {
    const cabinet = await testCabinet(server, admin.api, 2);
    try {
      const [one, two] = cabinet.lockers;
      const row = await admin.api('GET /cabinets/{id}', { params: { id: cabinet.id } });
      const columns = [
        {
          width: 400,
          doors: [
            { lockerId: one?.id ?? '', height: 300, compartment: 2 },
            { lockerId: two?.id ?? '', height: 300, compartment: 1 },
          ],
        },
      ];
      await change(cabinet.id, { version: row.version, columns });
      expect((await wallOf(cabinet.id)).map((locker) => [locker.door, locker.doorSince])).toEqual([
        ['unknown', null],
        ['unknown', null],
      ]);
      await expect.poll(() => cabinet.commands.map((command) => command.op)).toContain('status');
    } finally {
      cabinet.end();
    }
  });

  it('is unpaired: its credential and an open code are worth nothing from then on', async () => {
    const cabinet = await testCabinet(server, admin.api, 1);
    try {
      await cabinet.plug();
      const state = () => admin.api('GET /cabinets/{id}', { params: { id: cabinet.id } });
      await expect.poll(async () => (await state()).connection).toBe('online');
      const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: cabinet.id } });
      const gone = await admin.api('DELETE /cabinets/{id}/pair', { params: { id: cabinet.id } });
      expect(gone).toMatchObject({ pairing: 'unpaired', pairingUntil: null });
      expect(await refusal(server.as(null)('POST /devices/pair', { body: { code, fw: '1', model: 'x' } }))).toEqual([410, 'gone']);
      await expect.poll(async () => (await state()).connection).toBe('offline');
    } finally {
      cabinet.end();
    }
  });
});

describe('where walls stand', () => {
  let ours: TestCompany;
  let admin: TestPerson;
  let near: TestPerson;
  let places: { siteId: string; lockerId: string }[];

  const aPlace = async () => {
    const site = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
    const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    return { siteId: site.id, lockerId: cabinet.columns[0]?.doors[0]?.lockerId ?? '' };
  };
  beforeAll(async () => {
    ours = await testCompany(server);
    admin = await ours.person(['admin']);
    places = [await aPlace(), await aPlace()];
    near = await ours.scoped(['storage'], [places[0]?.lockerId ?? '']);
  });

  describe('sites', () => {
    it('are every one to whoever has a role, and those of their lockers to who has scopes alone', async () => {
      const [here, there] = places.map(({ siteId }) => siteId);
      const empty = (await admin.api('POST /sites', { body: { name: `Site ${unique()}` } })).id;
      const sites = async ({ api }: TestPerson) => (await api('GET /sites', { query: { sort: 'createdAt' } })).map(({ id }) => id);
      for (const person of [admin, await ours.person(['delivery_manager'])]) expect(await sites(person)).toEqual([here, there, empty]);
      expect(await sites(near)).toEqual([here]);
      expect(await near.api('GET /sites', { query: { q: { id: there } } })).toEqual([]);
    });

    it('stand by name whatever its case, as cabinets do, over the border of a page too', async () => {
      const ids: Record<'sites' | 'cabinets', string[]> = { sites: [], cabinets: [] };
      for (const name of ['Beech', 'alder', 'Cedar']) {
        const site = await admin.api('POST /sites', { body: { name } });
        ids.sites.push(site.id);
        ids.cabinets.push((await admin.api('POST /cabinets', { body: { siteId: site.id, name, columns: [] } })).id);
      }
      for (const list of ['sites', 'cabinets'] as const) {
        const query = { sort: 'name', limit: 1, q: { id: { $in: ids[list] } } };
        const names: string[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page: { rows: { name: string }[]; next: string | null } = await admin.api.page(`GET /${list}`, {
            query: { ...query, ...(cursor ? { cursor } : {}) },
          });
          names.push(...page.rows.map(({ name }) => name));
          cursor = page.next;
        }
        expect(names).toEqual(['alder', 'Beech', 'Cedar']);
      }
    });

    it('keep when they are open, and refuse what is no time, no day and no date', async () => {
      const hours = [{ day: 1, from: '08:00', to: '16:00' }];
      const made = await admin.api('POST /sites', { body: { name: `Site ${unique()}`, hours, closedDays: ['2026-12-25'] } });
      expect(made).toMatchObject({ hours, closedDays: ['2026-12-25'] });
      const change = (body: object) =>
        admin.api('PUT /sites/{id}', { params: { id: made.id }, body: { name: made.name, version: made.version, ...body } });
      for (const body of [
        { hours: [{ day: 0, from: '08:00', to: '16:00' }] },
        { hours: [{ day: 8, from: '08:00', to: '16:00' }] },
        { hours: [{ day: 1, from: '8:00', to: '16:00' }] },
        { hours: [{ day: 1, from: '08:00', to: '24:00' }] },
        { hours: [{ day: 1, from: '08:00' }] },
        { hours: Array.from({ length: 22 }, () => hours[0]) },
        { hours: null },
        { closedDays: ['2026-02-30'] },
        { closedDays: ['25.12.2026'] },
        { closedDays: ['2026-12-25T00:00:00Z'] },
        { closedDays: Array.from({ length: 101 }, () => '2026-12-25') },
      ])
        await expect(change(body)).rejects.toMatchObject({ status: 400 });
      expect(await change({ openingHours: 'Ring' })).toMatchObject({ hours, closedDays: ['2026-12-25'], openingHours: 'Ring' });
      expect(await change({ version: made.version + 1, hours: [], closedDays: [] })).toMatchObject({ hours: [], closedDays: [] });
    });

    it('are told live as the list shows them', async () => {
      const listener = await listen(server.url, near.token);
      expect(await listener.ask({ topic: 'subscribe', event: 'sites' })).toBeNull();
      const sites = await admin.api('GET /sites');
      const rename = async (id: string | undefined, name: string) =>
        admin.api('PUT /sites/{id}', {
          params: { id: id ?? '' },
          body: { name, version: sites.find((site) => site.id === id)?.version ?? 0 },
        });
      const gone = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
      await admin.api('DELETE /sites/{id}', { params: { id: gone.id } });
      await rename(places[1]?.siteId, 'There');
      await rename(places[0]?.siteId, 'Here');
      await expect.poll(() => listener.events.map(({ data }) => data['name'] ?? data['id'])).toEqual(['Here']);
      listener.close();
    });
  });

  describe('a controller', () => {
    let wall: TestCabinet;
    beforeAll(async () => {
      wall = await testCabinet(server, admin.api, 1);
    });
    afterAll(() => wall?.end());

    it('a cabinet whose controller is paired anew: no session that was over comes back, and no alarm is told twice', async () => {
      const [lot] = wall.lockers;
      const params = { id: lot?.id ?? '' };
      const read = () => admin.api('GET /lockers/{id}', { params });
      const first = wall.say().session;
      await wall.cut();
      await expect.poll(async () => (await read()).connection).toBe('offline');
      await wall.plug();
      await expect.poll(async () => (await read()).door).toBe('closed');
      const { session } = wall.say();
      await wall.say().event('tamper', { seq: 900 });
      await expect.poll(async () => (await read()).inDoubt).toBe(true);
      await admin.api('PUT /lockers/{id}/content', { params, body: { content: 'empty', note: 'looked' } });

      const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
      await server.as(null)('POST /devices/pair', { body: { code, fw: '2', model: 'new' } });
      // Said by a server that lags, or carried late by a broker.
      const from = { tenantId: ours.id, controllerId: wall.id, at: new Date().toISOString(), retained: false };
      const birth = {
        kind: 'birth',
        fw: 'old',
        model: 'old',
        canLock: false,
        sensors: false,
        compartments: [] as [],
        after: [] as [],
      } as const;
      for (const over of [first, session]) {
        await hearFact(server.deps, { ...birth, ...from, session: over });
        await hearFact(server.deps, { kind: 'connection', ...from, online: true, session: over, reason: null });
      }
      await hearFact(server.deps, { kind: 'event', ...from, type: 'tamper', compartment: 1, session, seq: 900 });
      expect(await read()).toMatchObject({ connection: 'offline', content: 'empty', inDoubt: false });
      expect(await query(server.database.ownerUrl, 'select firmware from cabinets where id = $1', [wall.id])).toEqual([{ firmware: '2' }]);
    });

    describe('a pairing code is worth something for as long as whoever gave it may pair', () => {
      const give = (api: TestPerson['api']) => api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
      const trade = (code: string) => refusal(server.as(null)('POST /devices/pair', { body: { code, fw: '3', model: 'another' } }));
      const until = async () => (await admin.api('GET /cabinets/{id}', { params: { id: wall.id } })).pairingUntil;
      const membershipOf = async (accountId: string) => {
        const members = await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id } });
        const { id = '', version = 0 } = members.find((one) => one.accountId === accountId) ?? {};
        return { params: { tenant: ours.id, membershipId: id }, version };
      };

      let max: TestPerson;

      it('whose role was taken', async () => {
        max = await ours.person(['manager', 'sale_manager']);
        const { code } = await give(max.api);
        const { params, version } = await membershipOf(max.accountId);
        await admin.api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body: { roles: ['sale_manager'], version } });
        expect(await until()).toBeNull();
        expect(await trade(code)).toEqual([410, 'gone']);
      });

      it('who was removed; somebody else’s stays good', async () => {
        const leaver = await ours.person(['admin']);
        const { code } = await give(leaver.api);
        const { params } = await membershipOf(leaver.accountId);
        await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params });
        expect(await until()).toBeNull();
        expect(await trade(code)).toEqual([410, 'gone']);
        const mine = await give(admin.api);
        const other = await membershipOf(max.accountId);
        await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: other.params });
        expect(await until()).toBe(mine.expiresAt);
        await server.as(null)('POST /devices/pair', { body: { code: mine.code, fw: '4', model: 'ours' } });
      });

      it('whose key was revoked', async () => {
        const key = await admin.api('POST /key', { body: { name: 'installer', scopes: ['admin:lockers', 'read'], expiresAt: null } });
        const { code } = await give(server.as(key.secret));
        await admin.api('DELETE /key/{_id}', { params: { _id: key._id } });
        expect(await until()).toBeNull();
        expect(await trade(code)).toEqual([410, 'gone']);
      });

      it('whose permission for its lockers ended', async () => {
        const ids = wall.lockers.map(({ id }) => id);
        const sam = await ours.scoped(['manage'], ids);
        const { code } = await give(sam.api);
        const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => ids.includes(one)));
        await admin.api('DELETE /permissions/{id}', { params: { id: mine?.id ?? '' } });
        expect(await trade(code)).toEqual([410, 'gone']);
      });
    });
  });
});
