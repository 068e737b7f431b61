import { describe, expect, it } from 'vitest';
import { gsm, smsSize, withoutPictures } from '../sms.ts';
import { rendered, templateFault, type Values } from '../template.ts';

const nothing: Values = {
  company: 'Nordre',
  name: null,
  site: null,
  cabinet: null,
  door: null,
  link: null,
  code: null,
  until: null,
  hours: null,
  thing: null,
};

describe('a template', () => {
  it('may hold what its kind can tell, and nothing else', () => {
    expect(templateFault('ready', 'sms', '{company}: {door} {link}')).toBeNull();
    expect(templateFault('ready', 'sms', 'Hi {surname} {link}')).toEqual({ fault: 'unknown-placeholder', name: 'surname' });
    expect(templateFault('ready', 'sms', 'Hi {} {link}')).toEqual({ fault: 'unknown-placeholder', name: '' });
    expect(templateFault('ready', 'sms', '{constructor} {link}')).toEqual({ fault: 'unknown-placeholder', name: 'constructor' });
    expect(templateFault('invitation', 'mail', 'Code {code}')).toEqual({ fault: 'unknown-placeholder', name: 'code' });
    expect(templateFault('taken-out', 'mail', '{link}')).toEqual({ fault: 'unknown-placeholder', name: 'link' });
    expect(templateFault('recall', 'mail', 'Bring back {thing}')).toBeNull();
    expect(templateFault('ready', 'mail', 'It is {thing}')).toEqual({ fault: 'unknown-placeholder', name: 'thing' });
    expect(templateFault('ready', 'mail', 'No braces { here } at all')).toEqual({ fault: 'unknown-placeholder', name: ' here ' });
  });

  it('that goes out by SMS must tell the way in; a mail has it below the text', () => {
    expect(templateFault('ready', 'sms', 'Come by')).toEqual({ fault: 'missing-key', oneOf: ['link', 'code'] });
    expect(templateFault('recall', 'sms', 'Use {code}')).toBeNull();
    expect(templateFault('invitation', 'sms', 'Join {company}')).toEqual({ fault: 'missing-key', oneOf: ['link'] });
    expect(templateFault('ready', 'mail', 'Come by')).toBeNull();
    expect(templateFault('staff-refill', 'sms', 'Refill {door}')).toBeNull();
  });

  it('puts in what is known, leaves out lines that would tell nothing, and looks at no value twice', () => {
    expect(rendered('Hi {name}, from {company}.\nAt {site}.\nBye', nothing)).toBe('Hi , from Nordre.\nBye');
    expect(rendered('{name}', { ...nothing, name: '{company}' })).toBe('{company}');
    expect(rendered('{company} {door} now', nothing)).toBe('Nordre now');
    expect(rendered('{toString}', nothing)).toBe('');
  });
});

describe('an SMS', () => {
  it.each([
    ['', 'gsm', 0, 1],
    ['a'.repeat(160), 'gsm', 160, 1],
    ['a'.repeat(161), 'gsm', 161, 2],
    ['a'.repeat(306), 'gsm', 306, 2],
    ['a'.repeat(307), 'gsm', 307, 3],
    ['æøåÆØÅ', 'gsm', 6, 1],
    ['€[]', 'gsm', 6, 1],
    [`${'a'.repeat(159)}€`, 'gsm', 161, 2],
    ['’', 'unicode', 1, 1],
    ['ж'.repeat(70), 'unicode', 70, 1],
    ['ж'.repeat(71), 'unicode', 71, 2],
    ['😀'.repeat(35), 'unicode', 70, 1],
    ['^{}\\[~]|€\f', 'gsm', 20, 1],
    // What counts twice is not cut in two: the part before it ends one short.
    [`${'a'.repeat(152)}€${'a'.repeat(151)}`, 'gsm', 305, 2],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm', 306, 3],
    [`${'ж'.repeat(66)}😀${'ж'.repeat(65)}`, 'unicode', 133, 2],
    [`${'ж'.repeat(66)}😀${'ж'.repeat(66)}`, 'unicode', 134, 3],
  ])('%s is %s: %i characters in %i parts', (text, alphabet, characters, parts) => {
    expect(smsSize(text)).toEqual({ alphabet, characters, parts });
  });

  it.each([
    ['Łukasz «Ž» – it’s 5 €… ø', 'Lukasz "Z" - it\'s 5 €... ø'],
    ['Paweł', 'Pawel'],
    ['Đorđe Ðóra Þór', 'Dorde Dora Thor'],
    ['Nguyễn Thị Ánh', 'Nguyen Thi Anh'],
    ['Ülkü Işık Ğ', 'Ülkü Isik G'],
    ['Müller-Lüdenscheidt ß ẞ', 'Müller-Lüdenscheidt ß ß'],
    ['Štěpán Dvořák', 'Stepan Dvorak'],
    ['Ánte Máhtte Sáŋŋot', 'Ante Mahtte Sannot'],
    ['Œuvre d’art', "OEuvre d'art"],
    ['e\u0301', 'é'],
    ['O\u2011Brien\u202f5', 'O-Brien 5'],
    ['O´Brien d`Arc Hawaiʻi ʼn O‛x', "O'Brien d'Arc Hawai'i 'n O'x"],
    ['ﬁn ĳs Ĳ ǅ ŉ', "fin ijs IJ Dz 'n"],
    ['Ａ－７ ＃', 'A-7 #'],
    ['2½ l', '2½ l'],
    ['10²', '10²'],
    ['№ 5 ㎡', 'No 5 m2'],
    ['3′ 4″ ―', '3\' 4" -'],
    ['em\u2003sp\u3000ace', 'em sp ace'],
    ['Acme™ ﷼', 'Acme™ ﷼'],
    ['Acme™', 'AcmeTM'],
    ['Ǆ Ș ț Ơ ƿ', 'Ǆ Ș ț Ơ ƿ'],
    ['Θανάσης', 'Θανάσης'],
    ['ʔ', 'ʔ'],
    ['한국', '한국'],
    ['a¨', 'a"'],
    ['Пётр', 'Пётр'],
    ['Hei Пётр – “du”', 'Hei Пётр – “du”'],
    ['王芳', '王芳'],
    ['محمد', 'محمد'],
    ['Kari 🎁', 'Kari 🎁'],
  ])('%j goes as %j', (text, sent) => {
    expect(gsm(text)).toBe(sent);
    expect(smsSize(gsm(text)).alphabet).toBe(sent === text && sent !== 'é' ? 'unicode' : 'gsm');
  });

  it.each([
    ['Åpent 😀 nå', 'Åpent :-) nå'],
    ['Takk 👍🏽 og 💚', 'Takk OK og <3'],
    ['🇳🇴 – pakken 📦', 'NO - pakken *'],
    ['👨‍👩‍👧 kom', '* kom'],
    ['𝓗𝓮𝓲 𝟙', 'Hei 1'],
    ['Пётр 😉', 'Пётр ;-)'],
    ['𠮷野', '□野'],
    ['❤ og Łukasz', '❤ og Łukasz'],
  ])('%j goes as %j where no character of four bytes is carried', (text, sent) => {
    expect(withoutPictures(text)).toBe(sent);
  });
});
