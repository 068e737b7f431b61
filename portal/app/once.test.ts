import { createClient } from '@hatchway/contract/client.ts';
import { describe, expect, test } from 'vitest';
import { once } from './once.ts';

describe('what got no answer is the same request when it is asked once more', () => {
  const sent: (string | null)[] = [];
  let answers: (() => Promise<Response>)[] = [];
  let now = 0;
  const api = once(
    createClient({
      base: 'https://lockers.example/v1',
      fetch: (_url, init) => {
        sent.push(new Headers(init?.headers).get('idempotency-key'));
        return answers.shift()?.() ?? Promise.resolve(Response.json({}));
      },
    }),
    () => now,
  );
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));
  const refused = (status: number) => () => Promise.resolve(new Response('{}', { status }));
  /** The keys under which it went out, one after the other. */
  const keysOf = async (how: typeof answers, ...asked: (() => Promise<unknown>)[]) => {
    sent.length = 0;
    answers = how;
    for (const ask of asked) await ask().catch(() => undefined);
    return [...sent];
  };
  const crew = () => api('POST /groups', { body: { name: 'Crew' } });

  test('a lost answer, and one that says that the server is at a loss', async () => {
    const busy = () => Promise.resolve(Response.json({ code: 'still-running' }, { status: 409 }));
    for (const none of [lost, refused(503), refused(429), refused(401), busy]) {
      const [first, second, third] = await keysOf([none], crew, crew, crew);
      expect(first).toMatch(/^[0-9a-f-]{36}$/);
      expect(second).toBe(first);
      expect(third).not.toBe(first);
    }
  });

  test('what was refused is another wish, and so is another text, another file, and one of long after', async () => {
    const [refusedOnce, anew] = await keysOf([refused(422)], crew, crew);
    expect(anew).not.toBe(refusedOnce);
    const others = await keysOf([lost, lost], crew, () => api('POST /groups', { body: { name: 'Crew 2' } }));
    expect(new Set(others).size).toBe(2);
    const rows = (text: string) => () => api('POST /assets/import', { body: { dryRun: false }, file: new File([text], 'a.csv', { lastModified: 1 }) }); // prettier-ignore
    const [file, other, same] = await keysOf([lost], rows('name\nA'), rows('name\nAB'), rows('name\nA'));
    expect([other === file, same === file]).toEqual([false, true]);
    const [early, late] = await keysOf([lost], crew, () => {
      now += 10 * 60_000;
      return crew();
    });
    expect(late).not.toBe(early);
  });

  test('a door that is to open once more opens once more, and a key of one’s own is kept', async () => {
    const params = { id: '4a4f4c7e-54ff-4b1c-9f69-2a8b0f3c1c10' };
    expect(await keysOf([lost], () => api('POST /lockers/{id}/open', { params, body: { doorTag: 'A-1' } }))).toEqual([null]);
    expect(await keysOf([], () => api('POST /groups', { body: { name: 'Crew' }, idempotencyKey: 'mine' }))).toEqual(['mine']);
  });
});
