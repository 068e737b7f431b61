import { expect, it } from 'vitest';
import { hearClock, serverNow } from './clock.ts';

const answer = (date?: string): Response => new Response(null, { headers: date === undefined ? {} : { date } });
const off = (): number => Math.round((serverNow() - Date.now()) / 1000);

it('goes by the server’s clock where the browser’s is wrong, and by its own where that is right or nothing was told', () => {
  expect(off()).toBe(0);
  const now = Date.parse('2026-11-26T08:00:00Z');
  hearClock(answer('Thu, 26 Nov 2026 07:40:00 GMT'), now);
  expect(off()).toBe(-20 * 60);
  hearClock(answer(), now);
  hearClock(answer('soon'), now);
  expect(off()).toBe(-20 * 60);
  hearClock(answer('Thu, 26 Nov 2026 07:59:58 GMT'), now);
  expect(off()).toBe(0);
});
