import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { query } from '../db/test-database.ts';
import { startWorld, type World } from './test-world.ts';
import { Visitor } from './test-visitor.ts';

let world: World;
let acme: string;
beforeAll(async () => {
  world = await startWorld();
  acme = await world.company('Acme');
});
// Attempts are counted by the quarter of an hour and by the hour: no test may run across the end of one.
beforeEach(() => world.later((3_600_000 - (world.now().getTime() % 3_600_000)) / 60_000));
afterAll(() => world.close());

const password = 'correct horse battery';
const person = async (email: string, tlf?: string) =>
  world.member(acme, await world.person(email, password, tlf ? { tlf } : {}), ['admin']);
const at = (from: string) => new Visitor(world.origin, { from });
const tried = async (visitor: Visitor, login: string, typed: string): Promise<number> => {
  await visitor.startSignIn({ prompt: 'login' });
  await visitor.submit({ login, password: typed });
  return visitor.page.status;
};
const guessed = async (visitor: Visitor, login: string, times: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push(await tried(visitor, login, `guess number ${n} of mine`));
  return statuses;
};
/** Strangers in so many networks, each of whom uses up what it has for this name: the first does, and the others are counted as it was. */
const besieged = async (login: string, networks: number) => {
  expect(await guessed(at('198.51.100.0'), login, 5)).toEqual(Array.from({ length: 5 }, () => 401));
  const hour = `update rate_limits set count = $1 where count = 5 and expires_at - started_at = interval '1 hour'`;
  await query(world.database.ownerUrl, hour, [5 * networks]);
};
/** Was let in: the way goes on to the portal. */
const IN = 303;

describe('whoever knows somebody’s address', () => {
  it('keeps them out nowhere but in the own network', async () => {
    await person('known@acme.test');
    expect(await guessed(at('198.51.100.7'), 'known@acme.test', 6)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await tried(at('198.51.100.7'), 'known@acme.test', password)).toBe(429);
    expect(await tried(at('203.0.113.1'), 'known@acme.test', password)).toBe(IN);
  });

  it('keeps them out not even there where they have been before', async () => {
    await person('desk@acme.test');
    const desk = at('198.51.100.7');
    expect(await tried(desk, 'desk@acme.test', password)).toBe(IN);
    expect((await guessed(at('198.51.100.7'), 'desk@acme.test', 6)).at(-1)).toBe(429);
    expect(await tried(desk, 'desk@acme.test', password)).toBe(IN);
    // A place at the desk is worth no more guesses than another.
    expect(await guessed(desk, 'desk@acme.test', 6)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await tried(desk, 'desk@acme.test', password)).toBe(429);
  });

  it('has thirty tries an hour from all networks together, also at a name that does not exist', async () => {
    await besieged('nobody@acme.test', 5);
    const statuses = await guessed(at('203.0.113.1'), 'nobody@acme.test', 5);
    expect(statuses).toEqual(Array.from({ length: 5 }, () => 401));
    expect(await guessed(at('203.0.113.2'), 'nobody@acme.test', 2)).toEqual([429, 429]);
  });

  it('in however many networks keeps them out for an hour by thirty wrong tries, but nobody whose browser is known, or who comes by a link sent to them', async () => {
    await person('besieged@acme.test', '+4790000071');
    const [desk, hotel] = [at('203.0.113.1'), at('192.0.2.1')];
    expect(await tried(desk, '900 00 071', password)).toBe(IN);
    expect(await tried(desk, 'besieged@acme.test', password)).toBe(IN);
    await besieged('besieged@acme.test', 5);
    // Once refused in the own network nothing of the thirty is used up, and a right password is none of them.
    expect(await guessed(at('198.51.100.0'), 'besieged@acme.test', 2)).toEqual([429, 429]);
    for (const from of ['192.0.2.100', '192.0.2.101']) expect(await tried(at(from), 'besieged@acme.test', password)).toBe(IN);
    expect(await guessed(at('198.51.100.5'), 'besieged@acme.test', 5)).toEqual(Array.from({ length: 5 }, () => 401));
    expect(await tried(desk, 'Besieged@acme.test', password)).toBe(IN);
    expect(await tried(desk, '900 00 071', password)).toBe(IN);
    expect(await tried(hotel, 'besieged@acme.test', password)).toBe(429);

    await hotel.go('/realms/pml/forgotten');
    await hotel.submit({ login: 'besieged@acme.test' });
    const mailed = () => world.mails.findLast(({ to }) => to === 'besieged@acme.test')?.text ?? '';
    await expect.poll(mailed).toContain('http');
    await hotel.go(/http\S+/.exec(mailed())?.[0] ?? '');
    expect((await hotel.submit({ password: 'a whole new password' })).status).toBe(200);
    for (const login of ['besieged@acme.test', '900 00 071']) expect(await tried(hotel, login, 'a whole new password')).toBe(IN);
    expect(await tried(at('192.0.2.2'), 'besieged@acme.test', 'a whole new password')).toBe(429);
    world.later(60);
    expect(await tried(at('192.0.2.2'), 'besieged@acme.test', 'a whole new password')).toBe(IN);
  });

  it('is known by no cookie of another name or of their own making', async () => {
    await person('mine@acme.test');
    await person('theirs@acme.test');
    const mine = at('198.51.100.7');
    expect(await tried(mine, 'mine@acme.test', password)).toBe(IN);
    const cookie = mine.cookie('HATCHWAY_KNOWN_');
    await guessed(at('198.51.100.7'), 'theirs@acme.test', 5);
    expect(await tried(mine, 'theirs@acme.test', password)).toBe(429);
    const theirs = at('192.0.2.1');
    expect(await tried(theirs, 'theirs@acme.test', password)).toBe(IN);
    const name = theirs.cookie('HATCHWAY_KNOWN_').name;
    for (const value of [cookie.value, `${'x'.repeat(22)}.${'x'.repeat(43)}`, 'x', '']) {
      const forger = at('198.51.100.7');
      forger.bring({ name, value });
      expect(await tried(forger, 'theirs@acme.test', password)).toBe(429);
    }
    const moved = at('198.51.100.7');
    moved.bring(theirs.cookie('HATCHWAY_KNOWN_'));
    expect(await tried(moved, 'theirs@acme.test', password)).toBe(IN);
  });

  it('leaves a browser known under the twenty names that were last signed in with there, however many there were', async () => {
    const counter = at('198.51.100.7');
    const [first, second, third] = ['clerk1@acme.test', 'clerk2@acme.test', 'clerk3@acme.test'] as const;
    for (const name of [first, second, third]) await person(name);
    const enter = async (name: string) => {
      world.later(1);
      // In the place of somebody else, the provider asks the browser to post once more.
      expect(await tried(counter, name, password)).toBeLessThan(400);
    };
    await enter(first);
    await enter(second);
    // Eighteen more were known after them; when that was stands in the cookie.
    for (let n = 0; n < 18; n++)
      counter.bring({ name: `HATCHWAY_KNOWN_${String(n).padStart(16, '0')}`, value: `x.x.${world.now().getTime() + n}` });
    // The first one of all is there again, so others are forgotten before.
    await enter(first);
    expect(counter.cookies('HATCHWAY_KNOWN_')).toBe(20);
    await enter(third);
    expect(counter.cookies('HATCHWAY_KNOWN_')).toBe(20);
    await guessed(at('198.51.100.7'), first, 5);
    await guessed(at('198.51.100.7'), second, 5);
    expect(await tried(counter, second, password)).toBe(429);
    await enter(first);
  });

  it('counts as one in a whole network of IPv6', async () => {
    await person('six@acme.test');
    const statuses: number[] = [];
    for (let n = 1; n <= 6; n++) statuses.push(...(await guessed(at(`2001:db8:0:1::${n}`), 'six@acme.test', 1)));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await tried(at('2001:db8:0:2::1'), 'six@acme.test', password)).toBe(IN);
  });

  it('asks three times an hour for a link to a new password, six times from wherever, and takes none from who is known', async () => {
    await person('asked@acme.test');
    const desk = at('203.0.113.1');
    await tried(desk, 'asked@acme.test', password);
    const asks = async (visitor: Visitor, login: string) => {
      await visitor.go('/realms/pml/forgotten');
      return (await visitor.submit({ login })).status;
    };
    for (const network of ['198.51.100.1', '198.51.100.2'])
      for (const status of [200, 200, 200, 429]) expect(await asks(at(network), 'asked@acme.test')).toBe(status);
    expect(await asks(at('198.51.100.3'), 'asked@acme.test')).toBe(429);
    // As one that is nobody's.
    for (const status of [200, 200, 200, 429]) expect(await asks(at('198.51.100.1'), 'nobody-either@acme.test')).toBe(status);
    for (const status of [200, 200, 200, 429]) expect(await asks(desk, 'asked@acme.test')).toBe(status);
  });
});
