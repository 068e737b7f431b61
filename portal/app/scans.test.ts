import { describe, expect, test } from 'vitest';
import { createScans, scanKey, nothingScanned } from './scans.ts';

const scanner = () => {
  const heard: string[] = [];
  const scans = createScans();
  scans.take(({ text }) => heard.push(text) > 0, 'frame');
  let at = 1000;
  const type = (text: string, gap: number): boolean => {
    let used = false;
    for (const key of [...text.split(''), 'Enter']) used = scans.key(key, (at += gap)).part;
    return used;
  };
  return { scans, heard, type };
};

describe('hand scanner', () => {
  test('a fast burst that ends with Enter is a scan, and the Enter is used up', () => {
    const { heard, type } = scanner();
    expect(type('A-104', 8)).toBe(true);
    expect(heard).toEqual(['A-104']);
  });
  test('typing at a person’s speed is none', () => {
    const { heard, type } = scanner();
    expect(type('A-104', 200)).toBe(false);
    expect(heard).toEqual([]);
  });
  test('a stray Enter or a short burst is none, and presses nothing either; a door tag of three characters is one', () => {
    const { heard, type } = scanner();
    expect([type('', 8), type('ab', 8)]).toEqual([false, true]);
    expect(type('A04', 8)).toBe(true);
    expect(heard).toEqual(['A04']);
  });
  test('keys typed before the scan are not part of it, and Shift is none of its characters', () => {
    const { scans, heard } = scanner();
    scans.key('x', 1000);
    let at = 3000;
    for (const key of ['1', '2', 'Shift', '3', '4', '5', '6', 'Enter']) scans.key(key, (at += 5));
    expect(heard).toEqual(['123456']);
  });
  test('the first key of a burst may be a command, the ones within it are none', () => {
    const { scans } = scanner();
    scans.key('/', 1000);
    expect(scans.within(1000)).toBe(false);
    scans.key('p', 1005);
    expect([scans.within(1005), scans.within(1500)]).toEqual([true, false]);
  });
  test('each scan is heard once: by the screen that takes it, whichever came first, and by the frame when that is left', () => {
    const { scans, heard, type } = scanner();
    const screen: string[] = [];
    const leave = scans.take(({ text }) => screen.push(text) > 0, 'screen');
    const frame = scans.take(({ text }) => heard.push(`later ${text}`) > 0, 'frame');
    type('A-104', 8);
    expect([screen, heard]).toEqual([['A-104'], []]);
    leave();
    frame();
    type('B-205', 8);
    expect([screen, heard]).toEqual([['A-104'], ['B-205']]);
  });
  test('a burst that was under way when listening began is dropped whole, and the next one is whole', () => {
    const heard: string[] = [];
    const scans = createScans(1000);
    scans.take(({ text }) => heard.push(text) > 0, 'screen');
    // as late as a page that is being drawn gets them
    let at = 960;
    // nothing of it was heard yet: what is typed into a field may be a hand's, and none of it is lost
    expect(scans.goesOn(1020)).toBe(false);
    for (const key of '0097'.split('')) {
      scans.key(key, (at += 90));
      expect(scans.goesOn(at + 20)).toBe(true);
    }
    expect(scans.key('Enter', (at += 20))).toEqual({ part: true, taken: false });
    expect([heard, scans.goesOn(at + 20)]).toEqual([[], false]);
    for (const key of ['A', '0', '4', 'Enter']) scans.key(key, (at += 20));
    expect(heard).toEqual(['A04']);
  });
  test('a burst goes on where a screen takes it, into whatever has the focus by then; a pressed space begins none', () => {
    const scans = createScans();
    const heard: string[] = [];
    let at = 1000;
    scans.key('7', at);
    expect(scans.goesOn(1020)).toBe(false);
    scans.take(({ text }) => heard.push(text) > 0, 'screen');
    expect([scans.goesOn(1020), scans.goesOn(1500)]).toEqual([true, false]);
    // The field that comes holds up what is scanned: it stays one scan.
    for (const [key, gap] of [
      ['8', 20],
      ['9', 200],
      ['Enter', 200],
    ] as const)
      expect(scans.key(key, (at += gap), true).taken).toBe(key === 'Enter');
    expect(heard).toEqual(['789']);
    scans.key(' ', 2000);
    expect(scans.goesOn(2020)).toBe(false);
  });
  test('what nobody has a use for presses nothing all the same', () => {
    const scans = createScans();
    scans.take(() => false, 'frame');
    let used = { part: false, taken: true };
    for (const [n, key] of ['A', '0', '4', 'Enter'].entries()) used = scans.key(key, 1000 + n);
    expect(used).toEqual({ part: true, taken: false });
  });

  const HELD = ['Enter', 'Tab', 'Ctrl+J', 'Ctrl+M', ' ', '/', "'"];
  /** What is sent, how far apart, and what is read of it. */
  test.each<[string, readonly string[], number, string | null]>([
    ['as fast as most', [...Array.from('A-04'), 'Enter'], 8, 'A-04'],
    ['as slow as the slowest', [...Array.from('A-04'), 'Enter'], 120, 'A-04'],
    ['at 60 ms', [...Array.from('INV-38260'), 'Enter'], 60, 'INV-38260'],
    ['ended by Tab', [...Array.from('A-04'), 'Tab'], 20, 'A-04'],
    ['by a line feed', [...Array.from('A-04'), 'Control', 'Ctrl+J'], 20, 'A-04'],
    ['by a carriage return, slowly', [...Array.from('A-04'), 'Control', 'Ctrl+M'], 120, 'A-04'],
    ['by nothing', Array.from('7033000000017'), 20, '7033000000017'],
    ['by nothing, slowly', Array.from('A-04'), 120, 'A-04'],
    ['with a blank in it', [...Array.from('PAR 77 1'), 'Enter'], 60, 'PAR 77 1'],
    ['with a blank before it', [...Array.from(' A-04'), 'Enter'], 20, 'A-04'],
    ['with slashes', [...Array.from('12/34/5'), 'Enter'], 120, '12/34/5'],
    ['with the kind of its code before it', [...Array.from(']C1003707020551'), 'Enter'], 60, '003707020551'],
    ['through a dead key', ['Shift', 'Dead', ...Array.from('C1A-04'), 'Tab'], 20, 'A-04'],
    ['for an American keyboard on a Norwegian one', [...Array.from('A+04'), 'Enter'], 120, 'A-04'],
    ['letters alone without an ending are a hand’s', Array.from('kari'), 100, null],
    ['a hand’s', [...Array.from('A-04'), 'Enter'], 200, null],
  ])('a scan %s', (_, keys, gap, read) => {
    const heard: string[] = [];
    const scans = createScans();
    scans.take(({ text }) => heard.push(text) > 0, 'screen');
    let at = 1000;
    const pressing = keys.filter((key, nth) => !scans.key(key, (at += gap)).part && HELD.includes(key) && nth > 0);
    scans.silence();
    expect(heard).toEqual(read === null ? [] : [read]);
    expect(read === null ? [] : pressing).toEqual([]);
  });
  test('a field takes for a scan only what is faster than a hand, and no name that Tab ends', () => {
    const read = (gap: number, code = 'A-04') => {
      let [state, at, scan]: [typeof nothingScanned, number, string | null] = [nothingScanned, 0, null];
      for (const key of [...Array.from(code), 'Tab']) ({ state, scan } = scanKey(state, key, (at += gap)));
      return scan;
    };
    expect([read(20), read(100), read(20, 'Ola')]).toEqual(['A-04', null, null]);
  });
});
