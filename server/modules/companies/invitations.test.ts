import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { Visitor } from '../../identity/test-visitor.ts';
import { listen } from '../../live/test-listener.ts';
import { PASSWORD, refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

const DAY = 24 * 3600_000;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  stranger = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

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
