import type { Pickup } from '@hatchway/contract/pickup.ts';
import { describe, expect, test } from 'vitest';
import { codeHelps, doorPlace, failedOpening, pauseFor, phaseOf, reportsOf, wantsPush } from './phase.ts';
import { samplePickup } from './sample.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds)).toISOString();
const opened = (door: Pickup['door']['state'], since: string | null, more: Partial<Pickup> = {}): Pickup => {
  const base = samplePickup();
  return {
    ...base,
    stage: 6,
    stageName: 'CLAIMING',
    may: ['open', 'done', 'put-back', 'report'],
    lastOpen: { at: at(10), outcome: 'opened' },
    door: { ...base.door, state: door, since },
    ...more,
  };
};

test('another code is offered where one may open something: not to who is held or has come to the end', () => {
  const phases = [
    samplePickup(),
    samplePickup({ may: ['report'], hold: 'in-doubt' }),
    samplePickup({ may: ['report'], hold: 'not-ready' }),
    samplePickup({ may: ['report'], hold: 'ended', ended: { how: 'taken', at: at(0) } }),
  ].map(phaseOf);
  expect(phases.map(codeHelps)).toEqual([true, false, false, false]);
});

describe('phaseOf', () => {
  test('ready while it may be opened, held while it may not', () => {
    expect(phaseOf(samplePickup())).toBe('ready');
    expect(phaseOf(samplePickup({ may: ['report'], hold: 'cabinet-offline' }))).toBe('held');
  });
  test('open from the controller’s word until the sensor says closed', () => {
    expect(phaseOf(opened('closed', at(0)))).toBe('open');
    expect(phaseOf(opened('opened', at(11)))).toBe('open');
    expect(phaseOf(opened('closed', at(30)))).toBe('asking');
  });
  test('asks where the door cannot be seen', () => expect(phaseOf(opened('unknown', null))).toBe('asking'));
  test('an old opening does not make a delivery that went back look open', () =>
    expect(phaseOf(opened('closed', at(30), { stage: 5, stageName: 'CONTACTED' }))).toBe('ready'));
  test('who stands at an open door whose cabinet goes away still stands there', () => {
    const away = (more: Partial<Pickup>): Pickup => {
      const pickup = opened('unknown', at(11), { hold: 'cabinet-offline', ...more });
      return { ...pickup, cabinet: { ...pickup.cabinet, connection: 'offline' } };
    };
    const filling = { purpose: 'put-in', stage: 1, stageName: 'INITIATED' } as const;
    expect(phaseOf(away({ may: ['done', 'put-back', 'report'] }))).toBe('open');
    expect(phaseOf(away({ ...filling, may: ['report'] }))).toBe('open');
    expect(phaseOf(away({ purpose: 'bring-back', stage: 7, stageName: 'VACANT', returning: true, may: ['report'] }))).toBe('open');
    // heard to be shut before it went
    expect(phaseOf(away({ may: ['done', 'report'], finishesAt: at(60) }))).toBe('asking');
    expect(phaseOf(away({ ...filling, may: ['done', 'report'] }))).toBe('asking');
    // and who never had it open finds it held
    expect(phaseOf(away({ stage: 5, stageName: 'CONTACTED', may: ['report'] }))).toBe('held');
  });
  test('storage is ready again once closed', () =>
    expect(phaseOf(opened('closed', at(30), { purpose: 'own', stage: 3, stageName: 'ACQUIRABLE' }))).toBe('ready'));
  test('waits while an opening is under way, but not for ever', () => {
    const pending = { lastOpen: { at: at(10), outcome: 'pending' } } as const;
    expect(phaseOf(samplePickup({ ...pending, now: at(12) }))).toBe('waiting');
    expect(phaseOf(samplePickup({ ...pending, now: at(40), may: ['report'] }))).toBe('waiting');
    expect(phaseOf(samplePickup({ ...pending, now: at(40) }))).toBe('ready');
  });
  test('an opening that failed leaves it ready', () =>
    expect(phaseOf(opened('closed', at(0), { lastOpen: { at: at(10), outcome: 'no-answer' } }))).toBe('ready'));
  test('a borrowed thing is asked for only once its return is under way', () => {
    const borrowed = { purpose: 'bring-back', stage: 7, stageName: 'VACANT' } as const;
    expect(phaseOf(opened('closed', at(30), { ...borrowed, may: ['open', 'report'] }))).toBe('ready');
    expect(phaseOf(opened('closed', at(30), { ...borrowed, returning: true }))).toBe('asking');
  });
  test('a door that stands open for what is brought back is open, before anything can be said of it', () => {
    const borrowed: Partial<Pickup> = { purpose: 'bring-back', stage: 7, stageName: 'VACANT', may: ['open', 'report'] };
    expect(phaseOf(opened('opened', at(11), { ...borrowed, returning: true }))).toBe('open');
    expect(phaseOf(opened('opened', at(11), borrowed))).toBe('ready');
  });
  test('ended wins over everything', () =>
    expect(phaseOf(opened('opened', at(11), { ended: { how: 'taken', at: at(40) } }))).toBe('ended'));
});

test('who shut a door whose lock did not catch is asked to push it', () => {
  const shut = opened('closed', at(30));
  const loose: Pickup = { ...shut, door: { ...shut.door, lock: 'unlocked' } };
  const asked = (pickup: Pickup) => wantsPush(pickup, phaseOf(pickup));
  expect(asked(loose)).toBe(true);
  expect(asked({ ...loose, ended: { how: 'put-in', at: at(40) } })).toBe(true);
  expect(asked({ ...loose, purpose: 'own', stage: 3, stageName: 'ACQUIRABLE' })).toBe(true);
  // A lock that is let go so that the door springs open, and one that nobody feels.
  expect(asked({ ...loose, door: { ...loose.door, since: at(0) } })).toBe(false);
  expect(asked({ ...loose, door: { ...loose.door, state: 'opened' } })).toBe(false);
  expect(asked({ ...loose, door: { ...loose.door, lock: 'unknown' } })).toBe(false);
  expect(asked(shut)).toBe(false);
});

test('a failed opening is said for two minutes', () => {
  const pickup = samplePickup({ lastOpen: { at: at(0), outcome: 'jammed' } });
  expect(failedOpening(pickup, Date.parse(at(30)))).toBe('jammed');
  expect(failedOpening(pickup, Date.parse(at(121)))).toBeNull();
  expect(failedOpening(samplePickup({ lastOpen: { at: at(0), outcome: 'pending' } }), Date.parse(at(1)))).toBeNull();
});

test('what may be reported fits what the person came for', () => {
  expect(reportsOf(opened('opened', at(11)))).toEqual(['wrong-door', 'nothing-inside', 'door-stays-open']);
  const ended = (how: 'taken' | 'cancelled') => reportsOf(samplePickup({ ended: { how, at: at(11) }, may: ['report'] }));
  expect([ended('taken'), ended('cancelled')]).toEqual([
    ['left-behind', 'nothing-inside', 'door-stays-open'],
    ['nothing-inside', 'door-stays-open'],
  ]);
  expect(reportsOf(opened('opened', at(11), { purpose: 'put-in', stage: 1, stageName: 'INITIATED' }))).toEqual([
    'wrong-door',
    'not-empty',
    'door-stays-open',
  ]);
  expect(reportsOf(samplePickup({ may: ['open'] }))).toEqual([]);
  // Asked to open, and by its own sensor it stayed shut: another one may have opened.
  expect(reportsOf(samplePickup({ lastOpen: { at: at(0), outcome: 'jammed' } }))).toEqual(['wrong-door', 'not-now', 'jammed']);
  expect(reportsOf(samplePickup())).toEqual(['not-now', 'jammed']);
});

test('looks often while a door moves, seldom otherwise, and backs off on a dead line', () => {
  const calm = { doorOpen: false, failures: 0, busy: false };
  expect(pauseFor({ ...calm, phase: 'ready' })).toBe(5000);
  expect(pauseFor({ ...calm, phase: 'asking' })).toBe(1000);
  expect(pauseFor({ ...calm, phase: 'ready', busy: true })).toBe(1000);
  // opened once more after the end
  expect(pauseFor({ ...calm, phase: 'ended' })).toBe(10_000);
  expect(pauseFor({ ...calm, phase: 'ended', doorOpen: true })).toBe(1000);
  const dead = (failures: number) => pauseFor({ phase: 'open', doorOpen: true, failures, busy: true });
  expect([1, 2, 3, 4, 9].map(dead)).toEqual([2000, 4000, 8000, 15_000, 15_000]);
});

test('says where the door is', () => {
  expect(doorPlace(samplePickup().cabinet.columns)).toEqual({ column: 2, columns: 3, row: 2, rows: 3 });
  expect(doorPlace([])).toBeNull();
});
