import { expect, it } from 'vitest';
import { vippsAt } from './vipps-address.ts';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
  ['http://localhost:8090/', 'http://localhost:8090'],
  ['http://[::1]:8090/api/', 'http://[::1]:8090/api'],
  ['https://vipps.example/wire', 'https://vipps.example/wire'],
  ['http://vipps.example', null],
  ['http://127.0.0.1.vipps.example', null],
  ['https://somebody:secret@vipps.example', null],
  ['https://vipps.example?key=secret', null],
  ['ftp://127.0.0.1', null],
  ['vipps', null],
])('points npm start at %s: %s', (text, at) => expect(vippsAt(text)).toBe(at));
