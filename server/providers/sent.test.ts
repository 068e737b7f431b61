import { expect, it } from 'vitest';
import { plainError } from './sent.ts';

it('what a provider said is shown without the address that it was about, in whatever letters it repeats it', () => {
  expect(plainError('550 <Kari.B+x@Example.TEST>\r\nno mailbox', 'kari.b+x@example.test')).toBe('550 <…> no mailbox');
  expect(plainError('no route to +4791234567', '+4791234567')).toBe('no route to …');
  expect(plainError('kariXb@example.test', 'kari.b@example.test')).toBe('kariXb@example.test');
  expect(plainError('cut off', '')).toBe('cut off');
});
