import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { asksFirst, behindWords, gravestFirst } from './behind.tsx';

type Facts = Parameters<typeof behindWords>[0];
const t = ((key: string) => key) as TFunction;
const free: Facts = {
  door: 'closed',
  inDoubt: false,
  outOfService: null,
  occupation: null,
  connection: 'online',
  content: 'empty',
  lastCommand: null,
};
const use = { id: 'o', stage: 5, type: 'delivery', overdue: false } as NonNullable<Facts['occupation']>;
const used: Facts = { ...free, occupation: use, content: 'occupied' };
const doubted: Facts = { ...free, inDoubt: true, content: 'unknown' };
const out: Facts = { ...free, outOfService: { reason: 'Hinge', since: '2026-01-01T00:00:00Z', by: null } as never };
const away: Facts = { ...free, door: 'unknown', connection: 'offline' };

it('says what lies behind a door, as far as anybody knows', () => {
  expect([free, used, doubted, out].map((locker) => behindWords(locker, t))).toEqual([
    'lockers.stands.free',
    'lockers.stands.inUse (terms.type.delivery) · terms.content.occupied',
    'lockers.stands.inDoubt · terms.content.unknown',
    'lockers.stands.outOfService · terms.content.empty',
  ]);
  const failing = { ...free, lastCommand: { op: 'open', outcome: 'no-answer', code: null } as never };
  expect(behindWords(failing, t)).toBe('terms.lockerState.failing');
  // lent out, it is in use and empty; of a cabinet that cannot be heard it is what was last known
  expect(behindWords({ ...used, content: 'empty' }, t)).toContain('terms.content.empty');
  expect(behindWords(away, t)).toBe('lockers.stands.unready · lockers.facts.lastKnown');
});

it('asks before one door is opened behind which somebody’s thing may lie, and of no other', () => {
  const lent = { ...used, content: 'empty' as const };
  expect([used, lent, doubted, free, away].map(asksFirst)).toEqual([true, true, true, false, false]);
});

it('names first what somebody’s thing may lie behind', () => {
  expect(gravestFirst([free, away, out, doubted, used])).toEqual([used, doubted, out, away, free]);
});
