import { expect, test } from 'vitest';
import { scannedText } from '../scanned.ts';

test.each([
  ['a code as it is', 'INV-38260', 'INV-38260', null],
  ['blanks and a separator at its ends', ' 7033000000017\u001d', '7033000000017', null],
  ['an AIM prefix of GS1-128', ']C100370702055100260682', '00370702055100260682', 'prefix'],
  ['an AIM prefix of a square code', ']Q1https://lockers.example/p/aB_c-9', 'https://lockers.example/p/aB_c-9', 'prefix'],
  ['an AIM prefix through a dead key', '¨d2A-04', 'A-04', 'prefix'],
  ['a tag on a Norwegian keyboard', 'A+04', 'A-04', 'layout'],
  ['a longer one', 'NORD+2+117', 'NORD-2-117', 'layout'],
  ['a link on a Norwegian keyboard', 'httpsØ--lockers.example-p-aB?c+9', 'https://lockers.example/p/aB_c-9', 'layout'],
  ['on a Danish one', 'httpsÆ--lockers.example-p-aBc', 'https://lockers.example/p/aBc', 'layout'],
  ['on a Swedish one, with a port', 'httpÖ--lockers.exampleÖ8080-c-104', 'http://lockers.example:8080/c/104', 'layout'],
  ['a link with capitals swapped', 'HTTPS://LOCKERS.EXAMPLE/P/Ab_C-9', 'https://lockers.example/p/aB_c-9', 'capitals'],
  ['a Norwegian keyboard with capitals swapped', 'HTTPSø--LOCKERS.EXAMPLE-P-Ab', 'https://lockers.example/p/aB', 'layout'],
  ['a sum of a maker (HIBC) begins with its plus', '+A123BJC5D6E71', '+A123BJC5D6E71', null],
  ['words with a plus', 'Saw + blade', 'Saw + blade', null],
  ['a name with Nordic letters', 'Blåkors 7', 'Blåkors 7', null],
])('%s', (_, sent, text, mended) => {
  expect(scannedText(sent)).toEqual({ text, mended, unread: null });
  // What was read is read as it is.
  expect(scannedText(text).text).toBe(text);
});

test.each(['httpsM!!lockers.exqmple!p!qBc', 'https>&&lockers', 'HTTPS:--LOCKERS-P-ABC'])('%s is named and not guessed at', (sent) => {
  expect(scannedText(sent).unread).toBe('layout');
});
