import { expect, test } from 'vitest';
import { howWrong } from './clock.ts';

test.each([
  [2, '2 minutes', '2 minutter'],
  [10, '10 minutes', '10 minutter'],
  [-10, '10 minutes', '10 minutter'],
  [50, '50 minutes', '50 minutter'],
  [90, '90 minutes', '90 minutter'],
  [119, '119 minutes', '119 minutter'],
  [120, '2 hours', '2 timer'],
  [-185, '3 hours', '3 timer'],
  [1440, '24 hours', '24 timer'],
  [2880, '2 days', '2 døgn'],
  [29_540_160, '20,514 days', '20\u00a0514 døgn'],
])('%i minutes are told as a person says them', (minutes, en, nb) => {
  expect([howWrong(minutes, 'en'), howWrong(minutes, 'nb')]).toEqual([en, nb]);
});
