import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiError } from '@hatchway/contract/client.ts';
import { HISTORY_EVENTS } from '@hatchway/domain/history.ts';
import { listen, type Listener } from '../../live/test-listener.ts';
import { record, type NewEvent } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import { systemScope } from '../../scope.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let counter: TestPerson;
let lender: TestPerson;
/** Of another company. */
let theirs: TestCompany;
let stranger: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin']);
  counter = await company.person(['delivery_manager']);
  lender = await company.person(['lending_manager']);
  theirs = await testCompany(server);
  stranger = await theirs.person(['admin']);
  wall = await testCabinet(server, admin.api, 6);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const write = (events: NewEvent[], tenantId = company.id) =>
  server.deps.db.tenant(tenantId, (tx) => record(tx, systemScope(tenantId, server.deps.now().toISOString()), events, []));
const door = (at: number) => wall.lockers[at]?.id ?? '';
const q = (wanted: object) => ({ q: JSON.stringify(wanted) });
/** Of all pages, one after the other. */
const idsOf = async (person: TestPerson, wanted: object, limit: number): Promise<string[]> => {
  const from = async (cursor: { cursor?: string }): Promise<string[]> => {
    const { rows, next } = await person.api.page('GET /history', { query: { ...q(wanted), limit, ...cursor } });
    return [...rows.map(({ id }) => id), ...(next === null ? [] : await from({ cursor: next }))];
  };
  return from({});
};

describe('history', () => {
  it('is all of it to admins, that of their types to service roles, that of their lockers to scopes, nothing to others', async () => {
    const scoped = await company.scoped(['delivery'], [door(1)]);
    await write([
      { type: 'occupation_created', lockerId: door(0), occupationType: 'delivery', data: { mark: 'delivery' } },
      { type: 'occupation_created', lockerId: door(1), occupationType: 'lending', data: { mark: 'lending' } },
      { type: 'locker_empty', lockerId: door(2), data: { mark: 'locker' } },
    ]);
    const marks = async (person: TestPerson) =>
      (await person.api('GET /history', { query: { limit: 500 } }))
        .map((event) => event.data['mark'])
        .filter((mark) => typeof mark === 'string')
        .toSorted((a, b) => a.localeCompare(b));
    expect(await marks(admin)).toEqual(['delivery', 'lending', 'locker']);
    expect(await marks(counter)).toEqual(['delivery']);
    expect(await marks(lender)).toEqual(['lending']);
    expect(await marks(scoped)).toEqual(['lending']);
  });

  // shows R4.26, R4.27
  it('of a cabinet that was away is everybody’s who sees a door of it, and each of its doors’, and names no door of others', async () => {
    const cabinet = await testCabinet(server, admin.api, 2);
    const [first, second] = cabinet.lockers;
    const elsewhere = wall.lockers[0];
    const scoped = await company.scoped(['manage'], [first?.id ?? '']);
    const apart = await company.scoped(['manage'], [elsewhere?.id ?? '']);
    const [live, strangers] = [await listen(server.url, scoped.token), await listen(server.url, apart.token)];
    for (const one of [live, strangers]) await one.ask({ topic: 'subscribe', event: 'history' });
    await cabinet.cut();
    const away = { type: 'locker_offline' };
    const told = async (person: TestPerson, more: object = {}) =>
      (await person.api('GET /history', { query: q({ ...away, ...more }) })).map(({ data }) => data);
    const named = { cabinet: expect.any(String), reason: 'lost', lockers: cabinet.lockers.map(({ doorTag }) => doorTag) };
    const { lockers: _, ...unnamed } = named;
    await expect.poll(() => told(admin)).toEqual([named]);
    expect(await told(counter)).toEqual([named]);
    expect(await told(scoped)).toEqual([unnamed]);
    expect(await told(apart)).toEqual([]);
    const byDoor = [{ lockerId: second?.id }, { doorTag: second?.doorTag }, { lockerId: { $in: [first?.id, elsewhere?.id] } }];
    for (const door of byDoor) {
      expect(await told(admin, door)).toEqual([named]);
      expect(await told(apart, door)).toEqual([]);
    }
    expect(await told(scoped, { lockerId: { $in: [first?.id, elsewhere?.id] } })).toEqual([unnamed]);
    expect(await told(scoped, { doorTag: first?.doorTag })).toEqual([unnamed]);
    // Which other doors it has is not found out by asking for them.
    for (const door of [{ lockerId: second?.id }, { doorTag: second?.doorTag }]) expect(await told(scoped, door)).toEqual([]);
    for (const door of [{ lockerId: elsewhere?.id }, { doorTag: elsewhere?.doorTag }, { lockerId: crypto.randomUUID() }])
      expect(await told(admin, door)).toEqual([]);
    // The door's own events are among its cabinet's, in one order; counted once each.
    await write([{ type: 'locker_empty', lockerId: first?.id ?? '', doorTag: first?.doorTag ?? '' }]);
    const story = (await scoped.api('GET /history', { query: q({ lockerId: first?.id }) })).map(({ type }) => type);
    expect(story.slice(0, 2)).toEqual(['locker_empty', 'locker_offline']);
    const file = await scoped.api('GET /exports/history', { query: q({ ...away, lockerId: first?.id }) });
    expect((await file.text()).trim().split('\r\n')).toHaveLength(2);
    const heard = ({ events }: Listener) => events.filter(({ data }) => data['type'] === 'locker_offline').map(({ data }) => data['data']);
    await expect.poll(() => heard(live)).toEqual([unnamed]);
    expect(heard(strangers)).toEqual([]);
    for (const one of [live, strangers]) one.close();
  });

  it('pages by key from newest to oldest, each event once, also those of one moment', async () => {
    const lockerId = door(3);
    const at = '2026-01-02T03:04:05.678Z';
    await write(Array.from({ length: 25 }, (_, n) => ({ type: 'locker_empty' as const, lockerId, at, data: { n } })));
    const seen: string[] = [];
    let address: string | null =
      `/v1/history?limit=10&sort=-at&q=${encodeURIComponent(JSON.stringify({ lockerId, type: 'locker_empty' }))}`;
    let pages = 0;
    while (address) {
      const answer: Response = await fetch(server.url + address, { headers: { authorization: `Bearer ${admin.token}` } });
      seen.push(...((await answer.json()) as { id: string }[]).map((event) => event.id));
      address = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
      pages += 1;
    }
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 25, 25]);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  it('pages and counts what somebody may see on several grounds, each event once', async () => {
    const both = await company.person(['delivery_manager', 'lending_manager']);
    const at = (n: number) => `2026-01-03T00:00:00.${String(n).padStart(3, '0')}Z`;
    const types = ['delivery', 'lending', 'sale', null] as const;
    await write(
      Array.from({ length: 40 }, (_, n) => ({
        type: 'locker_empty' as const,
        lockerId: door(n % 2 === 0 ? 5 : 4),
        occupationType: types[n % 4] ?? null,
        at: at(n),
        data: { n },
      })),
    );
    const wanted = { at: { $gte: at(0), $lte: at(39) } };
    const seen: unknown[] = [];
    let total: string | null = null;
    let address: string | null = `/v1/history?limit=6&count=true&q=${encodeURIComponent(JSON.stringify(wanted))}`;
    while (address) {
      const answer: Response = await fetch(server.url + address, { headers: { authorization: `Bearer ${both.token}` } });
      seen.push(...((await answer.json()) as { data: { n: number } }[]).map((event) => event.data.n));
      total = answer.headers.get('x-total-count');
      address = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    const expected = Array.from({ length: 40 }, (_, n) => n).filter((n) => n % 4 < 2);
    expect(seen).toEqual(expected.toReversed());
    expect(total).toBe('20');
  });

  it('is searched by the beginnings of words: of who, door, occupation and asset, each further one narrowing it', async () => {
    const [first = '', second = ''] = wall.lockers.map(({ id }) => id);
    const asset = await admin.api('POST /assets', { body: { name: 'Vinkelsliper' } });
    const tag = wall.lockers[0]?.doorTag ?? '';
    await write([
      { type: 'locker_opened', lockerId: first, doorTag: tag, data: { mark: 'door' } },
      { type: 'locker_opened', lockerId: second, assetId: asset._id, data: { mark: 'asset' } },
    ]);
    const made = await admin.api('POST /occupations', {
      body: { type: 'delivery', lockerId: first, assetText: 'Blomster #50%', receiver: { name: 'Ingeborg Sørlie', tlf: '+4790000017' } },
    });
    const found = async (person: TestPerson, $text: string, more: object = {}) =>
      (await person.api('GET /history', { query: { ...q({ $text, ...more }), limit: 500 } })).map(({ id }) => id);
    const all = await admin.api('GET /history', { query: { limit: 500 } });
    const ids = (fits: (event: (typeof all)[number]) => boolean) => all.filter(fits).map(({ id }) => id);
    expect(await found(admin, 'vinkel')).toEqual(ids(({ assetId }) => assetId === asset._id));
    const story = ids(({ occupationId }) => occupationId === made.id);
    expect(all.filter(({ occupationId }) => occupationId === made.id).map(({ type }) => type)).toEqual([
      'locker_reserved',
      'occupation_created',
    ]);
    const many = Array.from({ length: 13 }, (_, at) => `ord${at}`).join(' ');
    const tooMany = admin.api('GET /history', { query: { q: { $text: many } } });
    await expect(tooMany).rejects.toThrow('$text: 12 words at most');
    const guest = await company.person([]);
    for (const $text of ['vinkel', many])
      expect(await refusal(guest.api('GET /history', { query: { q: { $text } } }))).toEqual([403, 'forbidden']);
    for (const words of ['ingeb', 'SØRLIE ingeborg', 'blom ingeborg', '+4790000017', '#50%', '#', '%'])
      expect([words, await found(admin, words)]).toEqual([words, story]);
    for (const words of ['#5%', '_', 'blom_']) expect([words, await found(admin, words)]).toEqual([words, []]);
    expect((await found(admin, tag)).toSorted()).toEqual(ids(({ lockerId }) => lockerId === first).toSorted());
    const {
      account: { name },
    } = await admin.api('GET /accounts/me');
    expect(await found(admin, name)).toEqual(ids(({ actor }) => actor.name === name));
    expect(await found(admin, `${name} ${tag}`)).toEqual(ids(({ actor, lockerId }) => actor.name === name && lockerId === first));
    expect([await found(admin, 'nobodycalledthis'), await found(admin, `${tag} nobodycalledthis`), await found(admin, '!')]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await found(admin, 'ingeb', { type: 'locker_offline' })).toEqual([]);
    // Words find nothing that the reader may not see, and of what fits on several grounds each once.
    expect([await found(lender, 'ingeb'), await found(counter, 'ingeb')]).toEqual([[], story]);
    const file = await admin.api('GET /exports/history', { query: { q: { $text: 'ingeb' } } });
    expect((await file.text()).trim().split('\r\n')).toHaveLength(story.length + 1);
    await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
  });

  it('is asked for many doors by id and tag, and searched, by whoever sees many cabinets: it finds what each of these finds', async () => {
    const own = await testCompany(server);
    const boss = await own.person(['admin']);
    const site = await boss.api('POST /sites', { body: { name: 'Hall' } });
    const made = await query<{ id: string; doorTag: string; cabinetId: string; n: number }>(
      server.database.ownerUrl,
      `with c as (
         insert into cabinets (tenant_id, id, number, site_id, name, created_at, updated_at)
         select $1, gen_random_uuid(), 987000 + n, $2, 'W' || n, now(), now() from generate_series(0, 12) n returning id, number)
       insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, name, size, reach, created_at, updated_at)
       select $1, gen_random_uuid(), id, 1, 'D' || number - 987000, '', 'M', 'middle', now(), now() from c
       returning id, door_tag as "doorTag", cabinet_id as "cabinetId", substr(door_tag, 2)::int as n`,
      [own.id, site.id],
    );
    const doors = made.toSorted((one, other) => one.n - other.n);
    await server.deps.db.tenant(own.id, async (tx) => {
      const scope = systemScope(own.id, server.deps.now().toISOString());
      const named = (name: string, event: NewEvent) =>
        record(tx, { ...scope, actor: { kind: 'person', id: crypto.randomUUID(), name } }, [event], []);
      for (const [n, { id, doorTag, cabinetId }] of doors.entries()) {
        await named(`Anna ${n}`, { type: 'locker_empty', lockerId: id, doorTag, data: { n } });
        await named('Bo', { type: 'locker_occupied', lockerId: id, doorTag, data: { n } });
        await named(`Anna B ${n}`, { type: 'locker_offline', cabinetId, data: { n } });
      }
    });
    const scoped = await own.scoped(
      ['manage'],
      doors.slice(0, 12).map(({ id }) => id),
    );
    const told = async (person: TestPerson, wanted: object) =>
      (await person.api('GET /history', { query: { limit: 500, q: JSON.stringify(wanted) } }))
        .map(({ type, data }) => `${type} ${String(data['n'])}`)
        .toSorted();
    const each = (of: number[], ...types: string[]) => of.flatMap((n) => types.map((type) => `${type} ${n}`)).toSorted();
    for (const count of [1, 12, 13]) {
      const at = Array.from({ length: count }, (_, n) => n);
      const some = doors.slice(0, count);
      const wanted = { lockerId: { $in: some.map(({ id }) => id) }, doorTag: { $in: some.map(({ doorTag }) => doorTag) } };
      for (const [person, of] of [
        [boss, at],
        [scoped, at.slice(0, 12)],
      ] as const) {
        expect(await told(person, wanted)).toEqual(each(of, 'locker_empty', 'locker_occupied', 'locker_offline'));
        expect(await told(person, { ...wanted, $text: 'anna' })).toEqual(each(of, 'locker_empty', 'locker_offline'));
        expect(await told(person, { ...wanted, $text: 'anna b' })).toEqual(each(of, 'locker_offline'));
      }
    }
  });

  it('is searched by every name, however many others come before it', async () => {
    const many = `insert into events (tenant_id, id, type, at, actor_kind, actor_id, actor_name)
      select $1::uuid, gen_random_uuid(), 'locker_opened', now(), $2::text, $3::text, 'Aa' || n from generate_series(1, $4::int) n
      union all select $1, gen_random_uuid(), 'locker_closed', now(), $2, $3, 'Zz ' || $2 || ' Last'`;
    await query(server.database.ownerUrl, many, [theirs.id, 'person', null, 600]);
    // those whom the company knows are looked through from name to name
    await query(server.database.ownerUrl, many, [theirs.id, 'key', 'k', 6_000]);
    // of one word more visitors than are told one by one
    const visitors = `insert into events (tenant_id, id, type, at, actor_kind, actor_name)
      select $1::uuid, gen_random_uuid(), 'locker_empty', now(), 'person', 'Bb' || n from generate_series(1, 300) n`;
    await query(server.database.ownerUrl, visitors, [theirs.id]);
    // As a database does by itself within a minute of so many rows; planned without it, the same search takes ten times as long.
    await query(server.database.ownerUrl, 'analyze events', []);
    const found = async ($text: string) =>
      (await stranger.api('GET /history', { query: q({ $text }) })).map(({ actor, type }) => `${actor.kind} ${type}`).toSorted();
    expect(await found('last')).toEqual(['key locker_closed', 'person locker_closed']);
    expect(await found('zz person')).toEqual(['person locker_closed']);
    expect(await found('aa5999')).toEqual(['key locker_opened']);
    // of the known ones Aa6000 begins so too
    expect(await found('aa600')).toEqual(['key locker_opened', 'key locker_opened', 'person locker_opened']);
    expect(await found('aa')).toHaveLength(50);
    expect(await found('bb')).toEqual(Array.from({ length: 50 }, () => 'person locker_empty'));
    // all of one moment
    const visits = await idsOf(stranger, { $text: 'bb' }, 100);
    expect([visits.length, new Set(visits).size]).toEqual([300, 300]);
  });

  it('finds by one word what it finds by it beside a condition that all fit, page after page', async () => {
    const own = await testCompany(server);
    const boss = await own.person(['admin']);
    const site = await boss.api('POST /sites', { body: { name: 'Hall' } });
    const drawn = [1, 2].map((compartment) => ({ doorTag: `Hall-${compartment}`, compartment, size: 'M' as const, height: 300 }));
    const { id } = await boss.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors: drawn }] } });
    const [one = { id: '', doorTag: '' }, other = one] = await boss.api('GET /cabinets/{id}/lockers', { params: { id } });
    const asset = await boss.api('POST /assets', { body: { name: 'Slagdrill' } });
    const parcel = await boss.api('POST /occupations', {
      body: { type: 'delivery', assetText: 'Parcel', receiver: { name: 'Ylva Berg', email: 'ylva@example.test' }, lockerId: other.id },
    });
    // more doors than are followed one by one
    await query(
      server.database.ownerUrl,
      `insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, size, created_at, updated_at)
       select tenant_id, gen_random_uuid(), cabinet_id, 100 + n, 'Row' || n, size, now(), now() from lockers, generate_series(1, 250) n where id = $1`,
      [one.id],
    );
    await query(
      server.database.ownerUrl,
      `insert into events (tenant_id, id, type, at, actor_kind, actor_id, actor_name, locker_id, door_tag, occupation_id, asset_id)
       select $1::uuid, gen_random_uuid(), 'locker_opened', now() - (n / 3) * interval '1 second', 'person',
         case when n % 4 = 0 then null else 'k' end, case when n % 4 = 0 then 'Vera Visitor' else 'Stig Staff' end,
         case n % 5 when 0 then $2::uuid when 1 then (select id from lockers where tenant_id = $1 and door_tag = 'Row' || n) when 2 then $5::uuid end, null,
         case when n % 5 = 2 then $3::uuid end, case when n % 5 = 3 then $4::uuid end
       from generate_series(1, 120) n`,
      [own.id, one.id, parcel.id, asset._id, other.id],
    );
    for (const [$text, least] of [
      [one.doorTag, 24],
      // what happened there is found by the door and by its use
      [other.doorTag, 24],
      ['ylva', 24],
      ['slag', 24],
      ['row', 24],
      ['vera', 30],
      ['stig', 90],
      ['nobody', 0],
    ] as const) {
      const found = await idsOf(boss, { $text }, 10);
      expect([$text, found.length >= least, new Set(found).size]).toEqual([$text, true, found.length]);
      expect([$text, found]).toEqual([$text, await idsOf(boss, { $text, at: { $gte: '2000-01-01T00:00:00Z' } }, 10)]);
    }
  });

  // shows R7.48
  it('is asked by type, time and actor', async () => {
    await write([{ type: 'locker_unknown', lockerId: door(4), at: '2026-02-03T00:00:00.000Z' }]);
    const found = await admin.api('GET /history', {
      query: q({
        type: { $in: ['locker_unknown'] },
        at: { $gte: '2026-02-01T00:00:00Z', $lt: '2026-03-01T00:00:00Z' },
        actorKind: 'system',
      }),
    });
    expect(found.map((event) => event.lockerId)).toEqual([door(4)]);
  });
});

describe('figures', () => {
  // Doors are heard of by the real clock: the company lies where it is day by that, so that no day ends under a test.
  beforeAll(async () => {
    const now = new Date();
    const hourIn = (zone: string) => Number(now.toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit' }));
    const timeZone = ['UTC', 'Asia/Tokyo', 'Pacific/Honolulu'].find((zone) => hourIn(zone) >= 6 && hourIn(zone) < 18) ?? '';
    const params = { tenant: company.id };
    const { version } = await admin.api('GET /companies/{tenant}', { params });
    await admin.api('PUT /companies/{tenant}', { params, body: { version, timeZone } });
  });

  it('count the lockers that somebody may see', async () => {
    const scoped = await company.scoped(['delivery'], [door(1), door(2)]);
    await counter.api('POST /occupations/delivery', { body: { lockerId: door(1), assetText: 'Pakke', fill: true } });
    const all = await admin.api('GET /stats/now');
    expect(all.lockers).toMatchObject({ total: 8, free: 5, inUse: 1, unready: 2, bySize: [{ size: 'M', free: 5, inUse: 1 }] });
    expect(all.today.filled).toBe(1);
    const some = await scoped.api('GET /stats/now');
    expect(some.lockers).toMatchObject({ total: 2, free: 1, inUse: 1 });
    expect(await stranger.api('GET /stats/now')).toMatchObject({ lockers: { total: 0, bySize: [] }, today: { filled: 0 } });
  });

  it('go day by day of the company’s clock, empty days too', async () => {
    const days = await admin.api('GET /stats/usage', { query: { days: 7 } });
    expect(days).toHaveLength(7);
    expect(days.map((day) => day.day)).toEqual(days.map((day) => day.day ?? '').toSorted());
    expect(days.at(-1)?.filled).toBe((await admin.api('GET /stats/now')).today.filled);
  });
});

describe('receivers', () => {
  it('are found by the beginning of a word, number or address, once each, and not by what lies in the locker', async () => {
    const receiver = { name: 'Ingrid Solberg-Moe (resepsjon)', tlf: '+4790000077', email: 'ingrid@example.test' };
    for (const at of [4, 5])
      await counter.api('POST /occupations/delivery', { body: { lockerId: door(at), assetText: 'Solskjerm', receiver } });
    const find = (search: string) => counter.api('GET /receivers', { query: { search } });
    for (const search of [
      'ingr',
      'solb',
      'ingrid sol',
      '90000077',
      '900 00 07',
      '+4790000077',
      'ingrid@ex',
      '-moe',
      'solberg-',
      '(res',
      // as it is written down or typed from a phone
      'Solberg-Moe, Ingrid',
      '"Ingrid" (solberg-moe);',
      '+47 900 00 077',
    ])
      expect([search, await find(search)]).toMatchObject([search, [receiver]]);
    expect(await find('Solskjerm')).toEqual([]);
    for (const search of ['grid', 'erg-moe', '%', '_', 'ingrid_']) expect([search, await find(search)]).toEqual([search, []]);
    // the same for everybody whose address is there
    for (const search of ['Ingrid Example', 'Ingrid Test', 'example.test']) expect([search, await find(search)]).toEqual([search, []]);
  });
});

describe('receivers who are members', () => {
  it('come with the groups that a policy names, and no others', async () => {
    const member = await company.person([], 'Torunn Gruppe');
    const [named, secret] = [
      await admin.api('POST /groups', { body: { name: 'Workshop', description: '' } }),
      await admin.api('POST /groups', { body: { name: 'Laid off', description: '' } }),
    ];
    for (const { id } of [named, secret])
      await admin.api('POST /groups/{id}/members/{userId}', { params: { id, userId: member.accountId }, body: {} });
    const groups = async () => (await counter.api('GET /receivers', { query: { search: 'Torunn' } })).map(({ groupIds }) => groupIds);
    expect(await groups()).toEqual([[]]);
    await admin.api('POST /policies', { body: { name: 'Tools', ref: `tools-${newId().slice(-8)}`, groupIds: [named.id] } });
    expect(await groups()).toEqual([[named.id]]);
  });
});

describe('words', () => {
  // shows R4.30, R7.17
  it('come in both languages for every kind, and no other kind is there', async () => {
    const kinds = [
      'occupations',
      'stages',
      'lockers',
      'sizes',
      'roles',
      'scopes',
      'licenses',
      'history',
      'payments',
      'integrations',
      'services',
    ];
    for (const kind of kinds) {
      const words = await counter.api('GET /types/{kind}', { params: { kind } });
      expect([kind, words.length > 2, words.every(({ en, nb }) => en !== '' && nb !== '')]).toEqual([kind, true, true]);
    }
    expect(await counter.api('GET /types/{kind}', { params: { kind: 'stages' } })).toContainEqual({
      value: 98,
      en: 'Ended',
      nb: 'Avsluttet',
    });
    expect(await counter.api('GET /types/{kind}', { params: { kind: 'payments' } })).toContainEqual({
      value: 'captured',
      en: 'Captured',
      nb: 'Fakturert',
    });
    const told = await counter.api('GET /types/{kind}', { params: { kind: 'history' } });
    expect(told).toContainEqual({ value: 'payment_captured', en: 'Payment captured', nb: 'Betaling fakturert' });
    expect(told.map(({ value }) => value)).toEqual(expect.arrayContaining([...HISTORY_EVENTS]));
    for (const kind of ['nothing', '__proto__', 'constructor']) {
      const error: unknown = await counter.api('GET /types/{kind}', { params: { kind } }).catch((e: unknown) => e);
      expect((error as ApiError).status).toBe(404);
    }
  });
});
