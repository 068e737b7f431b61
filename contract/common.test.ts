import { isEmail } from '@hatchway/domain/receiver.ts';
import { describe, expect, it } from 'vitest';
import { email, id } from './common.ts';

it('an id in capitals is the same id', () => {
  const written = '019A2B3C-4D5E-7F60-8A1B-2C3D4E5F6071';
  expect(id.parse(written)).toBe(written.toLowerCase());
  expect(id.safeParse(`${written}0`).success).toBe(false);
});

describe('an e-mail address', () => {
  it.each([
    ['kari@example.test', true],
    ['Kari.O’Hara+post@Mail.example.test', true],
    ['kåre@example.test', true],
    ['kari@example', false],
    ['kari@@example.test', false],
    ['kari berg@example.test', false],
    ['<kari@example.test>', false],
    ['kari@-example.test', false],
    ['kari\u0000@example.test', false],
    [`kari@${'a'.repeat(250)}.test`, false],
  ])('%o is one on the wire and on the screens alike: %o', (text, is) => {
    expect([email.safeParse(text).success, isEmail(text)]).toEqual([is, is]);
  });
});
