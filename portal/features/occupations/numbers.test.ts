import { STAGES } from '@hatchway/domain/terms.ts';
import { expect, it } from 'vitest';
import { added, addsToIt } from './numbers.ts';

it('what is put in and what lies there are no more than one locker takes; one that was emptied holds nothing, whatever it held', () => {
  const full = { stage: STAGES.ACQUIRABLE, quantity: 99_990 };
  expect([added('10', full), added('11', full), added('0', full), added('ten', full)]).toEqual([10, null, null, null]);
  const emptied = { ...full, stage: STAGES.VACANT };
  expect([added('100 000', emptied), added('100 001', emptied)]).toEqual([100_000, null]);
});

it('more is put to what lies there; of an empty one it is all that is said to lie there', () => {
  const stages = [STAGES.RESERVED, STAGES.INITIATED, STAGES.FILLED, STAGES.ACQUIRABLE, STAGES.VACANT];
  expect(stages.filter((stage) => addsToIt({ stage }))).toEqual([STAGES.FILLED, STAGES.ACQUIRABLE]);
});
