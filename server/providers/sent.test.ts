import { expect, it } from 'vitest';
import { plainError, plainRef } from './sent.ts';

it('what a provider said is shown without the address that it was about, in whatever letters it repeats it', () => {
  expect(plainError('550 <Kari.B+x@Example.TEST>\r\nno mailbox', 'kari.b+x@example.test')).toBe('550 <…> no mailbox');
  expect(plainError('no route to +4791234567', '+4791234567')).toBe('no route to …');
  expect(plainError('kariXb@example.test', 'kari.b@example.test')).toBe('kariXb@example.test');
  expect(plainError('cut off', '')).toBe('cut off');
});

const TOKEN = 'AZ3vPk1tcLq-0Uxj2Wn_7gAAo9bC4dEfGh-JkLmNpQr';
const RESET = 'k3J-x_9QwErTyUiOpAsDfGhJkLzXcVbN';
const CALL = `Acme: it waits for you. https://lockers.example/p/${TOKEN} Code 041592, cabinet 77.`;
const BODY = JSON.stringify({ error: `bad text: ${CALL}`, to: '+4791234567' });
it.each([
  ['as it went out', `Invalid message text: ${CALL}`],
  ['with no blank before the code', `Invalid message text: ${CALL.replaceAll(' ', '+')}`],
  ['in JSON', BODY],
  ['in JSON with escaped slashes', BODY.replaceAll('/', String.raw`\/`)],
  ['encoded', `text=${encodeURIComponent(CALL)}`],
  ['encoded twice', `text=${encodeURIComponent(encodeURIComponent(CALL))}`],
  ['its link without a beginning', `listed: lockers.example/p/${TOKEN}, 041592`],
  ['its token alone', `listed: (${TOKEN}) 041592`],
  ['half of its link', `text: lockers.example/p/${TOKEN.slice(0, 22)}`],
  ['where a long answer is cut', `${'refused '.repeat(22)}041592 ${CALL}`],
  ['an invitation', `550 https://lockers.example/realms/pml/invitations/${TOKEN} is listed`],
  ['a new password', `550 lockers.example/realms/pml/password/${RESET} is listed`],
  ['a new password, all but the last sign of it', `550 ${RESET.slice(0, -1)}`],
])('neither link nor code of what was refused is shown: %s', (_way, said) => {
  const shown = plainError(said, '+4791234567');
  expect(shown).not.toMatch(/AZ3vPk1|k3J-x_|0415|592|91234567/);
  expect(shown).not.toBe('');
});

it('the reason stays beside what is taken out, and a name that a mail server gave stays whole', () => {
  expect(plainError('554 5.7.1 rejected: URL http://h.example/p/AbC listed', 'a@b.example')).toBe('554 5.7.1 rejected: URL … listed');
  expect(plainError('{"code":21211,"message":"INVALID_TO_NUMBER"}', '')).toBe('{"code":21211,"message":"INVALID_TO_NUMBER"}');
  expect(plainError('unknown: a%40b.example', 'a@b.example')).toBe('unknown: …');
  expect(plainRef('250 Ok 0102018f2c6e4b1a-3d2f6c1e-5b0a-4c7d a@b.example', 'a@b.example')).toBe(
    '250 Ok 0102018f2c6e4b1a-3d2f6c1e-5b0a-4c7d …',
  );
});

it('a gateway’s own name for what is wrong is left, and nothing that is as long and no words', () => {
  expect(plainError('422 {"reason":"INVALID_DESTINATION_ADDRESS"}', '')).toBe('422 {"reason":"INVALID_DESTINATION_ADDRESS"}');
  expect(plainError('ERR_REJECTED_BY_THE_NETWORK, try', '')).toBe('ERR_REJECTED_BY_THE_NETWORK, try');
  for (const token of [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF',
    'ABCDEFGHIJKLMNOP_QRSTUVWXYZ-ABCDE',
    'ABCDEFGHIJKLM_NOPQRSTUVWXYZab',
    'x_INVALID_DESTINATION_ADDRESS',
  ])
    expect(plainError(`no ${token}.`, '')).toBe('no ….');
});
