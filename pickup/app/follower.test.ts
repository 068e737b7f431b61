import { createClient } from '@hatchway/contract/client.ts';
import type { Pickup } from '@hatchway/contract/pickup.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFollower, type Follower } from './follower.ts';
import { samplePickup } from './sample.ts';

type Sent = { path: string; body: Record<string, unknown>; idempotencyKey: string | null };
type Answer = Response | Error | Promise<Response>;

let sent: Sent[];
let answers: Record<string, Answer[]>;
let follower: Follower;

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  json({ type: '', title: '', status, detail: '', code }, status, headers);
const nothing = () => new Response(null, { status: 204 });

/** Stands in for the line: answers in turn per path, nothing new (204) when none is left. */
const line: typeof fetch = async (input, init) => {
  const path = (input as string).replace('/v1', '');
  const headers = new Headers(init?.headers);
  sent.push({ path, body: JSON.parse(init?.body as string) as Sent['body'], idempotencyKey: headers.get('idempotency-key') });
  const answer = answers[path]?.shift() ?? nothing();
  if (answer instanceof Error) throw answer;
  return answer;
};
const start = async (first: Pickup = samplePickup()) => {
  answers['/pickup/look'] = [json(first), ...(answers['/pickup/look'] ?? [])];
  follower = createFollower(createClient({ base: '/v1', fetch: line }), { token: 'a-token-of-the-link' });
  follower.look();
  await vi.advanceTimersByTimeAsync(0);
};
const calls = (path: string) => sent.filter((call) => call.path === path);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') });
  sent = [];
  answers = {};
});
afterEach(() => {
  follower.stop();
  vi.useRealTimers();
});

test('looks with what it has seen, so that nothing comes back while nothing changed', async () => {
  await start();
  await vi.advanceTimersByTimeAsync(5000);
  expect(calls('/pickup/look').map((call) => call.body['rev'])).toEqual([undefined, '1']);
  expect(follower.get().pickup?.rev).toBe('1');
});

test('an opening names the door that was shown and shows what came of it', async () => {
  await start();
  answers['/pickup/open'] = [
    json({ outcome: 'jammed', pickup: samplePickup({ rev: '2', lastOpen: { at: '2026-11-20T12:00:00Z', outcome: 'jammed' } }) }),
  ];
  await follower.act({ kind: 'open' });
  expect(calls('/pickup/open')[0]?.body).toEqual({ key: { token: 'a-token-of-the-link' }, doorTag: 'A-07' });
  expect(follower.get()).toMatchObject({ busy: null, pickup: { rev: '2' }, trouble: null });
});

test('a press whose answer got lost is sent again once, as the same press', async () => {
  await start();
  answers['/pickup/open'] = [new TypeError('Failed to fetch'), json({ outcome: 'opened', pickup: samplePickup({ rev: '2' }) })];
  await follower.act({ kind: 'open' });
  const keys = calls('/pickup/open').map((call) => call.idempotencyKey);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(follower.get()).toMatchObject({ pickup: { rev: '2' }, unsure: false });
});

test('a door is not opened behind the back of somebody who has left: a late failure is not repeated', async () => {
  await start();
  answers['/pickup/open'] = [
    new Promise((_, reject) => {
      setTimeout(() => reject(new TypeError('Failed to fetch')), 9000);
    }),
  ];
  const pressing = follower.act({ kind: 'open' });
  await vi.advanceTimersByTimeAsync(9000);
  await pressing;
  expect(calls('/pickup/open')).toHaveLength(1);
  expect(follower.get()).toMatchObject({ unsure: true, trouble: { kind: 'line' } });
});

test('two presses have two keys, and a press while another is under way is none', async () => {
  await start();
  await Promise.all([follower.act({ kind: 'done' }), follower.act({ kind: 'done' })]);
  expect(calls('/pickup/done')).toHaveLength(1);
});

test('a look that began before the press cannot undo what the press brought', async () => {
  await start();
  let slow: (answer: Response) => void = () => {};
  answers['/pickup/look'] = [new Promise((resolve) => (slow = resolve))];
  await vi.advanceTimersByTimeAsync(5000);
  answers['/pickup/done'] = [json(samplePickup({ rev: '3', ended: { how: 'taken', at: '2026-11-20T12:00:00Z' } }))];
  await follower.act({ kind: 'done' });
  slow(json(samplePickup({ rev: '2' })));
  await vi.advanceTimersByTimeAsync(0);
  expect(follower.get().pickup?.rev).toBe('3');
});

test('a dead line is said, keeps what is known, and is over by itself', async () => {
  await start();
  answers['/pickup/look'] = [new TypeError('Failed to fetch'), new TypeError('Failed to fetch'), json(samplePickup({ rev: '2' }))];
  await vi.advanceTimersByTimeAsync(5000);
  expect(follower.get()).toMatchObject({ lost: { kind: 'line' }, pickup: { rev: '1' } });
  await vi.advanceTimersByTimeAsync(2000 + 4000);
  expect(follower.get()).toMatchObject({ lost: null, pickup: { rev: '2' } });
});

test('a dead link ends the looking', async () => {
  await start();
  answers['/pickup/look'] = [problem(404, 'unknown-link')];
  await vi.advanceTimersByTimeAsync(5000);
  expect(follower.get().gone).toBe('gone');
  const before = sent.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(before);
});

test('a link whose use has ended is said to have ended, and ends the looking', async () => {
  await start();
  answers['/pickup/look'] = [problem(410, 'gone')];
  await vi.advanceTimersByTimeAsync(65_000);
  expect(follower.get().gone).toBe('ended');
  expect(calls('/pickup/look')).toHaveLength(2);
});

test('what ended well stays said when its link is over', async () => {
  await start(samplePickup({ ended: { how: 'put-back', at: '2026-11-20T12:00:00Z' }, may: ['open'] }));
  answers['/pickup/look'] = [problem(404, 'unknown-link')];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(follower.get()).toMatchObject({ gone: null, pickup: { ended: { how: 'put-back' }, may: [] } });
  expect(calls('/pickup/look')).toHaveLength(2);
});

test('waits as long as the server asks', async () => {
  await start();
  answers['/pickup/look'] = [problem(429, 'too-many-requests', { 'retry-after': '30' })];
  await vi.advanceTimersByTimeAsync(5000);
  const before = sent.length;
  await vi.advanceTimersByTimeAsync(29_000);
  expect(sent).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(before + 1);
});

test('looks at nothing while nobody sees the page', async () => {
  await start();
  follower.sleep(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  follower.sleep(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(2);
});
