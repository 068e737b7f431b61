import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import type { Client } from '@hatchway/contract/client.ts';
import { listen } from '../../live/test-listener.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
});
afterAll(() => server.stop());

const tenant = () => ({ tenant: ours.id });
const list = (query: Record<string, unknown>) => admin.api('GET /companies/{tenant}/memberships', { params: tenant(), query });
const membershipOf = async (person: TestPerson) => (await list({ q: { accountId: person.accountId } }))[0]?.id ?? '';
const setRoles = async (person: TestPerson, roles: string[], by = admin, seen?: number) => {
  const [known] = await list({ q: { accountId: person.accountId } });
  return by.api('PUT /companies/{tenant}/memberships/{membershipId}', {
    params: { ...tenant(), membershipId: known?.id ?? '' },
    body: { roles: roles as never, version: seen ?? known?.version ?? 0 },
  });
};
const remove = async (person: TestPerson) =>
  admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { ...tenant(), membershipId: await membershipOf(person) } });

describe('members', () => {
  // shows R7.11, R3.2
  it('are found by word and role, and sorted by name and by when they were last here', async () => {
    const åse = await ours.person(['recall_manager'], 'Åse Æresgjest');
    const bjarne = await ours.person(['recall_manager', 'manager'], 'Bjarne Berg');
    const names = async (wanted: Record<string, unknown>) => (await list(wanted)).map((row) => row.name);
    expect(await names({ q: { $text: 'berg' } })).toEqual(['Bjarne Berg']);
    expect(await names({ q: { roles: 'recall_manager' }, sort: 'name' })).toEqual(['Bjarne Berg', 'Åse Æresgjest']);
    expect(await names({ q: { roles: { $in: ['manager'] } } })).toEqual(['Bjarne Berg']);
    const here = (days: number, { accountId }: TestPerson) =>
      query(server.database.ownerUrl, `update memberships set last_seen_at = now() - $2 * interval '1 day' where account_id = $1`, [
        accountId,
        days,
      ]);
    for (const [days, person] of [admin, åse, bjarne].entries()) await here(days, person);
    const latestLast = ['Bjarne Berg', 'Åse Æresgjest', 'Ada Admin'];
    expect(await names({ sort: '-lastSeenAt' })).toEqual(latestLast.toReversed());
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await admin.api.page('GET /companies/{tenant}/memberships', {
        params: tenant(),
        query: { limit: 1, sort: 'lastSeenAt', ...(cursor ? { cursor } : {}) },
      });
      pages.push(...page.rows.map((row) => row.name));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect(pages).toEqual(latestLast);
  });

  it('hold what they are given with their next token, and nothing that was taken with the next call, nor by a form from before', async () => {
    const person = await ours.person([]);
    const sees = (api: TestPerson['api']) =>
      api('GET /policies').then(
        () => 'yes',
        () => 'no',
      );
    expect(await sees(person.api)).toBe('no');
    expect(await setRoles(person, ['manager', 'manager'])).toMatchObject({ roles: ['manager'] });
    const { api } = await person.again();
    expect(await sees(api)).toBe('yes');
    const [seen] = await list({ q: { accountId: person.accountId } });
    await setRoles(person, []);
    expect(await sees(api)).toBe('no');
    // A form that was opened before gives nothing back.
    expect(await refusal(setRoles(person, ['manager', 'recall_manager'], admin, seen?.version))).toEqual([409, 'stale']);
    expect((await list({ q: { accountId: person.accountId } }))[0]?.roles).toEqual([]);
    expect(await refusal(setRoles(person, ['emperor']))).toEqual([400, 'malformed']);
  });

  it('are told live by their new name, and by no other change of theirs', async () => {
    const person = await ours.person(['manager'], 'Kari Old');
    const listener = await listen(server.url, admin.token);
    expect(await listener.ask({ topic: 'subscribe', event: 'memberships' })).toBeNull();
    const [before] = await list({ q: { accountId: person.accountId } });
    await person.api('PUT /accounts/me', { body: { locale: 'nb' } });
    await person.api('PUT /accounts/me', { body: { name: 'Kari New' } });
    await expect.poll(() => listener.events.map(({ data }) => data['name'])).toEqual(['Kari New']);
    // The portal takes what it hears where it is newer than what it shows.
    const [told] = listener.events;
    expect(told?.data).toMatchObject({ id: before?.id, version: before?.version });
    expect(String(told?.data['updatedAt']) > String(before?.updatedAt)).toBe(true);
    listener.close();
  });

  it('who are no administrator any more hear nothing of other members from then on, and without any right lose their open page', async () => {
    const [second, other] = [await ours.person(['admin']), await ours.person(['manager'])];
    const listener = await listen(server.url, second.token);
    expect(await listener.ask({ topic: 'subscribe', event: 'memberships' })).toBeNull();
    const witness = await listen(server.url, admin.token);
    expect(await witness.ask({ topic: 'subscribe', event: 'memberships' })).toBeNull();
    await setRoles(second, ['delivery_manager']);
    await expect.poll(() => witness.events.length).toBe(1);
    const heard = listener.events.length;
    await setRoles(other, ['recall_manager']);
    await expect.poll(() => witness.events.length).toBe(2);
    expect(listener.events.slice(heard).filter((event) => event.method !== 'DELETE')).toEqual([]);
    expect(await refusal(second.api('GET /accounts'))).toEqual([403, 'forbidden']);
    await setRoles(second, []);
    await expect.poll(listener.code).toBe(4000);
    witness.close();
  });

  // shows R7.12
  it('who are removed are shown out: page, token, key and groups', async () => {
    const person = await ours.person(['admin']);
    const listener = await listen(server.url, person.token);
    const key = await person.api('POST /key', { body: { name: 'Theirs', scopes: ['read'] } });
    const group = await admin.api('POST /groups', { body: { name: 'Crew' } });
    await admin.api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: person.accountId }, body: {} });
    await remove(person);
    await expect.poll(listener.code).toBe(4000);
    await expect.poll(() => refusal(person.api('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
    expect(await refusal(server.as(key.secret)('GET /lockers'))).toEqual([401, 'unauthenticated']);
    expect(await admin.api('GET /groups/{id}/members', { params: { id: group.id } })).toEqual([]);
    expect(await list({ q: { accountId: person.accountId } })).toEqual([]);
    expect(await list({ q: { accountId: admin.accountId } })).toMatchObject([{ roles: ['admin'] }]);
  });

  it('two administrators cannot take each other out at once', async () => {
    const lonely = await testCompany(server);
    const [one, two] = [await lonely.person(['admin']), await lonely.person(['admin'])];
    const rows = await one.api('GET /companies/{tenant}/memberships', { params: { tenant: lonely.id } });
    const idOf = (person: TestPerson) => rows.find((row) => row.accountId === person.accountId)?.id ?? '';
    const oust = (by: TestPerson, whom: TestPerson) =>
      by.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: lonely.id, membershipId: idOf(whom) } });
    const both = await Promise.allSettled([oust(one, two), oust(two, one)]);
    expect(both.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  // shows R7.7, R7.8
  it('are people with an account, in the list and by id; others’ people are in neither', async () => {
    const nora = await ours.person(['delivery_manager'], 'Nora Known');
    const stranger = await (await testCompany(server)).person(['admin'], 'Stine Stranger');
    const one = await admin.api('GET /accounts/{id}', { params: { id: nora.accountId } });
    expect(one).toMatchObject({ id: nora.accountId, name: 'Nora Known', email: nora.email });
    const list = await admin.api('GET /accounts', { query: { limit: 500 } });
    expect(list).toContainEqual(one);
    expect(JSON.stringify(list)).not.toContain('Stine Stranger');
    expect(await refusal(admin.api('GET /accounts/{id}', { params: { id: stranger.accountId } }))).toEqual([404, 'not-found']);
  });
});

describe('what somebody hands on while their right is taken', () => {
  /** What another transaction holds while `during` goes on. */
  const holding = async (sql: string, values: unknown[], during: () => Promise<unknown>) => {
    const other = new pg.Client({ connectionString: server.database.ownerUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(sql, values);
      await during();
      await other.query('rollback');
    } finally {
      await other.end();
    }
  };
  const locks = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const waiting = async (calls: number) => {
    await expect.poll(() => query(server.database.ownerUrl, locks)).toHaveLength(calls);
  };
  const url = 'https://example.com/hook';
  const left = (who: string) =>
    query(
      server.database.ownerUrl,
      `select 'webhook' as what from webhooks where created_by = $1 and active
        union all select 'key' from api_keys where created_by = $1 and revoked_at is null
        union all select 'invitation' from invitations where invited_by = $1 and state = 'pending'`,
      [who],
    );
  const keyOf = async (who: TestPerson, scope: string) => {
    const { _id, secret } = await who.api('POST /key', { body: { name: 'Program', scopes: [scope, 'read'] } });
    const api = server.as(secret);
    // Its first use is written down: the next call of this minute does not lock its row.
    await api('GET /lockers');
    return { _id, secret, api };
  };
  const hash = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 32);
  type Calls = { path: string; call: (by: Client, idempotencyKey: string, invited: string) => Promise<unknown> };
  const handing: Record<string, Calls> = {
    'a webhook': { path: '/v1/webhooks', call: (by, idempotencyKey) => by('POST /webhooks', { body: { url }, idempotencyKey }) },
    'a key': { path: '/v1/key', call: (by, idempotencyKey) => by('POST /key', { body: { name: 'K', scopes: ['read'] }, idempotencyKey }) },
    'an invitation': {
      path: '/v1/companies/{tenant}/invitations',
      call: (by, idempotencyKey) =>
        by('POST /companies/{tenant}/invitations', {
          params: tenant(),
          body: { email: `${unique()}@example.test`, roles: [] },
          idempotencyKey,
        }),
    },
    'an invitation sent anew': {
      path: '/v1/companies/{tenant}/invitations/{id}/resend',
      call: (by, idempotencyKey, id) =>
        by('POST /companies/{tenant}/invitations/{id}/resend', { params: { ...tenant(), id }, body: {}, idempotencyKey }),
    },
  };
  const ways = {
    removed: { take: remove, refused: [401, 'unauthenticated'] },
    lowered: { take: (who: TestPerson) => setRoles(who, ['manager']), refused: [403, 'forbidden'] },
  } as const;
  const cases = [
    ['a webhook', 'removed'],
    ['a key', 'lowered'],
    ['an invitation', 'removed'],
    ['an invitation sent anew', 'lowered'],
  ] as const;
  const invited = async () =>
    (await admin.api('POST /companies/{tenant}/invitations', { params: tenant(), body: { email: `${unique()}@example.test`, roles: [] } }))
      .id;
  /** The call has been let in, and waits; `take` comes meanwhile, and waits for it. */
  const overtaken = async (what: string, by: { id: string; api: Client }, take: () => Promise<unknown>) => {
    const { path, call } = handing[what]!;
    const id = await invited();
    const key = unique();
    let made: Promise<unknown> | undefined;
    let taken: Promise<unknown> | undefined;
    await holding(
      `insert into idempotency (tenant_id, caller, method, path, key, body_hash, state, created_at, expires_at)
        values ($1, $2, 'POST', $3, $4, '', 'running', now(), now() + interval '1 day')`,
      [ours.id, by.id, path.replace('{tenant}', ours.id).replace('{id}', id), key],
      async () => {
        made = call(by.api, key, id);
        made.catch(() => undefined);
        await waiting(1);
        taken = take();
        taken.catch(() => undefined);
        await waiting(2);
      },
    );
    await made;
    await taken;
    return refusal(call(by.api, unique(), id));
  };

  it.each(cases)('%s, made while they are %s, is made before, and ends with that', async (what, way) => {
    const who = await ours.person(['admin'], 'Lea Leaver');
    const { take, refused } = ways[way];
    expect(await overtaken(what, { id: who.accountId, api: who.api }, () => take(who))).toEqual(refused);
    expect(await left(who.accountId)).toEqual([]);
  });

  it.each([
    ['a webhook', 'admin:webhooks'],
    ['an invitation', 'admin:invitations'],
  ])('%s, made by a key while it is revoked, likewise', async (what, scope) => {
    const { _id, secret, api } = await keyOf(admin, scope);
    const revoke = () => admin.api('DELETE /key/{_id}', { params: { _id } });
    expect(await overtaken(what, { id: `key:${hash(secret)}`, api }, revoke)).toEqual([401, 'unauthenticated']);
    expect(await left(_id)).toEqual([]);
  });

  it('waits for what they are just making, finds it and ends it', async () => {
    for (const by of ['person', 'key', 'revoked'] as const) {
      const who = await ours.person(['admin'], 'Lea Leaver');
      const key = await keyOf(who, 'admin:webhooks');
      const api = by === 'person' ? who.api : key.api;
      const end = () => (by === 'revoked' ? admin.api('DELETE /key/{_id}', { params: { _id: key._id } }) : remove(who));
      const hook = await admin.api('POST /webhooks', { body: { url, active: false } });
      const change = { params: { id: hook.id }, body: { url, active: true, version: hook.version } };
      const [company, webhook] = ['companies', 'webhooks'].map((table) => `select from ${table} where id = $1 for no key update`);
      let going: Promise<unknown> = Promise.resolve();
      await holding(webhook!, [hook.id], () =>
        holding(company!, [ours.id], async () => {
          const calls = [api('POST /webhooks', { body: { url } }), api('PUT /webhooks/{id}', change)];
          await waiting(2);
          going = Promise.all([...calls, end()]);
          going.catch(() => undefined);
          await waiting(3);
        }),
      );
      await going;
      const answering = by === 'person' ? who.accountId : key._id;
      const rows = await query(server.database.ownerUrl, 'select disabled_reason from webhooks where created_by = $1', [answering]);
      expect(rows).toEqual([{ disabled_reason: 'maker' }, { disabled_reason: 'maker' }]);
      expect(await left(answering)).toEqual([]);
    }
    const [database] = await query<{ deadlocks: string }>(
      server.database.ownerUrl,
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(Number(database?.deadlocks)).toBe(0);
  });
});

describe('what a member would leave behind', () => {
  const open = async (memberIds: string[], by = admin) =>
    (await by.api('GET /occupations', { query: { q: { memberId: { $in: memberIds } } } })).map(({ id }) => id).toSorted();

  it('is found by number, address and account, and no longer when it has ended', async () => {
    const leaver = await ours.person(['lending_manager'], 'Lars Leaver');
    const stayer = await ours.person(['lending_manager'], 'Siri Stayer');
    const [id, other] = [await membershipOf(leaver), await membershipOf(stayer)];
    const { id: siteId } = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
    const doors = [1, 2, 3].map((compartment) => ({ doorTag: unique(), compartment, size: 'M' as const, height: 300 }));
    const wall = await admin.api('POST /cabinets', { body: { siteId, name: 'Wall', columns: [{ width: 400, doors }] } });
    const lockers = wall.columns.flatMap((column) => column.doors.map(({ lockerId }) => lockerId));
    const begin = async (type: 'lending' | 'delivery', receiver?: { name: string; email: string }) => {
      const body = { type, lockerId: lockers.pop() ?? '', assetText: 'Drill', ...(receiver ? { receiver } : {}) };
      const made = await admin.api('POST /occupations', { body });
      for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id: made.id, action } });
      return made.id;
    };
    const lent = await begin('lending');
    await leaver.api('PUT /occupations/assign', { body: { id: lent, action: 'claim' } });
    expect(await open([id])).toEqual([lent]);
    await leaver.api('PUT /occupations', { body: { id: lent, action: 'finnish' } });
    const waits = await begin('delivery', { name: 'Lars', email: leaver.email });
    await begin('delivery', { name: 'Somebody', email: `${unique()}@example.test` });
    expect(await open([id])).toEqual([lent, waits].toSorted());
    expect(await open([other])).toEqual([]);
    expect(await open([id, other])).toHaveLength(2);
    expect(await open([id], stayer)).toEqual([]);
    await admin.api('DELETE /occupations/{id}', { params: { id: waits }, body: {} });
    expect(await open([id])).toEqual([lent]);
  });
});
