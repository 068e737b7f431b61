import { expect, test } from 'vitest';
import { samplePickup } from '../app/sample.ts';
import { en } from '../words/en.ts';
import { nb } from '../words/nb.ts';
import { atDoor } from './at-door.ts';

test('of a stock they are told how many pieces are theirs, and never to take everything', () => {
  const two = samplePickup({ type: 'consumable', quantity: 2 });
  expect(atDoor(two, en)).toMatchObject({
    openText: 'Take 2 pieces, then close the door.',
    ask: 'Did you take 2 pieces?',
    done: 'Yes, I have 2',
  });
  expect(atDoor(two, nb).ask).toBe('Tok du 2 stykker?');
  expect(atDoor({ ...two, quantity: 1 }, en).openText).toBe('Take one piece, then close the door.');
  expect(atDoor(samplePickup(), en)).toMatchObject(en.purpose.take);
});

test('after the end nothing is put in any more, and only what is theirs is taken', () => {
  const ended = { how: 'taken', at: '2026-11-20T12:00:00Z' } as const;
  for (const purpose of ['own', 'take'] as const) expect(atDoor(samplePickup({ purpose, ended }), en).openText).toBe(en.takeYours);
  expect(atDoor(samplePickup({ purpose: 'own' }), en)).toMatchObject(en.purpose.own);
});
