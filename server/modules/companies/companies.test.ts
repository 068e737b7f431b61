import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createClient } from '@hatchway/contract/client.ts';
import type { Db, Tx } from '../../db/database.ts';
import { query, waitersFor } from '../../db/test-database.ts';
import { testCabinet } from '../../test-cabinet.ts';
import { PASSWORD, testCompany, type TestCompany, type TestPerson, refusal } from '../../test-company.ts';
import { systemScope } from '../../scope.ts';
import { newTenantId, testServer, type TestServer } from '../../test-server.ts';
import { sweep } from '../../jobs/sweep.ts';
import { Visitor } from '../../identity/test-visitor.ts';
import { settleCommand } from '../lockers/door-commands.ts';
import { beginDeleting, goOnDeleting, OWN_TABLES } from './commands.ts';
import { EXPORTED, isLeftOut, keysOf } from './export.ts';
import sharp from 'sharp';

let server: TestServer;
let ours: TestCompany;
let theirs: TestCompany;
let admin: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  theirs = await testCompany(server);
  admin = await ours.person(['admin']);
  stranger = await theirs.person(['admin']);
});
afterAll(() => server.stop());

describe('companies', () => {
  it('are made by the operator alone', async () => {
    const body = { name: 'X', licenses: [], admin: { name: 'A', email: 'a@example.test' } };
    expect(await refusal(server.as('wrong-key')('POST /operator/companies', { body }))).toEqual([401, 'unauthenticated']);
    expect(await refusal(admin.api('POST /operator/companies', { body }))).toEqual([401, 'unauthenticated']);
    expect(await refusal(server.operator('POST /operator/companies', { body: { ...body, country: 'no' } }))).toEqual([400, 'malformed']);
    expect((await server.operator('GET /operator/companies')).map((one) => one.id)).toContain(ours.id);
  });

  it('are listed to the operator page by page, each once', async () => {
    for (const name of ['a', 'B', 'c']) {
      const admin = { name: 'A', email: `${name}@page.example` };
      await server.operator('POST /operator/companies', { body: { name: `Page ${name}`, licenses: [], admin } });
    }
    const whole = (await server.operator('GET /operator/companies', { query: { sort: 'name', limit: 500 } })).map(({ id }) => id);
    const read: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { sort: 'name', limit: 2, count: 'true' as const, ...(cursor ? { cursor } : {}) };
      const page = await server.operator.page('GET /operator/companies', { query });
      expect(page.rows.length).toBeLessThanOrEqual(2);
      expect(page.total).toBe(whole.length);
      read.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    expect(read).toEqual(whole);
    const [a] = await server.operator('GET /operator/companies', { query: { q: { name: 'Page a' } } });
    expect(a?.name).toBe('Page a');
  });

  it('are made whole or not at all: an id that is taken, a number that is none', async () => {
    const make = (id: string, tlf?: string) =>
      refusal(
        server.operator('POST /operator/companies', {
          body: { id, name: 'Y', licenses: [], admin: { name: 'A', email: 'a@example.test', ...(tlf ? { tlf } : {}) } },
        }),
      );
    expect(await make(ours.id)).toEqual([409, 'name-taken']);
    const id = newTenantId();
    expect(await make(id, '12')).toEqual([422, 'rule']);
    expect((await server.operator('GET /operator/companies')).map((one) => one.id)).not.toContain(id);
  });

  it('are made once for one Idempotency-Key, however often and at the same time it is sent, with their invitation', async () => {
    const body = { name: 'Once', licenses: [], admin: { name: 'A', email: 'once@example.test' } };
    const make = (more: object = {}) => server.operator('POST /operator/companies', { body: { ...body, ...more }, idempotencyKey: 'op-1' });
    const answers = await Promise.allSettled([make(), make(), make()]);
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(made).toHaveLength(1);
    // The link is shown once: whoever lost the answer asks for another one.
    expect(await refusal(make())).toEqual([409, 'already-created']);
    expect(await refusal(make({ name: 'Twice' }))).toEqual([422, 'key-reused']);
    const named = (await server.operator('GET /operator/companies')).filter((one) => one.name === 'Once');
    expect(named.map(({ id }) => id)).toEqual([made[0]?.id]);
    const invited = await query(server.database.ownerUrl, 'select from invitations where tenant_id = $1', [made[0]?.id]);
    expect(invited).toHaveLength(1);
  });

  it('have their administrator invited anew by the operator, and the link before is spent', async () => {
    const body = { name: 'Wrong address', licenses: [], admin: { name: 'A', email: 'wrong@example.test' } };
    const { id, invitationUrl: first } = await server.operator('POST /operator/companies', { body });
    const again = await server.operator('POST /operator/companies/{id}/invitations', {
      params: { id },
      body: { email: 'right@example.test' },
    });
    expect(again).toMatchObject({ email: 'right@example.test', roles: ['admin'], state: 'pending' });
    const states = await query<{ email: string; state: string }>(
      server.database.ownerUrl,
      'select email, state from invitations where tenant_id = $1 order by created_at, id',
      [id],
    );
    expect(states).toEqual([
      { email: 'wrong@example.test', state: 'withdrawn' },
      { email: 'right@example.test', state: 'pending' },
    ]);
    const status = async (url: string) => (await fetch(url)).status;
    expect(await status(again.invitationUrl)).toBe(200);
    expect(await status(first)).not.toBe(200);
    const nobody = { params: { id: newTenantId() }, body: { email: 'x@example.test' } };
    expect(await refusal(server.operator('POST /operator/companies/{id}/invitations', nobody))).toEqual([404, 'not-found']);
    const bad = { params: { id }, body: { email: 'x@example.test', tlf: '12' } };
    expect(await refusal(server.operator('POST /operator/companies/{id}/invitations', bad))).toEqual([422, 'rule']);
    expect((await query(server.database.ownerUrl, `select from invitations where tenant_id = $1 and state = 'pending'`, [id])).length).toBe(
      1,
    );
  });

  // shows R3.1, R7.9, R7.10
  it('show themselves to their members and answer 404 to others', async () => {
    expect(await admin.api('GET /companies/{tenant}', { params: { tenant: ours.id } })).toMatchObject({ id: ours.id });
    expect(await refusal(admin.api('GET /companies/{tenant}', { params: { tenant: theirs.id } }))).toEqual([404, 'not-found']);
    expect((await admin.api('GET /companies')).map((one) => one.id)).toEqual([ours.id]);
  });

  // shows R1.15, R7.10, R8.11
  it('of which there is no record are said to have no document, to who signed in there', async () => {
    const unknown = await testCompany(server);
    const person = await unknown.person(['delivery_manager']);
    await query(server.database.ownerUrl, 'delete from companies where id = $1', [unknown.id]);
    const asked = await fetch(`${server.url}/v1/companies/${unknown.id}`, { headers: { authorization: `Bearer ${person.token}` } });
    expect(await asked.json()).toMatchObject({ status: 404, code: 'no-document', detail: 'no document' });
    expect(await refusal(admin.api('GET /companies/{tenant}', { params: { tenant: unknown.id } }))).toEqual([404, 'not-found']);
  });

  // shows R5.25, R6.14
  it('are the caller’s own where none is named, for a key too', async () => {
    const { secret } = await admin.api('POST /key', { body: { name: 'Members', scopes: ['admin:memberships'] } });
    const members = await server.as(secret)('GET /companies/{tenant}/memberships', { query: { limit: 500 } });
    expect(members.map((one) => one.accountId)).toContain(admin.accountId);
    expect(await admin.api('GET /companies/{tenant}/memberships', { query: { limit: 500 } })).toEqual(members);
    expect(await refusal(server.as(secret)('GET /companies/{tenant}/memberships', { params: { tenant: theirs.id } }))).toEqual([
      404,
      'not-found',
    ]);
  });

  it('tell who one is, with what the database says now', async () => {
    const me = await stranger.api('GET /accounts/me');
    expect(me).toMatchObject({ tenantId: theirs.id, roles: ['admin'], lockers: {} });
    expect(me.licenses).toContain('delivery');
  });

  // shows R7.11, R3.2
  it('keep their last administrator, and refuse everything while they are suspended', async () => {
    const [membership] = await stranger.api('GET /companies/{tenant}/memberships', { params: { tenant: theirs.id } });
    const params = { tenant: theirs.id, membershipId: membership?.id ?? '' };
    expect(
      await refusal(stranger.api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body: { roles: [], version: 1 } })),
    ).toEqual([409, 'last-admin']);
    expect(await refusal(stranger.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params }))).toEqual([409, 'last-admin']);
    const suspend = (suspended: boolean) =>
      server.operator('PUT /operator/companies/{id}', { params: { id: theirs.id }, body: { suspended } });
    await suspend(true);
    expect(await refusal(stranger.api('GET /accounts'))).toEqual([403, 'suspended']);
    await suspend(false);
    await stranger.api('GET /accounts');
  });

  it('are changed together with the telling of it, or not at all', async () => {
    const params = { id: (await testCompany(server, ['delivery'])).id };
    const change = () => server.operator('PUT /operator/companies/{id}', { params, body: { licenses: ['lending'], suspended: true } });
    const outbox = (sql: string) => query(server.database.ownerUrl, `alter table outbox ${sql}`);
    await outbox(`add constraint nothing_told check (tenant_id <> '${params.id}') not valid`);
    try {
      expect(await refusal(change())).toEqual([500, 'defect']);
      const left = await server.operator('GET /operator/companies/{id}', { params });
      expect(left).toMatchObject({ licenses: ['delivery'], suspendedAt: null, version: 1 });
    } finally {
      await outbox('drop constraint nothing_told');
    }
    expect(await change()).toMatchObject({ licenses: ['lending'], version: 2 });
  });

  it('page by key and count', async () => {
    const all = await admin.api('GET /accounts', { query: { limit: 500 } });
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await admin.api.page('GET /accounts', { query: { limit: 2, count: 'true', ...(cursor ? { cursor } : {}) } });
      expect(page.total).toBe(all.length);
      ids.push(...page.rows.map((row) => row.id));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect(ids).toEqual(all.map((row) => row.id));
    expect(await admin.api('GET /accounts', { query: { q: { tenantId: newTenantId() } } })).toEqual([]);
    expect(await admin.api('GET /accounts', { query: { q: { tenantId: ours.id } } })).not.toEqual([]);
    expect(await refusal(admin.api('GET /accounts', { query: { q: { nosuch: 1 } } }))).toEqual([400, 'malformed']);
  });

  it('is an API key’s own where none is named, in the address of the typed client and where it is left empty', async () => {
    const { secret } = await admin.api('POST /key', { body: { name: 'Reader', scopes: ['read'] } });
    const asked: string[] = [];
    const base = `${server.url}/v1`;
    const noted = (address: string | URL | Request, init?: RequestInit) => {
      asked.push(address instanceof Request ? address.url : String(address));
      return fetch(address, init);
    };
    expect(await createClient({ base, token: () => secret, fetch: noted })('GET /companies/{tenant}')).toMatchObject({ id: ours.id });
    expect(asked).toEqual([`${base}/companies/${ours.id}`]);
    const answer = await fetch(`${base}/companies/`, { headers: { authorization: `Bearer ${secret}` } });
    expect(await answer.json()).toMatchObject({ id: ours.id });
  });

  it('are deleted a few rows at a time, and gone on with where that was cut off', async () => {
    const gone = await testCompany(server);
    const admin = await gone.person(['admin']);
    await query(
      server.database.ownerUrl,
      `insert into assets (tenant_id, id, name, created_at, updated_at)
       select $1, gen_random_uuid(), 'Thing ' || n, now(), now() from generate_series(1, 25) n`,
      [gone.id],
    );
    const { deps } = server;
    const left = async () =>
      (await query<{ n: number }>(server.database.ownerUrl, 'select count(*)::int as n from assets where tenant_id = $1', [gone.id]))[0]?.n;
    let transactions = 0;
    // The machine stops in the middle: so many batches were committed.
    const cut = {
      ...deps.db,
      tenant: async (id: string, fn: (tx: Tx) => Promise<unknown>) => {
        if ((await left()) === 15) throw new Error('cut');
        transactions += 1;
        return deps.db.tenant(id, fn);
      },
    } as Db;
    const scope = systemScope(gone.id, deps.now().toISOString());
    await deps.db.founding(gone.id, (tx) => beginDeleting(tx, scope));
    await expect(goOnDeleting({ ...deps, db: cut }, gone.id, { rows: 5 })).rejects.toThrow('cut');
    expect([await left(), transactions > 2]).toEqual([15, true]);
    await goOnDeleting(deps, gone.id, { rows: 5, enough: () => true });
    expect(await left()).toBe(10);
    // What is left is nobody's: not taken back, not taken along, entered by nobody, with an old token or a new one.
    const params = { id: gone.id };
    expect((await server.operator('GET /operator/companies/{id}', { params })).suspendedAt).not.toBeNull();
    const body = { email: 'x@example.test' };
    expect(await refusal(server.operator('PUT /operator/companies/{id}', { params, body: { suspended: false } }))).toEqual([410, 'gone']);
    expect(await refusal(server.operator('POST /operator/companies/{id}/invitations', { params, body }))).toEqual([410, 'gone']);
    expect(await refusal(server.operator('GET /operator/companies/{id}/export', { params }))).toEqual([410, 'gone']);
    expect(await refusal(admin.api('GET /assets'))).toEqual([403, 'company-gone']);
    const { access_token: token } = await new Visitor(server.url).signIn(admin.email, PASSWORD);
    expect(await server.as(token)('GET /accounts/me')).toMatchObject({ memberships: [] });
    expect(await refusal(server.as(token)('PUT /accounts/me/company', { body: { tenantId: gone.id } }))).toEqual([404, 'not-found']);
    await sweep(deps, gone.id);
    expect(await left()).toBe(0);
    expect(await refusal(server.operator('GET /operator/companies/{id}', { params }))).toEqual([404, 'not-found']);
  });

  it('are deleted also while somebody is at a door of theirs, with their cabinets’ connections, and what was still to be settled is no failure', async () => {
    const gone = await testCompany(server);
    const boss = await gone.person(['admin']);
    const wall = await testCabinet(server, boss.api, 1);
    const { id } = await boss.api('POST /occupations', {
      body: { type: 'delivery', lockerId: wall.lockers[0]?.id ?? '', assetText: 'Parcel' },
    });
    const connected = () => server.deps.devices.facts.online({ tenantId: gone.id, controllerId: wall.id });
    expect(connected()).toBe(true);
    let changed = () => {};
    const held = new Promise<void>((done) => (changed = done));
    const busy = server.deps.db.tenant(gone.id, async (tx) => {
      await tx.updateTable('occupations').set({ note: 'busy' }).where('id', '=', id).execute();
      changed();
      await expect.poll(() => waitersFor(server.database.ownerUrl, tx)).toBeGreaterThan(0);
    });
    await held;
    await server.operator('DELETE /operator/companies/{id}', { params: { id: gone.id } });
    await busy;
    expect(await query(server.database.ownerUrl, 'select 1 from lockers where tenant_id = $1', [gone.id])).toEqual([]);
    await expect.poll(connected).toBe(false);
    await expect(wall.plug()).rejects.toThrow('Connection refused');
    await settleCommand(server.deps, gone.id, randomUUID());
    wall.end();
  });

  it('are exported whole, a line of JSON for each row, and nobody else’s', async () => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Drill', identifiers: [{ kind: 'ean', value: 'a b' }] } });
    await query(
      server.database.ownerUrl,
      `insert into assets (tenant_id, id, name, created_at, updated_at)
       select $1, gen_random_uuid(), 'Thing ' || n, now(), now() from generate_series(1, 2001) n`,
      [ours.id],
    );
    const foreign = await stranger.api('POST /assets', { body: { name: 'Saw' } });
    const params = { id: ours.id };
    const text = await (await server.operator('GET /operator/companies/{id}/export', { params })).text();
    const lines = text.trimEnd().split('\n').map((one) => JSON.parse(one) as { table: string; row: Record<string, unknown> }); // prettier-ignore
    const of = (table: string) => lines.filter((one) => one.table === table).map(({ row }) => row);
    expect(of('companies')).toMatchObject([{ id: ours.id }]);
    expect(new Set(of('assets').map((row) => row['id'])).size).toBe(2_002);
    expect(of('asset_identifiers')).toMatchObject([{ kind: 'ean', value: 'a b', asset_id: _id }]);
    expect(of('accounts').map((row) => row['id'])).toContain(admin.accountId);
    expect(text).not.toContain(foreign._id);
    expect(text).not.toContain(stranger.accountId);
    expect(await refusal(server.operator('GET /operator/companies/{id}/export', { params: { id: newTenantId() } }))).toEqual([
      404,
      'not-found',
    ]);
    expect(await refusal(admin.api('GET /operator/companies/{id}/export', { params }))).toEqual([401, 'unauthenticated']);
  });

  it('keep their secrets when they are exported: of keys, invitations, links and integrations nothing is told', async () => {
    const key = await admin.api('POST /key', { body: { name: 'Key', scopes: ['read'] } });
    const url = 'https://assets.example.test';
    await admin.api('POST /integrations/{kind}', {
      params: { kind: 'snipeit' },
      body: { settings: { url }, secrets: { token: 'n3ver-told' } },
    });
    await admin.api('POST /companies/{tenant}/invitations', { params: { tenant: ours.id }, body: { email: 'told@example.test' } });
    const answer = await server.operator('GET /operator/companies/{id}/export', { params: { id: ours.id } });
    const text = await answer.text();
    expect(text).toContain('told@example.test');
    expect(text).toContain(url);
    for (const secret of [key.secret, 'n3ver-told', '_hash"', '_sealed"']) expect(text).not.toContain(secret);
    // Whatever is kept as bytes is a secret or a picture, and is named as the one or the other.
    const bytes = await query<{ table: string; column: string }>(
      server.database.ownerUrl,
      `select c.table_name as table, c.column_name as column from information_schema.columns c
       where c.table_schema = 'public' and c.data_type in ('bytea', 'tsvector') and exists (select from information_schema.columns t
         where t.table_schema = 'public' and t.table_name = c.table_name and t.column_name = 'tenant_id')`,
    );
    const told = bytes.filter(({ column }) => !isLeftOut(column)).map(({ table, column }) => `${table}.${column}`);
    expect(told).toEqual(['files.bytes']);
  });

  it('are paged by the key of each of their tables', async () => {
    const keys = await query<{ table: string; columns: string[] }>(
      server.database.ownerUrl,
      `select r.relname as table, array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) as columns
       from pg_index i join pg_class r on r.oid = i.indrelid join pg_attribute a on a.attrelid = r.oid and a.attnum = any(i.indkey)
       where i.indisprimary group by 1`,
    );
    const real = new Map(keys.map(({ table, columns }) => [table, columns]));
    for (const table of EXPORTED)
      expect([table, ['tenant_id', ...keysOf(table).map(([column]) => column)]]).toEqual([table, real.get(table)]);
  });

  it('take every table of theirs along when they are deleted', async () => {
    const rows = await query<{ name: string }>(
      server.database.ownerUrl,
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'`,
    );
    // A session's choice of company goes with the session.
    const theirOwn = rows.map((row) => row.name).filter((name) => name !== 'identity_sessions');
    expect([...OWN_TABLES].toSorted()).toEqual(theirOwn.toSorted());
  });
});

describe('the details of a company', () => {
  let ours: TestCompany;
  let admin: TestPerson;
  let counter: TestPerson;
  beforeAll(async () => {
    ours = await testCompany(server);
    admin = await ours.person(['admin']);
    counter = await ours.person(['delivery_manager']);
  });

  const params = () => ({ tenant: ours.id });
  const read = (who: TestPerson = admin) => who.api('GET /companies/{tenant}', { params: params() });
  type Body = Parameters<typeof admin.api<'PUT /companies/{tenant}'>>[1] extends { body: infer B } | undefined ? B : never;
  const change = async (body: Omit<Body, 'version'>, image?: Blob) =>
    admin.api('PUT /companies/{tenant}', {
      params: params(),
      body: { ...body, version: (await read()).version },
      ...(image ? { image } : {}),
    });
  const png = async (width = 600) =>
    new Blob([
      new Uint8Array(
        await sharp({ create: { width, height: 200, channels: 4, background: '#0b6b64' } })
          .png()
          .toBuffer(),
      ),
    ]);

  describe('a company’s details', () => {
    it('begin with what every company has', async () => {
      expect((await read()).settings).toEqual({
      retentionDays: 90, senderName: '', alerts: [], quietHours: null, color: null, doorOpenMinutes: 10, offlineMinutes: 5,
    }); // prettier-ignore
    });

    it('are changed one by one: what is not named stays', async () => {
      const address = { street: 'Storgata 1', postalCode: '0155', city: 'Oslo' };
      const before = await change({
        orgNumber: '999888777',
        address,
        contact: { name: 'Ada', email: 'ada@example.test', tlf: '912 34 567' },
      });
      expect(before).toMatchObject({ orgNumber: '999888777', address, contact: { tlf: '+4791234567' } });
      const after = await change({ name: 'Lockers & Sons', timeZone: 'Europe/Helsinki', settings: { retentionDays: 30 } });
      expect(after).toMatchObject({ name: 'Lockers & Sons', orgNumber: '999888777', address, timeZone: 'Europe/Helsinki' });
      const quiet = await change({ settings: { quietHours: { from: '22:00', to: '07:00' }, senderName: 'Skapet' } });
      expect(quiet.settings).toMatchObject({ retentionDays: 30, quietHours: { from: '22:00', to: '07:00' }, senderName: 'Skapet' });
      expect((await change({ settings: { quietHours: null } })).settings).toMatchObject({ quietHours: null, retentionDays: 30 });
      expect(await read()).toMatchObject({ name: 'Lockers & Sons' });
    });

    it('keep the first of two who save at once', async () => {
      const { version } = await read();
      const save = (name: string) => admin.api('PUT /companies/{tenant}', { params: params(), body: { name, version } });
      const both = await Promise.allSettled([save('One'), save('Two')]);
      expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await refusal(save('Three'))).toEqual([409, 'stale']);
    });

    it('refuse a clock that nobody knows, a number that is none, and an alert that reaches nobody', async () => {
      for (const timeZone of ['Mars/Olympus', '+01:00', 'Europe/Oslo; drop table', ''])
        expect([timeZone, await refusal(change({ timeZone }))]).toEqual([timeZone, [422, 'rule']]);
      expect(await refusal(change({ contact: { name: '', email: '', tlf: '12' } }))).toEqual([422, 'rule']);
      const alert = (channel: 'sms' | 'mail', to: string) => change({ settings: { alerts: [{ event: 'all', channel, to }] } });
      expect(await refusal(alert('sms', 'ada@example.test'))).toEqual([422, 'rule']);
      expect(await refusal(alert('mail', '+4791234567'))).toEqual([422, 'rule']);
      expect((await alert('sms', '912 34 567')).settings.alerts).toEqual([{ event: 'all', channel: 'sms', to: '+4791234567' }]);
    });

    it('give licences to nobody, and are an administrator’s alone', async () => {
      const { version } = await read();
      const body = { version, licenses: ['integrator'] } as Body;
      expect(await refusal(admin.api('PUT /companies/{tenant}', { params: params(), body }))).toEqual([400, 'malformed']);
      const mine = { version, name: 'Mine' };
      expect(await refusal(counter.api('PUT /companies/{tenant}', { params: params(), body: mine }))).toEqual([403, 'forbidden']);
    });

    it('have nobody told of what happens at the doors by a key that may not read it', async () => {
      const key = async (...scopes: string[]) =>
        server.as((await admin.api('POST /key', { body: { name: 'Program', scopes: ['admin:companies', ...scopes] } })).secret);
      const [alone, reading] = [await key(), await key('read')];
      const alert = (to: string, event: 'all' | 'report' = 'report') => ({ event, channel: 'mail' as const, to });
      const put = async (api: typeof alone, alerts: ReturnType<typeof alert>[]) => {
        const { version } = await read();
        return api('PUT /companies/{tenant}', { params: params(), body: { version, settings: { alerts } } });
      };
      await put(reading, [alert('one@example.test'), alert('two@example.test')]);
      expect(await refusal(put(alone, [alert('one@example.test'), alert('theirs@example.test')]))).toEqual([403, 'forbidden']);
      expect(await refusal(put(alone, [alert('one@example.test', 'all')]))).toEqual([403, 'forbidden']);
      // Whom they take out hears less than before, and what else they change is theirs to change.
      expect((await put(alone, [alert('One@example.test')])).settings.alerts).toEqual([alert('one@example.test')]);
    });

    it('let nobody be alerted any more by a key that has ended', async () => {
      const boss = await ours.person(['admin']);
      const key = async (name: string, of: TestPerson, expiresAt: string | null = null) =>
        of.api('POST /key', { body: { name, scopes: ['admin:companies', 'read'], expiresAt } });
      const soon = new Date(Date.now() + 3_600_000).toISOString();
      const [leaked, made, brief, stays] = [
        await key('L', admin),
        await key('M', boss),
        await key('B', admin, soon),
        await key('S', admin),
      ];
      const put = async (api: typeof admin.api, to: readonly string[]) => {
        const { version } = await read();
        const alerts = to.map((one) => ({ event: 'all' as const, channel: 'mail' as const, to: `${one}@example.test` }));
        return api('PUT /companies/{tenant}', { params: params(), body: { version, settings: { alerts } } });
      };
      const told = async () => (await read()).settings.alerts.map(({ to }) => to.replace('@example.test', ''));
      await put(admin.api, ['typed']);
      await put(server.as(leaked.secret), ['typed', 'leaked', 'leaked-too']);
      await put(server.as(made.secret), ['typed', 'leaked', 'leaked-too', 'made']);
      await put(server.as(brief.secret), ['typed', 'leaked', 'leaked-too', 'made', 'brief']);
      await put(server.as(stays.secret), ['typed', 'leaked', 'leaked-too', 'made', 'brief', 'stays']);
      // The list saved around them makes them nobody else's.
      await put(admin.api, ['typed', 'leaked', 'leaked-too', 'made', 'brief', 'stays']);
      const { version } = await read();
      await admin.api('DELETE /key/{_id}', { params: { _id: leaked._id } });
      expect(await told()).toEqual(['typed', 'made', 'brief', 'stays']);
      // Settings that were open since before would bring them back.
      const open = admin.api('PUT /companies/{tenant}', { params: params(), body: { version, settings: { senderName: '' } } });
      expect(await refusal(open)).toEqual([409, 'stale']);
      const [theirs] = await admin.api('GET /companies/{tenant}/memberships', {
        params: params(),
        query: { q: { accountId: boss.accountId } },
      });
      await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', {
        params: { ...params(), membershipId: theirs?.id ?? '' },
      });
      expect(await told()).toEqual(['typed', 'brief', 'stays']);
      await query(server.database.ownerUrl, 'update api_keys set expires_at = $2 where id = $1', [brief._id, new Date(0).toISOString()]);
      await sweep(server.deps, ours.id);
      expect(await told()).toEqual(['typed', 'stays']);
      const mails = await query<{ cause: string }>(
        server.database.ownerUrl,
        `select cause from messages where tenant_id = $1 and kind = 'alerts-off' and cause like '%' || $2`,
        [ours.id, admin.accountId],
      );
      expect(mails).toHaveLength(3);
      await change({ settings: { alerts: [] } });
    });

    it('show whom the company alerts to its administrators alone', async () => {
      await change({ settings: { alerts: [{ event: 'report', channel: 'mail', to: 'boss@example.test' }] } });
      expect((await read()).settings.alerts).toHaveLength(1);
      expect((await read(counter)).settings.alerts).toEqual([]);
      expect(JSON.stringify(await counter.api('GET /companies'))).not.toContain('boss@');
      expect(JSON.stringify(await admin.api('GET /companies'))).toContain('boss@');
    });
  });

  describe('the logo', () => {
    const logo = (who: TestPerson, size = '96', headers = {}) =>
      fetch(`${server.url}/v1/companies/${ours.id}/logo?size=${size}`, { headers: { authorization: `Bearer ${who.token}`, ...headers } });

    it('comes as form data, is shown to every member in each size, is replaced and taken away', async () => {
      expect((await logo(counter)).status).toBe(404);
      expect(await change({ name: 'With logo' }, await png())).toMatchObject({ hasLogo: true, name: 'With logo' });
      const first = await logo(counter);
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect((await sharp(Buffer.from(await first.arrayBuffer())).metadata()).width).toBe(96);
      const etag = first.headers.get('etag') ?? '';
      expect((await logo(counter, '96', { 'if-none-match': etag })).status).toBe(304);
      await change({}, await png(300));
      expect((await logo(counter, '480')).headers.get('etag')).not.toBe(etag);
      const gone = await admin.api('DELETE /companies/{tenant}/logo', { params: params() });
      expect(gone.hasLogo).toBe(false);
      expect((await logo(counter)).status).toBe(404);
    });

    it('is a picture', async () => {
      expect(await refusal(change({}, new Blob(['<svg/>'], { type: 'image/png' })))).toEqual([415, 'unsupported-media']);
      expect((await read()).hasLogo).toBe(false);
    });
  });
});
