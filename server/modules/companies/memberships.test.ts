import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import type { Client } from '@hatchway/contract/client.ts';
import { listen } from '../../live/test-listener.ts';
import { refusal, testCompany, type TestCompany, type TestPerson, PASSWORD } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { Visitor } from '../../identity/test-visitor.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
/** Of another company. */
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  stranger = await (await testCompany(server)).person(['admin'], 'Stine Stranger');
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
  const cases = Object.keys(handing).flatMap((what) => (['removed', 'lowered'] as const).map((way) => [what, way] as const));
  const invited = async () =>
    (await admin.api('POST /companies/{tenant}/invitations', { params: tenant(), body: { email: `${unique()}@example.test`, roles: [] } }))
      .id;
  /** The call has been let in, and waits; `take` comes meanwhile, and waits for it. */
  const overtaken = async (what: string, by: { id: string; api: Client }, take: () => Promise<unknown>) => {
    const { path, call } = handing[what]!;
    const id = what === 'an invitation sent anew' ? await invited() : '';
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

describe('who is invited', () => {
  const DAY = 24 * 3600_000;
  let ours: TestCompany;
  let admin: TestPerson;
  beforeAll(async () => {
    ours = await testCompany(server);
    admin = await ours.person(['admin']);
  });

  const tenant = () => ({ tenant: ours.id });
  const invite = (to: { email?: string; tlf?: string }, roles: string[] = []) =>
    admin.api('POST /companies/{tenant}/invitations', { params: tenant(), body: { ...to, roles: roles as never } });
  const resend = (id: string, who = admin) =>
    who.api('POST /companies/{tenant}/invitations/{id}/resend', { params: { ...tenant(), id }, body: {} });
  const withdraw = (id: string) => admin.api('DELETE /companies/{tenant}/invitations/{id}', { params: { ...tenant(), id } });
  const one = (id: string) => admin.api('GET /companies/{tenant}/invitations/{id}', { params: { ...tenant(), id } });

  /** So many days go by for this invitation alone: tokens live by the real clock. */
  const age = (id: string, days: number) =>
    query(server.database.ownerUrl, `update invitations set expires_at = expires_at - $2 * interval '1 day' where id = $1`, [id, days]);

  type Sent = { channel: string; state: string; to_masked: string; body_sealed: Buffer | null };
  /** What was written to the person, oldest first: the one place where the link is. */
  const sent = (id: string) =>
    query<Sent>(server.database.ownerUrl, `select channel, state, to_masked, body_sealed from messages where cause like $1 order by id`, [
      `invitation:${id}:%`,
    ]);
  const linksOf = async (id: string): Promise<string[]> =>
    (await sent(id)).map((row) => {
      const body = JSON.parse(server.deps.seal.open(row.body_sealed ?? Buffer.alloc(0)) ?? '{}') as { text?: string };
      return /https?:\/\/\S+\/invitations\/\S+/.exec(body.text ?? '')?.[0] ?? '';
    });
  const look = async (link: string) => (await new Visitor(server.url).go(link)).text;

  describe('an invitation', () => {
    it.each([
      ['9123456', 'number', 'NO'],
      ['+479123456', 'number', null],
      ['21 23 45 67', 'no-sms', 'NO'],
    ])('to the number %s is refused, with the country that was assumed', async (tlf, number, country) => {
      const refused = await invite({ tlf }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ status: 422, problem: { code: 'rule', errors: [{ pointer: '/tlf' }], data: { number, country } } });
    });

    // shows R3.3, R5.16, R7.13, R7.16
    it('goes out by mail and by SMS, each with a link of its own, and is listed', async () => {
      const email = `Kari.${unique()}@Example.test`;
      // no roles are said, and they are none
      const made = await admin.api('POST /companies/{tenant}/invitations', { params: tenant(), body: { email, tlf: '91234567' } });
      expect(made).toMatchObject({ email: email.toLowerCase(), tlf: '+4791234567', roles: [], state: 'pending' });
      const messages = await sent(made.id);
      expect(messages.map((row) => row.channel).toSorted()).toEqual(['mail', 'sms']);
      const links = await linksOf(made.id);
      expect(new Set(links).size).toBe(2);
      for (const link of links) expect(await look(link)).toContain('<form');
      const find = (q: Record<string, unknown>) =>
        admin.api('GET /companies/{tenant}/invitations', { params: tenant(), query: { q } }).then((rows) => rows.map((row) => row.id));
      expect(await find({ $text: 'kari' })).toEqual([made.id]);
      for (const typed of [email, email.toLowerCase()]) expect(await find({ email: typed, state: 'pending' })).toEqual([made.id]);
      expect(await find({ $text: 'kari', state: 'expired' })).toEqual([]);
    });

    it('names each role once, and no more of them than there are', async () => {
      const email = `${unique()}@example.test`;
      expect((await invite({ email }, ['manager', 'manager'])).roles).toEqual(['manager']);
      expect(await refusal(invite({ email: `x${email}` }, Array<string>(11).fill('manager')))).toEqual([400, 'malformed']);
    });

    // shows R3.3, R6.13, R7.16
    it('sent anew has a new link for another 14 days, and the old one is dead', async () => {
      const made = await invite({ email: `${unique()}@example.test` }, ['delivery_manager', 'lending_manager']);
      expect((await one(made.id)).roles).toEqual(['delivery_manager', 'lending_manager']);
      const [old = ''] = await linksOf(made.id);
      await age(made.id, 3);
      const renewed = await resend(made.id);
      expect(Date.parse(renewed.expiresAt) - Date.now()).toBeGreaterThan(13.9 * DAY);
      const [, fresh = ''] = await linksOf(made.id);
      expect(fresh).not.toBe(old);
      expect(await look(old)).not.toContain('<form');
      expect(await look(fresh)).toContain('<form');
    });

    it('goes to nobody twice while one is open, be it two at once, and says which one it is', async () => {
      const [email, tlf] = [`${unique()}@example.test`, '90000001'];
      const asked = await Promise.allSettled([invite({ email: email.toUpperCase(), tlf }), invite({ email, tlf })]);
      const [made, ...more] = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(more).toEqual([]);
      for (const to of [{ email }, { tlf: `+47${tlf}` }]) {
        const again = await invite(to).catch((error: unknown) => error);
        const pointer = to.email === undefined ? '/tlf' : '/email';
        expect(again).toMatchObject({
          status: 409,
          problem: { code: 'invited-already', errors: [{ pointer }], data: { invitationId: made?.id, email, tlf: `+47${tlf}` } },
        });
      }
      // its time having passed it is sent anew, rather than left beside a second one
      await age(made?.id ?? '', 14);
      expect(await refusal(invite({ email }))).toEqual([409, 'invited-already']);
      await withdraw(made?.id ?? '');
      expect(await invite({ email })).toMatchObject({ state: 'pending' });
      // another company asks whom it likes
      expect(await stranger.api('POST /companies/{tenant}/invitations', { body: { email } })).toMatchObject({ email });
    });

    it('whose time has passed reads expired, and comes to life when it is sent anew', async () => {
      const made = await invite({ email: `${unique()}@example.test` });
      await age(made.id, 14);
      expect(await one(made.id)).toMatchObject({ state: 'expired' });
      const expired = await admin.api('GET /companies/{tenant}/invitations', { params: tenant(), query: { q: { state: 'expired' } } });
      expect(expired.map((row) => row.id)).toContain(made.id);
      expect(await look((await linksOf(made.id))[0] ?? '')).not.toContain('<form');
      expect(await resend(made.id)).toMatchObject({ state: 'pending' });
      expect(await look((await linksOf(made.id))[1] ?? '')).toContain('<form');
    });

    it('that was written down as expired is withdrawn like any other, and makes room for another', async () => {
      const email = `${unique()}@example.test`;
      const made = await invite({ email });
      await query(server.database.ownerUrl, `update invitations set state = 'expired' where id = $1`, [made.id]);
      expect(await refusal(invite({ email }))).toEqual([409, 'invited-already']);
      await withdraw(made.id);
      expect(await one(made.id)).toMatchObject({ state: 'withdrawn' });
      expect(await invite({ email })).toMatchObject({ state: 'pending' });
    });

    it('is accepted on a page, once, and then neither sent anew nor withdrawn', async () => {
      const email = `${unique()}@example.test`;
      const made = await invite({ email }, ['asset_manager']);
      const visitor = new Visitor(server.url);
      await visitor.go((await linksOf(made.id))[0] ?? '');
      await visitor.submit({ name: 'Nora New', password: 'correct horse battery' });
      expect(await one(made.id)).toMatchObject({ state: 'accepted' });
      const members = await admin.api('GET /companies/{tenant}/memberships', { params: tenant(), query: { q: { $text: 'nora' } } });
      expect(members).toMatchObject([{ name: 'Nora New', email, roles: ['asset_manager'] }]);
      expect(await refusal(resend(made.id))).toEqual([409, 'invitation-over']);
      expect(await refusal(withdraw(made.id))).toEqual([404, 'not-found']);
    });

    describe('ends with the right of whoever sent it:', () => {
      const inviteAs = (who: Pick<TestPerson, 'api'>, roles: string[]) =>
        who.api('POST /companies/{tenant}/invitations', {
          params: tenant(),
          body: { email: `${unique()}@example.test`, roles: roles as never },
        });
      const membershipOf = async ({ email }: TestPerson) => {
        const rows = await admin.api('GET /companies/{tenant}/memberships', { params: tenant(), query: { q: { email } } });
        return { ...tenant(), membershipId: rows[0]?.id ?? '' };
      };
      const leadsNowhere = async (id: string) => {
        for (const link of await linksOf(id)) expect(await look(link)).not.toContain('<form');
      };
      const keyOf = async (who: TestPerson) => {
        const { _id, secret } = await who.api('POST /key', { body: { name: 'Personnel', scopes: ['admin:invitations'], expiresAt: null } });
        return { _id, api: server.as(secret) };
      };

      it('a member who is removed comes back by no link that they had made', async () => {
        const leaving = await ours.person(['admin']);
        const made = await inviteAs(leaving, ['admin']);
        const keyed = await inviteAs(await keyOf(leaving), []);
        for (const { id } of [made, keyed]) expect(await look((await linksOf(id))[0] ?? '')).toContain('<form');
        await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: await membershipOf(leaving) });
        for (const { id } of [made, keyed]) {
          expect(await one(id)).toMatchObject({ state: 'withdrawn' });
          await leadsNowhere(id);
        }
      });

      it('nor one who may not invite any more', async () => {
        const lowered = await ours.person(['admin']);
        const made = await inviteAs(lowered, ['delivery_manager']);
        const params = await membershipOf(lowered);
        const [member] = await admin.api('GET /companies/{tenant}/memberships', {
          params: tenant(),
          query: { q: { id: params.membershipId } },
        });
        const body = { roles: ['delivery_manager'] as never, version: member?.version ?? 0 };
        await admin.api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body });
        expect(await one(made.id)).toMatchObject({ state: 'withdrawn' });
        await leadsNowhere(made.id);
      });

      it('a key that is revoked, or whose time has passed, lets nobody in; whoever sends it anew answers for it', async () => {
        const [revoked, expired] = [await keyOf(admin), await keyOf(admin)];
        const [ofRevoked, ofExpired] = [await inviteAs(revoked, []), await inviteAs(expired, [])];
        await admin.api('DELETE /key/{_id}', { params: { _id: revoked._id } });
        expect(await one(ofRevoked.id)).toMatchObject({ state: 'withdrawn' });
        await leadsNowhere(ofRevoked.id);
        await query(server.database.ownerUrl, `update api_keys set expires_at = now() where id = $1`, [expired._id]);
        await leadsNowhere(ofExpired.id);
        await resend(ofExpired.id);
        expect(await look((await linksOf(ofExpired.id))[1] ?? '')).toContain('<form');
      });
    });

    // shows R7.14, R7.15
    it('that is withdrawn leads nowhere, and its message is not sent any more', async () => {
      const made = await invite({ tlf: '90000002' });
      await withdraw(made.id);
      expect(await look((await linksOf(made.id))[0] ?? '')).not.toContain('<form');
      expect(await refusal(resend(made.id))).toEqual([409, 'invitation-over']);
      expect(await one(made.id)).toMatchObject({ id: made.id, tlf: made.tlf, roles: [], state: 'withdrawn' });
    });

    it('is nobody else’s: another company’s administrator meets nothing', async () => {
      const made = await invite({ email: `${unique()}@example.test` });
      expect(await refusal(resend(made.id, stranger))).toEqual([404, 'not-found']);
      expect(await linksOf(made.id)).toHaveLength(1);
    });

    it('is sent anew one time for each of two who press at once', async () => {
      const made = await invite({ email: `${unique()}@example.test` });
      await Promise.all([resend(made.id), resend(made.id)]);
      const links = await linksOf(made.id);
      expect(links).toHaveLength(3);
      const alive = await Promise.all(links.map(async (link) => (await look(link)).includes('<form')));
      expect(alive).toEqual([false, false, true]);
    });

    it('is repeated by the invitation, never by its message: that one holds the old link', async () => {
      const made = await invite({ email: `${unique()}@example.test` });
      const [message] = await query<{ id: string }>(server.database.ownerUrl, 'select id from messages where cause like $1', [
        `invitation:${made.id}:%`,
      ]);
      const again = admin.api('POST /messages/{id}/send', { params: { id: message?.id ?? '' }, body: {} });
      expect(await refusal(again)).toEqual([409, 'message-not-sendable']);
    });

    it('accepted by a member who is here already adds its roles, and the others see it at once', async () => {
      const member = await ours.person(['delivery_manager']);
      const watcher = await listen(server.url, admin.token);
      expect(await watcher.ask({ topic: 'subscribe', event: 'memberships' })).toBeNull();
      const made = await invite({ email: member.email }, ['admin']);
      const visitor = new Visitor(server.url);
      await visitor.go((await linksOf(made.id))[0] ?? '');
      await visitor.submit({ password: PASSWORD });
      await expect.poll(() => watcher.events.map((event) => event.data['roles'])).toContainEqual(['admin', 'delivery_manager']);
      expect(await (await member.again()).api('GET /accounts')).not.toEqual([]);
      watcher.close();
    });

    it('gives nobody an account under an address whose mail they do not read', async () => {
      const email = `ceo-${unique()}@example.test`;
      // the stranger names somebody else's address beside a number of their own, and follows the SMS
      const theirs = await stranger.api('POST /companies/{tenant}/invitations', {
        params: { tenant: '' },
        body: { email, tlf: '90000003', roles: [] },
      });
      const sms = (await sent(theirs.id)).findIndex(({ channel }) => channel === 'sms');
      const phone = new Visitor(server.url);
      await phone.go((await linksOf(theirs.id))[sms] ?? '');
      await phone.submit({ name: 'The CEO', password: 'chosen by a stranger' });
      expect(phone.page.status).toBe(200);
      await expect(new Visitor(server.url).signIn(email, 'chosen by a stranger')).rejects.toThrow('was not let in');

      // whom that address is really of is invited here, and chooses a password of their own
      const made = await invite({ email }, ['admin']);
      const ceo = new Visitor(server.url);
      await ceo.go((await linksOf(made.id))[0] ?? '');
      expect((await ceo.submit({ name: 'Cecilie', password: PASSWORD })).status).toBe(200);
      await expect(new Visitor(server.url).signIn(email, 'chosen by a stranger')).rejects.toThrow('was not let in');
      await new Visitor(server.url).signIn(email, PASSWORD);
    });

    it('adds nothing to an account without its password, however it came to hold the address', async () => {
      const member = await ours.person([]);
      const made = await invite({ email: member.email }, ['admin']);
      const visitor = new Visitor(server.url);
      await visitor.go((await linksOf(made.id))[0] ?? '');
      const bare = { method: 'POST', body: new URLSearchParams(), headers: { origin: server.url } };
      expect((await visitor.go(visitor.page.url, bare)).status).toBe(422);
      expect(await one(made.id)).toMatchObject({ state: 'pending' });
    });
  });
});
