import { describe, expect, it } from 'vitest';
import { pickupCodeOf, readScan, sameTag } from '../codes.ts';
import { normalEmail } from '../receiver.ts';
import { normalText, oneLine, plainText, unlinked } from '../text.ts';

describe('text as it is taken in', () => {
  it.each([
    ['Bla\u030akors', 'Blåkors'],
    ['Blå\u00adkors', 'Blåkors'],
    ['\u202aBlåkors\u202c', 'Blåkors'],
    ['Blå\u200bkors', 'Blåkors'],
    ['Bla\u200b\u030akors', 'Blåkors'],
    ['Blå\u2060kors\ufeff', 'Blåkors'],
    ['Blå\u200dkors\u200c', 'Blåkors'],
    ['\u2066Blåkors\u2069\u200e', 'Blåkors'],
    ['\u3164', ''],
    ['A\ufe0f\u034f\u{e0041}', 'A'],
    ['two\nlines – “so”', 'two\nlines – “so”'],
    ['👩‍👧 ❤️ 1️⃣ 👨🏽‍🚒', '👩‍👧 ❤️ 1️⃣ 👨🏽‍🚒'],
    ['🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['葛\u{e0100}城', '葛\u{e0100}城'],
  ])('%j is %j', (sent, kept) => expect(normalText(sent)).toBe(kept));
});

describe('what is typed sign by sign', () => {
  it.each([
    ['９１２３４５６７', '91234567'],
    ['٩١٢٣٤٥٦٧', '91234567'],
    ['९१२', '912'],
    ['𝟗𝟏𝟐', '912'],
    ['INV\u201138260', 'INV-38260'],
    ['INV–38260', 'INV-38260'],
    ['INV−38260', 'INV-38260'],
    ['ＩＮＶ－３８２６０', 'INV-38260'],
    ['\u202a+47\u00a0912\u202f34\u2009567\u202c', '+47 912 34 567'],
    [' A\u00ad-04\r\n', 'A-04'],
    ['Å\u200b1', 'Å1'],
  ])('%j is %j', (typed, plain) => expect(plainText(typed)).toBe(plain));

  it.each(['415592', '４１５５９２', '415\u2011592', '415\u200b592', '\u202a415 592\u202c', '٤١٥٥٩٢'])('%j is the code 415592', (typed) => {
    expect(pickupCodeOf(typed)).toBe('415592');
    expect(readScan(typed)).toEqual({ kind: 'code', value: '415592' });
  });
  it.each(['A-04', 'a\u201104', 'Ａ－０４', 'A\u00ad-04', 'A–04 '])('%j is the door A-04', (typed) => {
    expect(sameTag(typed)).toBe('A-04');
    expect(readScan(typed)).toEqual({ kind: 'tag', value: 'A-04' });
  });
  it.each([
    'kari\u00ad@x.no',
    'Kari@x\u200b.no',
    'ｋａｒｉ＠ｘ．ｎｏ',
    '\u202akari@x.no\u202c',
    '\ufeffkari@x.no',
    'kari@x。no',
    'kari@x｡no',
    'ⓚari@x․no',
  ])('%j is kari@x.no', (typed) => expect(normalEmail(typed)).toBe('kari@x.no'));
});

it.each(['Kari\nBerg', 'Kari\r\n Berg ', 'Kari\u2028Berg', 'Kari\u0085Berg', ' Kari\t\u00a0Berg'])('%j stands on one line', (name) =>
  expect(oneLine(name)).toBe('Kari Berg'),
);

describe('a name among our words', () => {
  const LINK = /https?:\/\/|www\.\w|(?:[\p{L}\p{M}\p{N}\p{S}_])[.\u3002\uff0e\uff61\ufe52\u2024][\p{L}\p{M}]{2}|ftp:\/\/|\d+(\.\d+){3}/u;
  it.each([
    'http://evil.example/x',
    'Kari www.evil.example',
    'evil.example',
    'EVIL.EXAMPLE/a?b',
    'a.b.evil.xn--p1ai',
    'https://1.2.3.4/',
    'x@evil.example',
    'бот.рф',
    '1.2.3.4/x',
    'Kari 192.168.10.200:80',
    'evil\u3002example',
    'evil\uff0eexample/x',
    'evil\uff61example',
    'evil\ufe52example',
    'evil\u2024example',
    'हिन्दी.कॉम',
    'i❤️.ws',
    '👍🏽.to/x',
    'שלו\u05b9.קום',
    'kari_.example',
    'a_b.c_d.example',
    'สวัสดี.ไทย',
    'ftp://evil',
    'evil.example:8080',
    'Kari,evil.example',
  ])('%j makes no link', (name) => {
    expect(LINK.test(name)).toBe(true);
    for (const gap of ['\u2060', ' ']) expect(LINK.test(unlinked(name, gap))).toBe(false);
  });
  it.each([
    'Kari Berg jr.',
    'A. B. Hansen',
    'Cabinet 1.2',
    '24.12.2026',
    '10.30–12',
    'Dr. Ås: post',
    'A-04',
    '.NET (.net)',
    '5 % .no',
    'kl. 10.30',
    'Kari...',
    'Nr.7',
    'हिन्दी. कॉम',
    ':// 3',
    '1.2.3',
    '👍. Ja',
  ])('%j stays as it is', (name) => expect(unlinked(name, ' ')).toBe(name));
});
