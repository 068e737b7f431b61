import { describe, expect, test } from 'vitest';
import { placeOf, readEntry } from './place.ts';

describe('placeOf', () => {
  test.each([
    ['/', { page: 'enter', cabinet: null }],
    ['/c/1042', { page: 'enter', cabinet: '1042' }],
    ['/c/1042/', { page: 'enter', cabinet: '1042' }],
    ['/p/AbC_-.~123', { page: 'pickup', token: 'AbC_-.~123' }],
    ['/l/12345678', { page: 'link', token: '12345678' }],
    ['/b/12345678', { page: 'purchase', token: '12345678', cabinet: null }],
    ['/c/1042/12345678', { page: 'purchase', token: '12345678', cabinet: '1042' }],
    ['/c/1042/short', { page: 'unknown' }],
    ['/c/1042/12345678/more', { page: 'unknown' }],
    ['/p/', { page: 'unknown' }],
    ['/p/short', { page: 'unknown' }],
    ['/p/12345678/more', { page: 'unknown' }],
    ['/c/%3Cscript%3E', { page: 'unknown' }],
    ['/elsewhere', { page: 'unknown' }],
  ])('%s', (path, place) => expect(placeOf(path)).toEqual(place));
});

describe('readEntry', () => {
  test.each([
    ['123456', { code: '123456' }],
    [' 123 456 ', { code: '123456' }],
    ['12-34-56', { code: '123456' }],
    ['12345', null],
    ['1234567', null],
    ['abcdef', null],
    ['https://lockers.example/p/12345678?utm=1', { link: { page: 'pickup', token: '12345678' } }],
    ['https://lockers.example/c/77', { link: { page: 'enter', cabinet: '77' } }],
    ['https://lockers.example/', null],
    ['javascript:alert(1)', null],
  ])('%s', (text, entry) => expect(readEntry(text)).toEqual(entry));
});
