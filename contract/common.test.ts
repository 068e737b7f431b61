import { isEmail } from '@hatchway/domain/receiver.ts';
import { describe, expect, it } from 'vitest';
import { email } from './common.ts';

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
