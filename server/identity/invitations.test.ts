import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query, waitersFor } from '../db/test-database.ts';
import { startWorld, type World } from './test-world.ts';
import { Visitor } from './test-visitor.ts';

let world: World;
let acme: string;
beforeAll(async () => {
  world = await startWorld();
  acme = await world.company('Acme <b>& Co</b>');
});
afterAll(() => world.close());

const password = 'correct horse battery';

describe('invitations', () => {
  it('make an account and a membership, once', async () => {
    const link = await world.invite(acme, { email: 'New@acme.test' }, ['delivery_manager']);
    const visitor = new Visitor(world.origin);
    const page = await visitor.go(link);
    expect(page.text).toContain('Acme &lt;b&gt;&amp; Co&lt;/b&gt;');
    expect((await visitor.submit({ name: 'Nina Ny', password: 'demo' })).status).toBe(422);
    expect(visitor.page.text).toContain('value="Nina Ny"');
    const twice = [new Visitor(world.origin), new Visitor(world.origin)];
    for (const one of twice) await one.go(link);
    const [first, second] = await Promise.all(twice.map(async (one) => (await one.submit({ name: 'Nina Ny', password })).status));
    expect([first, second].toSorted((a, b) => Number(a) - Number(b))).toEqual([200, 410]);
    const tokens = await new Visitor(world.origin).signIn('new@acme.test');
    expect(await world.verifier.verify(tokens.access_token)).toMatchObject({
      name: 'Nina Ny',
      email: 'new@acme.test',
      tenant: { tenant_id: acme, roles: ['delivery_manager'] },
    });
    expect((await visitor.go(link)).text).toContain('has been used');
  });

  it('make an account under what the link was sent to, and under nothing else that the invitation names', async () => {
    const claims = async (login: string) => world.verifier.verify((await new Visitor(world.origin).signIn(login)).access_token);
    const accept = async (link: string) => {
      const visitor = new Visitor(world.origin);
      const { text } = await visitor.go(link);
      expect((await visitor.submit({ name: 'Nina Ny', password })).status).toBe(200);
      return text;
    };
    const first = await world.inviteBoth(acme, { email: 'both@acme.test', tlf: '+4790000001' }, ['admin']);
    expect(await accept(first.sms)).toContain('+4790000001');
    const bySms = await claims('+4790000001');
    expect(bySms).toMatchObject({ phone_number: '+4790000001', tenant: { tenant_id: acme, roles: ['admin'] } });
    expect(bySms.email).toBeUndefined();
    expect((await new Visitor(world.origin).go(first.mail)).text).toContain('has been used');

    const second = await world.inviteBoth(acme, { email: 'both@acme.test', tlf: '+4790000009' }, []);
    await accept(second.mail);
    const byMail = await claims('both@acme.test');
    expect(byMail).toMatchObject({ email: 'both@acme.test', tenant: { roles: [] } });
    expect(byMail.phone_number).toBeUndefined();
    await expect(claims('+4790000009')).rejects.toThrow('was not let in');
  });

  it('add a company to an account that exists once its own password is typed', async () => {
    await world.person('known@acme.test');
    const other = await world.company('Beta');
    const visitor = new Visitor(world.origin);
    await visitor.go(await world.invite(other, { email: 'known@acme.test' }, ['admin']));
    expect(visitor.page.text).not.toContain('name="name"');
    expect((await visitor.submit({ password: '' })).status).toBe(422);
    expect((await visitor.submit({ password: 'another long password' })).status).toBe(401);
    const claims = async () =>
      (await world.verifier.verify((await new Visitor(world.origin).signIn('known@acme.test')).access_token)).tenant?.tenant_id;
    expect(await claims()).toBeUndefined();
    expect((await visitor.submit({ password })).status).toBe(200);
    expect(await claims()).toBe(other);
  });

  it('of two companies to one new address make one account, and the later one asks for its password', async () => {
    const beta = await world.company('Two at once');
    const [ours, theirs] = await Promise.all([
      world.invite(acme, { email: 'wanted@acme.test' }, ['manager']),
      world.invite(beta, { email: 'wanted@acme.test' }, ['admin']),
    ]);
    // the other company's is accepted, and not committed yet: this one finds no account, and waits for it to make its own
    const other = new pg.Client({ connectionString: world.database.ownerUrl });
    await other.connect();
    const visitor = new Visitor(world.origin);
    await visitor.go(ours);
    try {
      await other.query('begin');
      await other.query(
        `insert into accounts (id, name, email, created_at, updated_at) values (gen_random_uuid(), 'W', 'wanted@acme.test', now(), now())`,
      );
      const accepted = visitor.submit({ name: 'Wanda', password });
      await expect.poll(() => waitersFor(world.database.ownerUrl, other)).toBeGreaterThan(0);
      await other.query('commit');
      expect((await accepted).status).toBe(409);
    } finally {
      await other.end();
    }
    expect(visitor.page.text).toContain('just made an account');
    expect(visitor.page.text).not.toContain('name="name"');
    const [account] = await query<{ id: string }>(world.database.ownerUrl, `select id from accounts where email = 'wanted@acme.test'`);
    await world.identity.setPassword(account?.id ?? '', password);
    expect((await visitor.submit({ password: 'not that password' })).status).toBe(401);
    expect((await visitor.submit({ password })).status).toBe(200);
    await visitor.go(theirs);
    expect((await visitor.submit({ password })).status).toBe(200);
    const tokens = await new Visitor(world.origin).signIn('wanted@acme.test', password, beta);
    expect((await world.verifier.verify(tokens.access_token)).tenant).toMatchObject({ tenant_id: beta, roles: ['admin'] });
  });

  it('of two companies, sent in together, make one account that is in both, whoever is first', async () => {
    const beta = await world.company('Together');
    const links = [
      await world.invite(acme, { email: 'at-once@acme.test' }, []),
      await world.invite(beta, { email: 'at-once@acme.test' }, []),
    ];
    const visitors = await Promise.all(
      links.map(async (link) => {
        const one = new Visitor(world.origin);
        await one.go(link);
        return one;
      }),
    );
    const statuses = await Promise.all(visitors.map(async (one) => (await one.submit({ name: 'Una', password })).status));
    // the later one is asked for the password, unless it came so late that it had typed it already
    expect(statuses).toContain(200);
    const asked = visitors.filter((_, at) => statuses[at] === 409);
    expect(statuses.filter((status) => status === 200).length + asked.length).toBe(2);
    expect(await Promise.all(asked.map(async (one) => (await one.submit({ password })).status))).toEqual(asked.map(() => 200));
    expect(
      await query(
        world.database.ownerUrl,
        `select tenant_id from memberships m join accounts a on a.id = m.account_id where a.email = 'at-once@acme.test'`,
      ),
    ).toHaveLength(2);
  });

  it('that went both ways, both followed at once, make one account of one name', async () => {
    const { mail, sms } = await world.inviteBoth(acme, { email: 'either@acme.test', tlf: '+4790000033' }, []);
    const visitors = await Promise.all(
      [mail, sms].map(async (link) => {
        const one = new Visitor(world.origin);
        await one.go(link);
        return one;
      }),
    );
    const statuses = await Promise.all(visitors.map(async (one) => (await one.submit({ name: 'Either', password })).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 410]);
    expect(visitors[statuses.indexOf(410)]?.page.text).toContain('mobile number you used');
    const held = await query<{ email: string | null; tlf: string | null }>(
      world.database.ownerUrl,
      `select email, tlf from accounts where email = 'either@acme.test' or tlf = '+4790000033'`,
    );
    expect(held).toHaveLength(1);
    expect([held[0]?.email, held[0]?.tlf].filter(Boolean)).toHaveLength(1);
  });

  it('count wrong passwords with those at sign-in', async () => {
    await world.person('guessed@acme.test');
    world.newQuarter();
    const visitor = new Visitor(world.origin);
    await visitor.go(await world.invite(acme, { email: 'Guessed@acme.test' }, []));
    for (let times = 0; times < 5; times++) expect((await visitor.submit({ password: `guess ${times} of mine` })).status).toBe(401);
    expect((await visitor.submit({ password })).status).toBe(429);
    expect(Number(visitor.page.headers.get('retry-after'))).toBeGreaterThan(0);
    await visitor.startSignIn();
    expect((await visitor.submit({ login: 'guessed@acme.test', password })).status).toBe(429);
  });

  it('add roles to a membership that exists, and ask whoever holds a number for the password of its account', async () => {
    const id = await world.person('member@acme.test', undefined, { tlf: '+4790000002' });
    await world.member(acme, id, ['manager']);
    const visitor = new Visitor(world.origin);
    await visitor.go(await world.invite(acme, { email: 'member@acme.test' }, ['manager', 'admin']));
    await visitor.submit({ password });
    const tokens = await new Visitor(world.origin).signIn('member@acme.test');
    expect((await world.verifier.verify(tokens.access_token)).tenant?.roles).toEqual(['admin', 'manager']);

    const { mail, sms } = await world.inviteBoth(acme, { email: 'colleague@acme.test', tlf: '+4790000002' }, []);
    await visitor.go(sms);
    expect((await visitor.submit({ password: 'the colleague’s own' })).status).toBe(401);
    await visitor.go(mail);
    expect((await visitor.submit({ name: 'Colleague', password })).status).toBe(200);
    const claims = await world.verifier.verify((await new Visitor(world.origin).signIn('colleague@acme.test')).access_token);
    expect(claims.phone_number).toBeUndefined();
  });

  it('say so when they are withdrawn, expired or nobody’s', async () => {
    const visitor = new Visitor(world.origin);
    expect((await visitor.go(await world.invite(acme, { email: 'a@b.test' }, [], { state: 'withdrawn' }))).text).toContain('was withdrawn');
    expect((await visitor.go(await world.invite(acme, { email: 'a@b.test' }, [], { expired: true }))).text).toContain('has expired');
    expect((await visitor.go(world.identity.inviteUrl(world.identity.newInvitationToken(acme).token))).status).toBe(404);
    expect((await visitor.go(world.identity.inviteUrl('nonsense'))).status).toBe(404);
  });
});
