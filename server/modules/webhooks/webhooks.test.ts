import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MISSED_MOST } from '@hatchway/domain/webhook.ts';
import { query } from '../../db/test-database.ts';
import { sweep } from '../../jobs/sweep.ts';
import { listen } from '../../live/test-listener.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

type Heard = { headers: Record<string, string>; body: string; path: string };

let receiver: Server;
let url: string;
const heard: Heard[] = [];
/** How the other side answers from now on. */
type Said = { status: number; headers?: Record<string, string> };
let answer: (request: IncomingMessage) => Said | Promise<Said> = () => ({ status: 200 });
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let stranger: TestPerson;
let late = 0;
let lockerId: string;
/** What happens while the next call waits for its answer. */
let holding: (() => Promise<void>) | null = null;

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      heard.push({ headers: request.headers as Record<string, string>, body, path: request.url ?? '' });
      const before = holding;
      holding = null;
      void Promise.resolve(before?.()).then(async () => {
        const { status, headers = {} } = await answer(request);
        reply.writeHead(status, headers).end();
      });
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const { port } = receiver.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  server = await testServer({ now: () => new Date(Date.now() + late), config: { sandboxPorts: [port] } });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  stranger = await (await testCompany(server)).person(['admin']);
  const site = await admin.api('POST /sites', { body: { name: unique() } });
  const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
  const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
  lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
});
beforeEach(async () => {
  heard.length = 0;
  late = 0;
  answer = () => ({ status: 200 });
  await query(server.database.ownerUrl, 'delete from webhooks');
});
afterAll(async () => {
  await server.stop();
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});

const make = (body: object = {}) => admin.api('POST /webhooks', { body: { url: `${url}/hook`, ...body } });
const log = (id: string) => admin.api('GET /webhooks/{id}/deliveries', { params: { id } });
const one = async (id: string) => (await admin.api('GET /webhooks', { query: { q: { id } } }))[0];
const use = async (reason?: string) => {
  const made = await admin.api('POST /occupations', {
    body: { type: 'delivery', lockerId, assetText: 'Parcel', receiver: { name: 'Rita', email: 'rita@example.test' } },
  });
  await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: reason ? { reason } : {} });
  return made.id;
};
/** It alone, without an end: told as `occupation_created`. */
const created = async () => {
  const { id } = await admin.api('POST /occupations', {
    body: { type: 'delivery', lockerId, assetText: 'Parcel', receiver: { name: 'Rita', email: 'rita@example.test' } },
  });
  await query(server.database.ownerUrl, 'update occupations set stage = 98 where id = $1', [id]);
  return id;
};
/** The log as it is written down, the newest first: cheaper to ask again and again than a call. */
const sent = (id: string) =>
  query<{ state: string; status: number | null; attempts: number; error: string | null }>(
    server.database.ownerUrl,
    'select state, status, attempts, error from webhook_deliveries where webhook_id = $1 order by created_at desc, id desc',
    [id],
  );
const whyOff = async (id: string) =>
  (await query<{ why: string | null }>(server.database.ownerUrl, 'select disabled_reason as why from webhooks where id = $1', [id]))[0]
    ?.why;
const verified = (one: Heard | undefined, secret: string): Record<string, unknown> =>
  new Verifier(secret).verify(one?.body ?? '', one?.headers ?? {}) as Record<string, unknown>;

describe('webhooks', () => {
  it('are told each event once it is committed, signed, as an administrator reads it and without a secret', async () => {
    const takes = 50;
    answer = () => new Promise((done) => setTimeout(done, takes, { status: 200 }));
    const { secret, ...made } = await make();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const id = await use();
    const events = await admin.api('GET /history', { query: { q: { occupationId: id } } });
    await expect.poll(() => heard.length).toBe(events.length);
    for (const event of events) {
      const told = heard.find(({ body }) => body.includes(event.id));
      expect(verified(told, secret)).toEqual({ type: event.type, timestamp: event.at, data: event });
      expect(told?.headers['webhook-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(told?.headers['content-type']).toBe('application/json');
    }
    expect(JSON.stringify(heard)).not.toMatch(/whsec_|token|secret/);
    await expect.poll(async () => (await sent(made.id)).every((row) => row.state === 'delivered' && row.status === 200)).toBe(true);
    const [row] = await log(made.id);
    expect(row).toMatchObject({ attempts: 1, error: null, nextAt: null });
    // a timer may go off a moment early
    expect(row?.durationMs).toBeGreaterThanOrEqual(takes - 5);
    expect(row?.durationMs).toBeLessThan(10_000);
    expect(JSON.stringify(await admin.api('GET /webhooks'))).not.toContain(secret.slice(6));
  });

  it('show how each telling went while somebody looks on', async () => {
    const { id } = await make({ events: ['occupation_created'] });
    const watcher = await listen(server.url, admin.token);
    expect(await watcher.ask({ topic: 'subscribe', event: 'deliveries' })).toBeNull();
    await created();
    const told = () => watcher.events.map(({ data }) => [data['webhookId'], data['type'], data['state']]);
    await expect.poll(told).toContainEqual([id, 'occupation_created', 'delivered']);
    await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await expect.poll(told).toContainEqual([id, 'test', 'delivered']);
    watcher.close();
  });

  it('hear only the events that they asked for, and none while switched off', async () => {
    const { id, url: address, version } = await make({ events: ['occupation_terminated'] });
    const off = await make({ active: false, url: `${url}/off` });
    await use();
    await expect.poll(() => heard.length).toBe(1);
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ type: 'occupation_terminated' });
    expect(await log(off.id)).toEqual([]);
    expect((await one(off.id))?.missed).toEqual({ kept: 0, lost: 0 });
    expect(await refusal(admin.api('POST /webhooks/{id}/test', { params: { id: off.id } }))).toEqual([422, 'rule']);
    expect(await refusal(make({ events: ['occupation_exploded'] }))).toEqual([400, 'malformed']);
    const wide = { url: address, events: [] };
    // Moved alone it hears no more than before, and what was switched off stays so.
    const move = (of: { id: string; version: number }) =>
      admin.api('PUT /webhooks/{id}', { params: { id: of.id }, body: { url: `${url}/moved`, version: of.version } });
    const moved = await move({ id, version });
    expect(moved).toMatchObject({ url: `${url}/moved`, events: ['occupation_terminated'], active: true });
    expect(await move(off)).toMatchObject({ active: false });
    expect(await admin.api('PUT /webhooks/{id}', { params: { id }, body: { ...wide, version: moved.version } })).toMatchObject({
      events: [],
    });
  });

  it('that answer badly are tried again later under the same id, may ask for more time, and say when something last arrived', async () => {
    answer = () => ({ status: 503, headers: { 'retry-after': '60' } });
    const made = await make();
    const { id, secret } = made;
    expect(made.deliveredAt).toBeNull();
    const test = await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await expect.poll(async () => (await sent(id))[0]?.status).toBe(503);
    const [row] = await log(id);
    expect(row).toMatchObject({ id: test.id, state: 'queued', attempts: 1 });
    expect(Date.parse(row?.nextAt ?? '') - Date.parse(row?.attemptedAt ?? '')).toBeGreaterThan(55_000);
    expect(await one(id)).toMatchObject({ deliveredAt: null, failingSince: expect.any(String) });
    answer = () => ({ status: 204 });
    late = 95_000;
    await sweep(server.deps, ours.id);
    await expect.poll(async () => (await sent(id))[0]?.state).toBe('delivered');
    expect((await log(id))[0]).toMatchObject({ attempts: 2, status: 204 });
    expect(new Set(heard.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([test.id]));
    expect(new Set(heard.map(({ headers }) => headers['webhook-signature'])).size).toBe(2);
    expect(verified({ ...heard[0]!, headers: { ...heard[0]!.headers } }, secret)).toMatchObject({ type: 'test' });
    const first = await one(id);
    expect(Math.abs(Date.parse(first?.deliveredAt ?? '') - server.deps.now().getTime())).toBeLessThan(60_000);
    expect(first?.failingSince).toBeNull();
    // It works on: the next one is told too, and changes nothing that anybody edits.
    late = 165_000;
    await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await expect
      .poll(async () => Date.parse((await one(id))?.deliveredAt ?? '') - Date.parse(first?.deliveredAt ?? ''))
      .toBeGreaterThan(60_000);
    expect(await one(id)).toMatchObject({ version: first?.version, failingSince: null });
    const body = { url: `${url}/new`, version: first?.version ?? 0 };
    expect((await admin.api('PUT /webhooks/{id}', { params: { id }, body })).deliveredAt).toBeNull();
  });

  it('that say 410, or nothing well for days, are switched off with a word, and begin anew when switched on', async () => {
    answer = () => ({ status: 410 });
    const gone = await make();
    await admin.api('POST /webhooks/{id}/test', { params: { id: gone.id } });
    await expect.poll(() => whyOff(gone.id)).toBe('gone');
    expect(await one(gone.id)).toMatchObject({ active: false });
    const told = await query<{ cause: string; to_masked: string }>(
      server.database.ownerUrl,
      `select cause, to_masked from messages where tenant_id = $1 and kind = 'webhook-off' and channel = 'mail'`,
      [ours.id],
    );
    expect(told.map(({ cause }) => cause.split(':').slice(0, 2).concat(cause.split(':').slice(3)))).toEqual([
      ['webhook-off', gone.id, admin.accountId],
    ]);

    answer = () => ({ status: 500 });
    const failing = await make();
    const { id } = await admin.api('POST /webhooks/{id}/test', { params: { id: failing.id } });
    await expect.poll(async () => (await sent(failing.id))[0]?.attempts).toBe(1);
    await query(
      server.database.ownerUrl,
      `update webhook_deliveries set attempts = 9, next_at = now() - interval '1 minute' where id = $1`,
      [id],
    );
    await query(server.database.ownerUrl, `update webhooks set failing_since = now() - interval '4 days' where id = $1`, [failing.id]);
    await sweep(server.deps, ours.id);
    await expect.poll(() => whyOff(failing.id)).toBe('failing');
    expect((await log(failing.id))[0]).toMatchObject({ state: 'failed', attempts: 10, status: 500 });
    const version = (await one(failing.id))?.version ?? 0;
    const on = await admin.api('PUT /webhooks/{id}', { params: { id: failing.id }, body: { url: failing.url, active: true, version } });
    expect(on).toMatchObject({ active: true, disabledReason: null, failingSince: null });
  });

  it('end with the right of who answers for them, and go on for whoever switches them on again', async () => {
    const [leaver, lowered] = [await ours.person(['admin'], 'Leaver'), await ours.person(['admin'], 'Lowered')];
    const body = (name: string) => ({ url: `${url}/${name}`, events: ['occupation_created' as const] });
    const key = await leaver.api('POST /key', { body: { name: 'Program', scopes: ['admin:webhooks', 'read'] } });
    const rotated = await admin.api('POST /key', { body: { name: 'Rotated', scopes: ['admin:webhooks', 'read'] } });
    const stays = await admin.api('POST /webhooks', { body: body('stays') });
    // Led to an address of theirs it is theirs, whoever made it.
    const moved = await admin.api('POST /webhooks', { body: body('moved') });
    await lowered.api('PUT /webhooks/{id}', { params: { id: moved.id }, body: { url: `${url}/theirs`, version: moved.version } });
    const gone = [
      moved,
      await leaver.api('POST /webhooks', { body: body('left') }),
      await server.as(key.secret)('POST /webhooks', { body: body('by-their-key') }),
      await lowered.api('POST /webhooks', { body: body('lowered') }),
      await server.as(rotated.secret)('POST /webhooks', { body: body('by-a-key') }),
    ];
    const left = gone[1]!;
    answer = () => ({ status: 503 });
    await admin.api('POST /webhooks/{id}/test', { params: { id: left.id } });
    await expect.poll(async () => (await sent(left.id))[0]?.status).toBe(503);
    answer = () => ({ status: 200 });
    const membership = async ({ accountId }: TestPerson) =>
      (await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id }, query: { q: { accountId } } }))[0]!;
    const watcher = await listen(server.url, admin.token);
    expect(await watcher.ask({ topic: 'subscribe', event: 'webhooks' })).toBeNull();
    const params = async (person: TestPerson) => ({ tenant: ours.id, membershipId: (await membership(person)).id });
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: await params(leaver) });
    await admin.api('PUT /companies/{tenant}/memberships/{membershipId}', {
      params: await params(lowered),
      body: { roles: ['manager'], version: (await membership(lowered)).version },
    });
    await admin.api('DELETE /key/{_id}', { params: { _id: rotated._id } });
    heard.length = 0;
    await created();
    await expect.poll(() => heard.map(({ path }) => path)).toEqual(['/stays']);
    expect(await one(stays.id)).toMatchObject({ active: true, disabledReason: null });
    for (const { id } of gone) expect(await one(id)).toMatchObject({ active: false, disabledReason: 'maker' });
    // Whoever looks on hears it, a test that waited goes nowhere, what happened is kept, and the administrators who are left get a mail.
    await expect.poll(() => new Set(watcher.events.map(({ data }) => data['id']))).toEqual(new Set(gone.map(({ id }) => id)));
    watcher.close();
    expect((await log(left.id)).map(({ type, state }) => [type, state])).toEqual([
      ['occupation_created', 'missed'],
      ['test', 'failed'],
    ]);
    const mails = await query<{ cause: string }>(
      server.database.ownerUrl,
      `select cause from messages where tenant_id = $1 and kind = 'webhook-off' and cause like $2`,
      [ours.id, `webhook-off:${left.id}:%`],
    );
    expect(new Set(mails.map(({ cause }) => cause.split(':').at(-1)))).toEqual(new Set([admin.accountId, lowered.accountId]));

    const { version } = (await one(left.id))!;
    await admin.api('PUT /webhooks/{id}', { params: { id: left.id }, body: { url: left.url, active: true, version } });
    await created();
    await expect.poll(() => heard.map(({ path }) => path).toSorted()).toEqual(['/left', '/left', '/stays', '/stays']);
    expect(await query(server.database.ownerUrl, 'select created_by from webhooks where id = $1', [left.id])).toEqual([
      { created_by: admin.accountId },
    ]);
  });

  it('end with the time of the key that made them: nothing goes out after it, and the sweep switches off what nobody told', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const key = await admin.api('POST /key', { body: { name: 'Until', scopes: ['admin:webhooks', 'read'], expiresAt } });
    const program = server.as(key.secret);
    const body = (name: string, event: 'occupation_created' | 'locker_offline') => ({ url: `${url}/${name}`, events: [event] });
    const [told, silent] = [
      await program('POST /webhooks', { body: body('program', 'occupation_created') }),
      await program('POST /webhooks', { body: body('silent', 'locker_offline') }),
    ];
    const stays = await admin.api('POST /webhooks', { body: body('stays', 'occupation_created') });
    // One of which nobody knows who made it goes on.
    await query(server.database.ownerUrl, 'update webhooks set created_by = null where id = $1', [stays.id]);
    answer = ({ url: path }) => ({ status: path === '/program' ? 503 : 200 });
    await created();
    await expect.poll(() => heard.map(({ path }) => path).toSorted()).toEqual(['/program', '/stays']);
    await expect.poll(async () => (await sent(told.id))[0]?.status).toBe(503);
    // What waits for another attempt when the time comes is told to nobody, nor is what happens after it: it is kept for whoever switches it on.
    await query(server.database.ownerUrl, 'update api_keys set expires_at = now() where id = $1', [key._id]);
    await query(server.database.ownerUrl, `update webhook_deliveries set next_at = now() where webhook_id = $1`, [told.id]);
    answer = () => ({ status: 200 });
    heard.length = 0;
    await created();
    await expect.poll(() => whyOff(told.id)).toBe('maker');
    await expect.poll(() => heard.map(({ path }) => path)).toEqual(['/stays']);
    expect((await log(told.id)).map(({ state }) => state)).toEqual(['missed', 'missed']);
    await query(server.database.ownerUrl, `update webhooks set active = true, disabled_reason = null where id = $1`, [silent.id]);
    await sweep(server.deps, ours.id);
    expect(await one(silent.id)).toMatchObject({ active: false, disabledReason: 'maker' });
    expect(await one(stays.id)).toMatchObject({ active: true, disabledReason: null });
    expect(heard.map(({ path }) => path)).toEqual(['/stays']);
  });

  const bodies = () => heard.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  const on = async (id: string, more: object = {}) => {
    const now = (await one(id))!;
    return admin.api('PUT /webhooks/{id}', { params: { id }, body: { url: now.url, active: true, version: now.version, ...more } });
  };
  const eventsOf = async (ids: string[]) =>
    (await admin.api('GET /history', { query: { limit: 100 } }))
      .filter(({ type, occupationId }) => type === 'occupation_created' && ids.includes(occupationId ?? ''))
      .map(({ id }) => id)
      .toReversed();
  const numbers = () => heard.map(({ headers }) => Number(headers['webhook-sequence']));

  it('that said 410 are kept what happens meanwhile, say how much that is, and are told it in order once they are on again', async () => {
    answer = () => ({ status: 410 });
    const { id } = await make({ events: ['occupation_created'] });
    const used = [await created()];
    await expect.poll(() => whyOff(id)).toBe('gone');
    for (let i = 0; i < 4; i++) used.push(await created());
    // That which was refused with it is no less missed.
    await expect.poll(async () => (await one(id))?.missed).toEqual({ kept: 5, lost: 0 });
    heard.length = 0;
    let asked = 0;
    // One that fails on the way keeps those behind it waiting.
    answer = () => ({ status: ++asked === 3 ? 503 : 200 });
    expect(await on(id)).toMatchObject({ active: true, disabledReason: null });
    await expect.poll(() => asked).toBe(3);
    used.push(await created());
    // Two are through, one waits for its next try, and what happens now waits behind the others.
    await expect.poll(async () => (await one(id))?.missed.kept).toBe(3);
    expect(asked).toBe(3);
    late = 40_000;
    await sweep(server.deps, ours.id);
    const told = await eventsOf(used);
    await expect.poll(bodies).toEqual([...told.slice(0, 3), ...told.slice(2)]);
    expect(numbers()).toEqual([1, 2, 3, 3, 4, 5, 6]);
    expect((await one(id))?.missed).toEqual({ kept: 0, lost: 0 });
    // From then on it goes by as ever, numbered on, and what is sent once more keeps its number.
    await created();
    await expect.poll(() => numbers().slice(7)).toEqual([7]);
    const [row] = await log(id);
    await admin.api('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params: { id, deliveryId: row?.id ?? '' } });
    await expect.poll(() => numbers().slice(8)).toEqual([row?.sequence]);
    await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await expect.poll(() => heard[9]?.headers['webhook-sequence']).toBeUndefined();
    await expect.poll(() => heard[9]?.body).toContain('"type":"test"');
  });

  it('are kept no more than is said, the newest, and their numbers show what is lost', async () => {
    answer = () => ({ status: 410 });
    const { id } = await make({ events: ['occupation_created'] });
    await created();
    await expect.poll(() => whyOff(id)).toBe('gone');
    await created();
    const last = await created();
    const age = (days: number, at: number) =>
      query(
        server.database.ownerUrl,
        `update webhook_deliveries set created_at = created_at - make_interval(days => $2) where id =
           (select id from webhook_deliveries where webhook_id = $1 order by created_at offset $3 limit 1)`,
        [id, days, at],
      );
    await age(31, 0);
    await sweep(server.deps, ours.id);
    expect((await one(id))?.missed).toEqual({ kept: 2, lost: 1 });
    // More than are kept, of which the oldest goes.
    await query(
      server.database.ownerUrl,
      `insert into webhook_deliveries (tenant_id, id, webhook_id, event_type, event_id, payload, state, created_at, updated_at)
         select tenant_id, gen_random_uuid(), webhook_id, event_type, event_id, payload, state, created_at - interval '1 hour', updated_at
         from (select * from webhook_deliveries where webhook_id = $1 limit 1) one, generate_series(1, $2)`,
      [id, MISSED_MOST],
    );
    await sweep(server.deps, ours.id);
    expect((await one(id))?.missed).toEqual({ kept: MISSED_MOST, lost: 3 });
    await query(
      server.database.ownerUrl,
      `delete from webhook_deliveries where webhook_id = $1 and created_at < now() - interval '50 minutes'`,
      [id],
    );
    heard.length = 0;
    answer = () => ({ status: 200 });
    expect((await on(id)).missed.lost).toBe(0);
    await expect.poll(() => bodies().length).toBe(2);
    expect(await eventsOf([last])).toEqual(bodies().slice(1));
    // Number 1 was refused, and lost with 2 and 3.
    expect(numbers()).toEqual([4, 5]);
  });

  it('number events in the order in which they happened, whichever is sent first', async () => {
    const { id } = await make();
    for (let i = 0; i < 3; i++) await use();
    await expect.poll(async () => (await sent(id)).filter(({ state }) => state === 'delivered').length).toBe((await sent(id)).length);
    const told = heard.toSorted((a, b) => Number(a.headers['webhook-sequence']) - Number(b.headers['webhook-sequence']));
    const ids = told.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
    expect(ids.length).toBeGreaterThanOrEqual(6);
    // ids begin with their time
    expect(ids).toEqual(ids.toSorted());
  });

  it('led elsewhere while they are off miss nothing, and are not told what they no longer ask for', async () => {
    answer = () => ({ status: 410 });
    const { id } = await make({ events: ['occupation_created'] });
    await created();
    await expect.poll(() => whyOff(id)).toBe('gone');
    const led = await admin.api('PUT /webhooks/{id}', { params: { id }, body: { url: `${url}/new`, version: (await one(id))!.version } });
    expect(led).toMatchObject({ active: false, disabledReason: 'gone' });
    await created();
    expect((await one(id))?.missed).toEqual({ kept: 2, lost: 0 });
    heard.length = 0;
    answer = () => ({ status: 200 });
    expect((await on(id, { events: ['locker_offline'] })).missed.kept).toBe(0);
    await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await expect.poll(() => heard.map(({ path, body }) => [path, (JSON.parse(body) as { type: string }).type])).toEqual([['/new', 'test']]);
  });

  it('lose nothing of what they missed to a hand that switches them off meanwhile, and wait for no event that is gone', async () => {
    answer = () => ({ status: 410 });
    const { id } = await make({ events: ['occupation_created'] });
    await created();
    await expect.poll(() => whyOff(id)).toBe('gone');
    for (let i = 0; i < 4; i++) await created();
    heard.length = 0;
    let asked = 0;
    answer = () => ({ status: ++asked === 2 ? 503 : 200 });
    await on(id);
    await expect.poll(async () => (await sent(id)).some(({ status }) => status === 503)).toBe(true);
    await on(id, { active: false });
    late = 40_000;
    await sweep(server.deps, ours.id);
    await expect.poll(async () => (await one(id))?.missed.kept).toBe(4);
    await query(
      server.database.ownerUrl,
      `delete from events where id = (select event_id from webhook_deliveries where webhook_id = $1 order by created_at offset 2 limit 1)`,
      [id],
    );
    await on(id);
    await expect.poll(numbers).toEqual([1, 2, 2, 4, 5]);
    expect((await log(id)).map(({ error }) => error).filter(Boolean)).toEqual(['event-gone']);
  });

  it.each([410, 503])('tell the new address what the old one answered %i to while it was given', async (status) => {
    answer = ({ url: path }) => ({ status: path === '/hook' ? status : 200 });
    const { id } = await make({ events: ['occupation_created'] });
    holding = async () => void (await on(id, { url: `${url}/new` }));
    const used = await created();
    await expect.poll(() => heard.map(({ path }) => path)).toEqual(['/hook', '/new']);
    expect([bodies(), numbers()]).toEqual([
      [...(await eventsOf([used])), ...(await eventsOf([used]))],
      [1, 1],
    ]);
    await expect.poll(async () => (await sent(id)).map(({ state }) => state)).toEqual(['delivered']);
    expect(await one(id)).toMatchObject({ active: true, disabledReason: null, failingSince: null, missed: { kept: 0, lost: 0 } });
  });

  it.each([
    [410, 0],
    [503, 1],
  ])('keep what was answered %i to as a hand switched them off, with %i that wait behind it', async (status, behind) => {
    answer = () => ({ status: 410 });
    const { id } = await make({ events: ['occupation_created'] });
    await created();
    await expect.poll(() => whyOff(id)).toBe('gone');
    for (let i = 0; i < behind; i++) await created();
    heard.length = 0;
    answer = () => ({ status });
    holding = async () => void (await on(id, { active: false }));
    await on(id);
    await expect.poll(async () => (await sent(id)).some((row) => row.state === 'queued')).toBe(false);
    expect((await one(id))?.missed).toEqual({ kept: behind + 1, lost: 0 });
    answer = () => ({ status: 200 });
    await on(id);
    const all = Array.from({ length: behind + 1 }, (_, at) => at + 1);
    await expect.poll(numbers).toEqual([1, ...all]);
  });

  it('keep what waits for its next try as a hand switches them off', async () => {
    answer = () => ({ status: 503 });
    const { id } = await make({ events: ['occupation_created'] });
    await created();
    await expect.poll(async () => (await sent(id))[0]?.status).toBe(503);
    await on(id, { active: false });
    late = 40_000;
    await sweep(server.deps, ours.id);
    await expect.poll(async () => (await one(id))?.missed).toEqual({ kept: 1, lost: 0 });
    answer = () => ({ status: 200 });
    await on(id);
    await expect.poll(numbers).toEqual([1, 1]);
  });

  it('lead nowhere inside: by a redirect, as it is written, or as it is connected to', async () => {
    for (const inside of ['http://example.com/', 'https://127.0.0.1/', 'https://a:b@example.com/'])
      expect([inside, ...(await refusal(make({ url: inside })))]).toEqual([inside, 422, 'rule']);
    answer = () => ({ status: 302, headers: { location: `${url}/inside` } });
    const { id } = await make();
    const test = () => admin.api('POST /webhooks/{id}/test', { params: { id } });
    await test();
    await expect.poll(async () => (await sent(id))[0]).toMatchObject({ status: 302, state: 'queued' });
    expect(heard.map(({ path }) => path)).toEqual(['/hook']);
    await query(server.database.ownerUrl, `update webhooks set url = 'https://127.0.0.1:1/' where id = $1`, [id]);
    await test();
    await expect.poll(async () => (await sent(id))[0]?.error).toBe('address');
    expect((await log(id))[0]).toMatchObject({ status: null, state: 'queued' });
  });

  it('that hang keep no other company waiting: one company has two on their way at once', async () => {
    let goOn = () => {};
    const hanging = new Promise<Said>((done) => (goOn = () => done({ status: 200 })));
    answer = ({ url: path }) => (path === '/hangs' ? hanging : { status: 200 });
    const { id } = await make({ url: `${url}/hangs` });
    const theirs = await stranger.api('POST /webhooks', { body: { url: `${url}/theirs` } });
    const asked = (path: string) => heard.filter((one) => one.path === path).length;
    const waiting = 3;
    for (let i = 0; i < waiting; i++) await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await expect.poll(() => asked('/hangs')).toBeGreaterThanOrEqual(2);
    const many = 3;
    for (let i = 0; i < many; i++) await stranger.api('POST /webhooks/{id}/test', { params: { id: theirs.id } });
    await expect.poll(() => asked('/theirs')).toBe(many);
    // All of theirs went out while the first two of ours hung: the third is asked when one of these is over, at the latest after ten seconds.
    expect([asked('/hangs'), (await sent(id)).filter(({ error }) => error !== null).length]).toEqual([2, 0]);
    goOn();
    await expect.poll(() => asked('/hangs')).toBe(waiting);
  });

  it('that hang, once that is known, keep none of their own company waiting either', async () => {
    let goOn = () => {};
    const hanging = new Promise<Said>((done) => (goOn = () => done({ status: 200 })));
    answer = ({ url: path }) => (path === '/hangs' ? hanging : { status: 200 });
    const { id } = await make({ url: `${url}/hangs` });
    const well = await make({ url: `${url}/well` });
    await query(server.database.ownerUrl, 'update webhooks set failing_since = now() where id = $1', [id]);
    const asked = (path: string) => heard.filter((one) => one.path === path).length;
    const many = 3;
    for (let i = 0; i < many; i++) await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await expect.poll(() => asked('/hangs')).toBe(2);
    for (let i = 0; i < many; i++) await admin.api('POST /webhooks/{id}/test', { params: { id: well.id } });
    await expect.poll(() => asked('/well')).toBe(many);
    expect([asked('/hangs'), (await sent(id)).filter(({ error }) => error !== null).length]).toEqual([2, 0]);
    goOn();
    await expect.poll(() => asked('/hangs')).toBe(many);
  });

  it('are sent the same once more on a person’s word, under another id', async () => {
    const { id } = await make({ events: ['occupation_created'] });
    await created();
    await expect.poll(async () => (await sent(id))[0]?.state).toBe('delivered');
    const [first] = await log(id);
    const params = { id, deliveryId: first?.id ?? '' };
    const again = await admin.api('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params });
    expect(again).toMatchObject({ replayOf: first?.id, type: 'occupation_created', state: 'queued' });
    await expect.poll(() => heard.length).toBe(2);
    expect(heard[0]?.body).toBe(heard[1]?.body);
    expect(heard[0]?.headers['webhook-id']).not.toBe(heard[1]?.headers['webhook-id']);
    const foreign = stranger.api('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params });
    expect(await refusal(foreign)).toEqual([404, 'not-found']);
    const other = await make();
    const crossed = admin.api('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params: { ...params, id: other.id } });
    expect(await refusal(crossed)).toEqual([404, 'not-found']);
  });

  it('leave nobody’s name in their log for longer than the company keeps it', async () => {
    const sql = (text: string) => query<{ found: number }>(server.database.ownerUrl, text, [ours.id]);
    await sql(`update companies set settings = settings || '{"retentionDays": 2}' where id = $1`);
    const { id } = await make({ events: ['occupation_terminated'] });
    await use('Rita moved away');
    await expect.poll(async () => (await sent(id)).map(({ state }) => state)).toEqual(['delivered']);
    const named = async () =>
      (await sql(`select count(*)::int as found from webhook_deliveries where tenant_id = $1 and payload::text ~* 'rita'`))[0]?.found;
    expect(await named()).toBe(1);
    // Sent once more on the second day, it is no newer than what it tells of.
    await sql(
      `update webhook_deliveries set created_at = created_at - interval '36 hours',
         payload = jsonb_set(payload, '{timestamp}', to_jsonb((payload->>'timestamp')::timestamptz - interval '36 hours')) where tenant_id = $1`,
    );
    const deliveryId = (await log(id))[0]?.id ?? '';
    await admin.api('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params: { id, deliveryId } });
    await use('Rita moved away');
    await expect.poll(async () => (await sent(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
    const names: (number | undefined)[] = [];
    for (late of [0, 86_400_000, 2.1 * 86_400_000]) {
      await sweep(server.deps, ours.id);
      names.push(await named());
    }
    expect(names).toEqual([3, 1, 0]);
    // One whose moment nobody can read keeps no other here.
    late = 0;
    for (const _ of [1, 2]) await admin.api('POST /webhooks/{id}/test', { params: { id } });
    await sql(`update webhook_deliveries set replay_of = id, payload = jsonb_set(payload, '{timestamp}', case when id = (
      select max(id::text)::uuid from webhook_deliveries where tenant_id = $1) then '"soon"'::jsonb else '"2020-01-01T00:00:00.000Z"' end) where tenant_id = $1`);
    await sweep(server.deps, ours.id);
    expect(await sql(`select payload->>'timestamp' as found from webhook_deliveries where tenant_id = $1`)).toEqual([{ found: 'soon' }]);
    await sql(`update companies set settings = settings - 'retentionDays' where id = $1`);
  });

  it('tell no address what their key may not read itself, and are switched off and deleted by it all the same', async () => {
    const [alone, reading] = await Promise.all(
      [['admin:webhooks'], ['admin:webhooks', 'read']].map(async (scopes) =>
        server.as((await admin.api('POST /key', { body: { name: 'Program', scopes } })).secret),
      ),
    );
    if (!alone || !reading) throw new Error('no keys');
    expect(await refusal(alone('GET /history'))).toEqual([403, 'forbidden']);
    const body = { url: `${url}/theirs`, events: ['occupation_created' as const] };
    expect(await refusal(alone('POST /webhooks', { body }))).toEqual([403, 'forbidden']);
    const made = await reading('POST /webhooks', { body });
    const params = { id: made.id };
    const put = (change: object, api = alone) =>
      api('PUT /webhooks/{id}', { params, body: { url: body.url, version: made.version, ...change } });
    for (const change of [{ url: `${url}/elsewhere` }, { events: [] }]) expect(await refusal(put(change))).toEqual([403, 'forbidden']);
    expect(await refusal(alone('GET /webhooks/{id}/deliveries', { params }))).toEqual([403, 'forbidden']);
    const { id: deliveryId } = await alone('POST /webhooks/{id}/test', { params, body: {} });
    const replay = alone('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params: { ...params, deliveryId }, body: {} });
    expect(await refusal(replay)).toEqual([403, 'forbidden']);
    const { version } = await put({ active: false });
    expect(await refusal(put({ active: true, version }))).toEqual([403, 'forbidden']);
    expect(await put({ active: true, version }, reading)).toMatchObject({ active: true, events: ['occupation_created'] });
    await alone('DELETE /webhooks/{id}', { params });
  });

  it('are 20 at most, however many are made at once', async () => {
    const { id } = await make({ active: false });
    const copies = `insert into webhooks select (json_populate_record(w, json_build_object('id', gen_random_uuid()))).*
      from webhooks w, generate_series(1, 17) where w.id = $1`;
    await query(server.database.ownerUrl, copies, [id]);
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => make()));
    expect(await admin.api('GET /webhooks', { query: { limit: 100 } })).toHaveLength(20);
    expect(made.filter((one) => one.status === 'fulfilled')).toHaveLength(2);
    const late = made.filter((one) => one.status === 'rejected').map(({ reason }) => refusal(Promise.reject(reason as Error)));
    expect(new Set((await Promise.all(late)).map(String))).toEqual(new Set(['422,rule']));
  });
});
