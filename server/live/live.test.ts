import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { query } from '../db/test-database.ts';
import { record, type Change } from '../events/record.ts';
import { testSession } from '../identity/test-token.ts';
import { systemScope } from '../scope.ts';
import { endOf, refusal, testCompany, type TestCompany, type TestPerson } from '../test-company.ts';
import { testServer, unique, type TestServer } from '../test-server.ts';
import { listen, type Listener } from './test-listener.ts';

let server: TestServer;
let shift = 0;
/** Where the clock stands still (ms), as long as it does. */
let still: number | null = null;
const make = async () => {
  const company = await testCompany(server);
  const admin = await company.person(['admin']);
  const site = await admin.api('POST /sites', { body: { name: 'Site' } });
  const doors = [1, 2, 3].map((n) => ({ doorTag: `T-${n}-${unique()}`, compartment: n, size: 'M' as const, height: 300 }));
  const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
  const lockers = await admin.api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
  return { company, admin, cabinet, lockers: lockers.map((locker) => locker.id) };
};
type World = Awaited<ReturnType<typeof make>>;
let ours: World;
let theirs: World;
let scoped: TestPerson;
/** Those that are ended by the last test that has them. */
let deleted: World | undefined;
let suspended: World | undefined;
const open: Listener[] = [];
const join = async (token: string | null, ...events: string[]) => {
  const listener = await listen(server.url, token);
  open.push(listener);
  for (const event of events) expect(await listener.ask({ topic: 'subscribe', event })).toBeNull();
  return listener;
};

beforeAll(async () => {
  server = await testServer({ now: () => new Date(still ?? Date.now() + shift) });
  ours = await make();
  theirs = await make();
  scoped = await ours.company.scoped(['delivery'], [ours.lockers[0] ?? '']);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.close();
  shift = 0;
  still = null;
});
afterAll(() => server.stop());

const now = () => server.deps.now().toISOString();
const change = async (world: { company: TestCompany }, changes: Change[], act: string | null = null) => {
  await server.deps.db.tenant(world.company.id, async (tx) => {
    if (act) await sql.raw(act).execute(tx);
    await record(tx, systemScope(world.company.id, now()), [], changes);
  });
  server.deps.outbox.wake();
};
/** Another name, told as a change: what a command does. */
const rename = (world: World, at: number, name: string) =>
  change(
    world,
    [{ kind: 'lockers', id: world.lockers[at] ?? '', method: 'PUT' }],
    `update lockers set name = '${name}', version = version + 1 where tenant_id = '${world.company.id}' and id = '${world.lockers[at]}'`,
  );
const names = (listener: Listener) => listener.events.map((event) => event.data['name']);

describe('a live socket', () => {
  it('is open a hundred times at most for one person, and the next is told why it is closed', async () => {
    const many = await ours.company.person(['admin']);
    const all = await Promise.all(Array.from({ length: 110 }, () => join(many.token)));
    await expect.poll(() => all.filter((one) => one.code() !== null)).toHaveLength(10);
    const closed = all.filter((one) => one.code() !== null);
    expect(new Set(closed.map((one) => `${one.code()} ${one.reason()}`))).toEqual(new Set(['4003 100 sockets of this person are open']));
    const kept = all.filter((one) => one.code() === null);
    expect(await kept[0]?.ask({ topic: 'ping' })).toBeNull();
    // Whoever else is there is not kept out, and one that closes makes room.
    expect(await (await join(ours.admin.token)).ask({ topic: 'ping' })).toBeNull();
    kept[0]?.close();
    const takenAgain = async () => {
      const next = await join(many.token);
      const closes = new Promise<string>((resolve) => next.socket.once('close', () => resolve('closed')));
      return next.code() === null ? Promise.race([next.ask({ topic: 'ping' }), closes]) : 'closed';
    };
    await expect.poll(takenAgain).toBeNull();
  });

  it('says with an accepted subscription for how long nothing of that kind has changed', async () => {
    const listener = await join(ours.admin.token, 'lockers');
    const quiet = async (event: string): Promise<number> => {
      const answered = once(listener.socket, 'message') as Promise<[Buffer]>;
      listener.socket.send(JSON.stringify({ topic: 'subscribe', event }));
      const said = JSON.parse((await answered)[0].toString()) as { quiet?: number };
      return said.quiet ?? -1;
    };
    const began = performance.now();
    await rename(ours, 0, 'heard');
    await expect.poll(() => names(listener)).toEqual(['heard']);
    const since = Math.floor(performance.now() - began);
    const lockers = await quiet('lockers');
    expect(lockers).toBeGreaterThanOrEqual(0);
    expect(lockers).toBeLessThanOrEqual(performance.now() - began);
    expect(await quiet('cabinets')).toBeGreaterThanOrEqual(since);
    // What somebody may see has changed: of no kind is it known since when their answer holds.
    const changed = performance.now();
    await change(ours, [{ kind: 'permissions', id: ours.lockers[0] ?? '', method: 'PUT' }]);
    await expect.poll(async () => (await quiet('cabinets')) <= performance.now() - changed).toBe(true);
  });

  // shows R7.82, R7.84
  it('tells a committed change to whoever subscribed, as the API shows the row', async () => {
    const listener = await join(ours.admin.token, 'lockers');
    await rename(ours, 0, 'first');
    await expect.poll(() => listener.events).toHaveLength(1);
    const row = await ours.admin.api('GET /lockers/{id}', { params: { id: ours.lockers[0] ?? '' } });
    expect(listener.events[0]).toEqual({ topic: 'event', subscription: 'lockers', method: 'PUT', data: row });
  });

  it('says nothing of what was rolled back', async () => {
    const listener = await join(ours.admin.token, 'lockers');
    await server.deps.db
      .tenant(ours.company.id, async (tx) => {
        await record(tx, systemScope(ours.company.id, now()), [], [{ kind: 'lockers', id: ours.lockers[0] ?? '', method: 'PUT' }]);
        throw new Error('changed my mind');
      })
      .catch(() => undefined);
    await rename(ours, 1, 'kept');
    await expect.poll(() => names(listener)).toEqual(['kept']);
  });

  it('follows one row, repeats the event’s name, and ends with unsubscribe', async () => {
    const name = `lockers/${ours.lockers[1]}`;
    const listener = await join(ours.admin.token, name);
    await rename(ours, 0, 'not this');
    await rename(ours, 1, 'this');
    await expect.poll(() => listener.events.map((event) => [event.subscription, event.data['name']])).toEqual([[name, 'this']]);
    expect(await listener.ask({ topic: 'unsubscribe', event: name })).toBeNull();
    const witness = await join(ours.admin.token, 'lockers');
    await rename(ours, 1, 'that');
    await expect.poll(() => names(witness)).toEqual(['that']);
    expect(listener.events).toHaveLength(1);
  });

  // shows R7.83, R7.84
  it('answers without an id by the event’s name, and names what it does not know', async () => {
    const listener = await join(ours.admin.token);
    const answered = new Promise((resolve) => listener.socket.once('message', (data) => resolve(JSON.parse((data as Buffer).toString()))));
    listener.socket.send(JSON.stringify({ topic: 'subscribe', event: 'lockers' }));
    expect(await answered).toEqual({ topic: 'response', id: 'lockers', quiet: expect.any(Number) });
    for (const event of ['Lockers', 'lockers/', 'lockers/x', `lockers/${ours.lockers[0]}/x`, 'accounts', '__proto__'])
      expect(await listener.ask({ topic: 'subscribe', event })).toBe('unknown-event');
  });

  it('keeps people, not messages: beyond 100 in ten seconds it closes', async () => {
    const listener = await join(ours.admin.token);
    for (const at of [0, 10_000]) {
      shift = at;
      for (let n = 0; n < 99; n++) listener.socket.send('not json');
      expect(await listener.ask({ topic: 'ping' })).toBeNull();
    }
    for (let n = 0; n < 150; n++) listener.socket.send('not json');
    await expect.poll(() => listener.code()).toBe(1008);
  });

  it('tells history as it is written', async () => {
    const listener = await join(ours.admin.token, 'history');
    await server.deps.db.tenant(ours.company.id, (tx) =>
      record(tx, systemScope(ours.company.id, now()), [{ type: 'locker_empty', lockerId: ours.lockers[2] ?? null }], []),
    );
    server.deps.outbox.wake();
    await expect.poll(() => listener.events.map((event) => [event.method, event.data['type']])).toEqual([['POST', 'locker_empty']]);
  });
});

describe('what leaves the company or somebody’s sight', () => {
  it('never reaches another company', async () => {
    const spy = await join(theirs.admin.token, 'lockers', `lockers/${ours.lockers[0]}`, 'history', 'cabinets');
    await rename(ours, 0, 'secret');
    await rename(theirs, 0, 'own');
    await expect.poll(() => names(spy)).toEqual(['own']);
  });

  it('reaches somebody with a scope for their lockers alone', async () => {
    const listener = await join(scoped.token, 'lockers', `lockers/${ours.lockers[1]}`, 'history', 'memberships', 'permissions');
    await rename(ours, 1, 'hidden');
    await server.deps.db.tenant(ours.company.id, (tx) =>
      record(
        tx,
        systemScope(ours.company.id, now()),
        [1, 0].map((at) => ({ type: 'locker_empty' as const, lockerId: ours.lockers[at] ?? null })),
        [],
      ),
    );
    await rename(ours, 0, 'mine');
    await expect.poll(() => names(listener)).toContain('mine');
    expect(listener.events.map((event) => event.data['id'] === ours.lockers[0] || event.data['lockerId'] === ours.lockers[0])).toEqual([
      true,
      true,
    ]);
  });

  it('is DELETE where a permission was withdrawn, and POST where it was given', async () => {
    const somebody = await ours.company.scoped(['delivery'], [ours.lockers[0] ?? '', ours.lockers[1] ?? '']);
    const listener = await join(somebody.token, 'lockers');
    const [permission] = await query<{ id: string }>(
      server.database.ownerUrl,
      `select p.id from permissions p join group_members g on g.group_id = any(p.group_ids) where g.account_id = $1`,
      [somebody.accountId],
    );
    const give = (lockers: (string | undefined)[]) =>
      change(
        ours,
        [{ kind: 'permissions', id: permission?.id ?? '', method: 'PUT' }],
        `update permissions set locker_ids = '{${lockers.join(',')}}' where id = '${permission?.id}'`,
      );
    await give([ours.lockers[0]]);
    await expect.poll(() => listener.events.map((e) => [e.method, e.data['id']])).toEqual([['DELETE', ours.lockers[1]]]);
    await give([ours.lockers[0], ours.lockers[2]]);
    await expect
      .poll(() => listener.events.at(-1))
      .toMatchObject({ method: 'POST', data: { id: ours.lockers[2], doorTag: expect.any(String) } });
    await rename(ours, 1, 'gone');
    await rename(ours, 2, 'new');
    await expect.poll(() => names(listener).at(-1)).toBe('new');
    expect(listener.events).toHaveLength(3);
    await give([]);
    await expect.poll(() => listener.code()).toBe(4000);
  });

  it('is DELETE where a locker is deleted, though the scopes on it go with it', async () => {
    const world = (deleted ??= await make());
    const { api } = world.admin;
    const doors = [{ doorTag: `K-${unique()}`, compartment: 1, size: 'M' as const, height: 300 }];
    const other = await api('POST /cabinets', { body: { siteId: world.cabinet.siteId, name: 'Kept', columns: [{ width: 400, doors }] } });
    const stays = other.columns[0]?.doors[0]?.lockerId ?? '';
    const somebody = await world.company.scoped(['delivery'], [world.lockers[0] ?? '', stays]);
    const listener = await join(somebody.token, 'lockers');
    await api('DELETE /cabinets/{id}', { params: { id: world.cabinet.id } });
    await expect.poll(() => listener.events.map((event) => [event.method, event.data['id']])).toEqual([['DELETE', world.lockers[0]]]);
  });
});

describe('nobody stays who may not', () => {
  const status = (promise: Promise<unknown>) =>
    promise.then(
      () => 'open',
      (error: { status?: number }) => error.status,
    );

  // shows R7.82
  it('refuses before the upgrade: no token, a forged one, an API key, an end user, another page', async () => {
    const [head, body] = ours.admin.token.split('.');
    const nobody = await ours.company.person([]);
    expect(await status(listen(server.url, null))).toBe(401);
    expect(await status(listen(server.url, `${head}.${body}.AAAA`))).toBe(401);
    expect(await status(listen(server.url, `hw_${'A'.repeat(54)}`))).toBe(401);
    expect(await status(listen(server.url, nobody.token))).toBe(403);
    expect(await status(listen(server.url, ours.admin.token, { origin: 'https://evil.example' }))).toBe(403);
    expect(await status(listen(server.url, ours.admin.token, { origin: `${server.url}.evil.example` }))).toBe(403);
    shift = 3600_000;
    expect(await status(listen(server.url, ours.admin.token))).toBe(401);
  });

  it.each(['//', '//live', '/live/', '/', '/\\[', '/portal/live'])('knows no socket at %s', async (path) => {
    const answer = new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      };
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path, headers, agent: false }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end();
    });
    expect(await answer).toBe(404);
  });

  it('takes no token of another issuer, though our own key signed it for the same person: neither to come in, nor to stay', async () => {
    // The same people, memberships and keys at another address: all of the token is right but who it says gave it.
    const from = async (publicUrl: string) => {
      const { deps } = server;
      const mint = await testSession({ ...deps, config: { ...deps.config, publicUrl } }, ours.admin.accountId, ours.company.id);
      const token = await mint();
      if (token === null) throw new Error('they were not let in');
      return token;
    };
    const [here, elsewhere] = [await from(server.url), await from('http://127.0.0.1:9')];
    expect(await status(listen(server.url, elsewhere))).toBe(401);
    expect(await refusal(server.as(elsewhere)('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
    const listener = await join(here, 'lockers');
    expect(await listener.ask({ topic: 'token', token: elsewhere })).toBe('unauthenticated');
    expect(await listener.ask({ topic: 'token', token: here })).toBeNull();
  });

  it('answers what is no message of ours with what is wrong, by as much of its id as can be read', async () => {
    const listener = await join(ours.admin.token);
    const answers: unknown[] = [];
    listener.socket.on('message', (data) => answers.push(JSON.parse((data as Buffer).toString())));
    const said = (id: unknown, event = 'lockers') => JSON.stringify({ topic: 'subscribe', id, event });
    for (const raw of [said(7), said({ a: 1 }), said(''), said('x'.repeat(300)), said('r1', ''), '{', '[]']) listener.socket.send(raw);
    await expect.poll(() => answers.length).toBe(7);
    expect(answers).toEqual(
      [['7', 'bad-id'], ['', 'bad-id'], ['', 'bad-id'], ['x'.repeat(200), 'bad-id'], ['r1', 'malformed'], ['', 'malformed'], ['', 'malformed']].map(
        ([id, error]) => ({ topic: 'response', id, error }),
      ),
    ); // prettier-ignore
  });

  it('answers whoever asks whether the line still lives, with or without a name for the question', async () => {
    const listener = await join(ours.admin.token);
    expect(await listener.ask({ topic: 'ping' })).toBeNull();
    expect(await listener.ask({ topic: 'ping', id: 'ping' })).toBeNull();
  });

  it('closes with 4001 when the token has run out, and not while it is renewed', async () => {
    const person = await ours.company.person(['admin']);
    const stays = await join(person.token, 'lockers');
    const leaves = await join(person.token, 'lockers');
    let token = '';
    await expect.poll(async () => endOf((token = (await person.again()).token)), { interval: 500 }).toBeGreaterThan(endOf(person.token));
    expect(await stays.ask({ topic: 'token', token })).toBeNull();
    // It stands still at that moment: how long the closing takes is nothing to the other one's end.
    still = endOf(person.token);
    await expect.poll(() => leaves.code()).toBe(4001);
    expect(stays.code()).toBeNull();
  });

  it('asks anew for whoever renewed, and for nobody beside them; for everybody where a licence is given or taken', async () => {
    const world = (suspended ??= await make());
    const idle = await world.company.person(['delivery_manager']);
    const [busy, other] = [await join(world.admin.token, 'lockers', 'cabinets'), await join(idle.token, 'lockers')];
    // Written behind the server's back, so that nothing but a look at the rows tells of it.
    await query(server.database.ownerUrl, `update memberships set roles = '{}' where account_id = $1`, [idle.accountId]);
    expect(await busy.ask({ topic: 'token', token: world.admin.token })).toBeNull();
    await rename(world, 0, 'after');
    await expect.poll(() => [names(busy).at(-1), names(other).at(-1)]).toEqual(['after', 'after']);
    expect(other.code()).toBeNull();
    await server.operator('PUT /operator/companies/{id}', { params: { id: world.company.id }, body: { licenses: ['delivery'] } });
    await expect.poll(() => [busy.code(), other.code()]).toEqual([1013, 4000]);
  });

  it('takes no other person’s token on an open socket', async () => {
    const listener = await join(scoped.token, 'lockers');
    expect(await listener.ask({ topic: 'token', token: 'x.y.z' })).toBe('unauthenticated');
    expect(await listener.ask({ topic: 'token', token: ours.admin.token })).toBe('other-company');
    await expect.poll(() => listener.code()).toBe(4000);
  });

  it('closes with 4000 when the membership ended, and tells no more', async () => {
    const leaver = await ours.company.person(['delivery_manager']);
    const listener = await join(leaver.token, 'lockers');
    const members = await ours.admin.api('GET /companies/{tenant}/memberships', {
      params: { tenant: ours.company.id },
      query: { limit: 500 },
    });
    const membershipId = members.find((one) => one.accountId === leaver.accountId)?.id ?? '';
    await ours.admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: ours.company.id, membershipId } });
    await expect.poll(() => listener.code()).toBe(4000);
    expect(await status(listen(server.url, leaver.token))).toBe(401);
  });

  it('closes with 4000 when roles were taken away, when the session ended, and when the company was suspended', async () => {
    const world = (suspended ??= await make());
    const person = await world.company.person(['delivery_manager']);
    const listener = await join(person.token, 'lockers');
    await change(
      world,
      [{ kind: 'memberships', id: ours.lockers[0] ?? '', method: 'PUT' }],
      `update memberships set roles = '{}' where account_id = '${person.accountId}'`,
    );
    await expect.poll(() => listener.code()).toBe(4000);
    const admin = await join(world.admin.token, 'lockers');
    const other = await world.admin.again();
    const second = await join(other.token, 'lockers');
    const { sid } = JSON.parse(Buffer.from(other.token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
    server.deps.bus.publish('revoked', { kind: 'session', sessionUid: sid, accountId: world.admin.accountId, at: Date.now() });
    await expect.poll(() => second.code()).toBe(4000);
    expect(admin.code()).toBeNull();
    await server.operator('PUT /operator/companies/{id}', { params: { id: world.company.id }, body: { suspended: true } });
    await expect.poll(() => admin.code()).toBe(4000);
  });

  it('lets a sign-in be that was made after the one before had ended, though that is told later', async () => {
    const old = await ours.company.person(['admin']);
    const before = await join(old.token, 'lockers');
    const at = new Date().toISOString();
    await wait(3_500);
    const newer = await old.again();
    const after = await join(newer.token, 'lockers');
    // As a node leaves it that was killed between the commit and the telling.
    await query(server.database.ownerUrl, 'insert into identity_revocations (event, at) values ($1, $2)', [
      JSON.stringify({ kind: 'account', accountId: old.accountId }),
      at,
    ]);
    await expect.poll(() => before.code()).toBe(4000);
    expect(await refusal(old.api('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
    expect(await newer.api('GET /accounts/me')).toMatchObject({ tenantId: ours.company.id });
    expect(after.code()).toBeNull();
    expect(await after.ask({ topic: 'subscribe', event: 'cabinets' })).toBeNull();
  });

  it('closes with 4002 when the company was deleted, and says so to whoever comes again', async () => {
    const world = (deleted ??= await make());
    const { token, api } = world.admin;
    const listener = await join(token, 'lockers');
    await server.operator('DELETE /operator/companies/{id}', { params: { id: world.company.id } });
    await expect.poll(() => listener.code()).toBe(4002);
    expect(await status(listen(server.url, token))).toBe(403);
    expect(await refusal(api('GET /accounts/me'))).toEqual([403, 'company-gone']);
  });

  it('closes with 4000 a page of another build, and says the build in /config', async () => {
    const config = (await (await fetch(`${server.url}/config`)).json()) as { live: string; build: string };
    expect(config.live).toBe(`${server.url.replace('http', 'ws')}/live?build=${config.build}`);
    const fresh = await listen(server.url, ours.admin.token, { build: config.build });
    const old = await listen(server.url, ours.admin.token, { build: 'older' });
    open.push(fresh, old);
    await expect.poll(() => old.code()).toBe(4000);
    expect(await fresh.ask({ topic: 'subscribe', event: 'lockers' })).toBeNull();
  });
});

it('drops a reader that does not read, and goes on for the others', async () => {
  const slow = await join(ours.admin.token, 'lockers');
  const quick = await join(ours.admin.token, 'lockers');
  (slow.socket as unknown as { _socket: { pause: () => void } })._socket.pause();
  // Written once: a change that is told again is as long.
  const long = `update lockers set name = repeat('x', 400000) where tenant_id = '${ours.company.id}'`;
  await query(server.database.ownerUrl, long);
  const changed = ours.lockers.slice(0, 1).map((id) => ({ kind: 'lockers' as const, id, method: 'PUT' as const }));
  await expect
    .poll(
      async () => {
        await change(ours, changed);
        const metrics = await (await fetch(`${server.url}/metrics`)).text();
        return /hatchway_live_sockets (\d+)/.exec(metrics)?.[1];
      },
      { interval: 20 },
    )
    .toBe('1');
  await rename(ours, 0, 'after');
  await expect.poll(() => names(quick).at(-1)).toBe('after');
});
