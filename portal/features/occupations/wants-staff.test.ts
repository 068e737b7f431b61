import { expect, it } from 'vitest';
import { goesOnAtDoor, wantsStaff } from './wants-staff.ts';

const at = (stage: number, more: Partial<Parameters<typeof wantsStaff>[0]> = {}): boolean =>
  wantsStaff({ type: 'delivery', stage, dueAt: null, contactError: [], takingOut: null, awaitsWord: false, ...more });

it('what was left half done waits for staff; what waits for its receiver does not', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].filter((stage) => at(stage))).toEqual([0, 1, 2, 7]);
  expect(at(5, { contactError: ['refused'] })).toBe(true);
  expect(at(5, { takingOut: 'end' })).toBe(true);
  expect(at(6, { awaitsWord: true })).toBe(true);
});

it('a loan is out with somebody, and who is asked to bring something has to come first', () => {
  expect(at(7, { type: 'lending', dueAt: '2026-01-01T00:00:00Z' })).toBe(false);
  expect([0, 1, 3].map((stage) => at(stage, { type: 'recall' }))).toEqual([false, false, true]);
});

it('what was left half put in, or told to nobody, goes on at its door', () => {
  const goesOn = (type: Parameters<typeof goesOnAtDoor>[0]['type'], takingOut: 'end' | null = null) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((stage) => goesOnAtDoor({ type, stage, takingOut }));
  for (const type of ['delivery', 'consumable', 'sale', 'storage'] as const) expect(goesOn(type)).toEqual([0, 1, 2]);
  expect(goesOn('lending')).toEqual([0, 1]);
  expect([...goesOn('recall'), ...goesOn('drop-off'), ...goesOn('delivery', 'end')]).toEqual([]);
});
