import { describe, expect, test } from 'vitest';
import { isCalledOff, plainOfHtml } from '../shop-order.ts';

describe('text that a shop tells', () => {
  test.each([
    ['Boots', 'Boots'],
    ['Boots &amp; laces', 'Boots & laces'],
    ['Boots &#8211; 41', 'Boots – 41'],
    ['5&#8243; screen', '5″ screen'],
    ['5&#x2033; screen', '5″ screen'],
    ['&lt;b&gt;', '<b>'],
    ['&amp;lt;', '&lt;'],
    ['&quot;A&quot; &apos;B&apos; &#039;C&#039;', "\"A\" 'B' 'C'"],
    ['Salt&nbsp;bag', 'Salt bag'],
    ['AT&T; R&D', 'AT&T; R&D'],
    ['&#0;&#xD800;&#9999999;', '&#0;&#xD800;&#9999999;'],
    ['&unknown;', '&unknown;'],
    ['', ''],
  ])('%j means %j', (told, meant) => expect(plainOfHtml(told)).toBe(meant));
});

test.each([
  ['pending', false],
  ['processing', false],
  ['on-hold', false],
  ['completed', false],
  ['ready-for-pickup', false],
  ['checkout-draft', false],
  ['cancelled', true],
  ['refunded', true],
  ['failed', true],
  ['trash', true],
  ['', false],
])('%s: called off: %s', (status, is) => expect(isCalledOff(status)).toBe(is));
