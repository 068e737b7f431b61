import { describe, expect, test } from 'vitest';
import { createScans } from './scans.ts';

const scanner = () => {
  const heard: string[] = [];
  const scans = createScans();
  scans.take((code) => heard.push(code) > 0, 'frame');
  let at = 1000;
  const type = (text: string, gap: number): boolean => {
    let used = false;
    for (const key of [...text.split(''), 'Enter']) used = scans.key(key, (at += gap));
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
    expect(type('A-104', 120)).toBe(false);
    expect(heard).toEqual([]);
  });
  test('a stray Enter or a short burst is none; a door tag of three characters is one', () => {
    const { heard, type } = scanner();
    expect([type('', 8), type('ab', 8)]).toEqual([false, false]);
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
    const leave = scans.take((code) => screen.push(code) > 0, 'screen');
    const frame = scans.take((code) => heard.push(`later ${code}`) > 0, 'frame');
    type('A-104', 8);
    expect([screen, heard]).toEqual([['A-104'], []]);
    leave();
    frame();
    type('B-205', 8);
    expect([screen, heard]).toEqual([['A-104'], ['B-205']]);
  });
  test('what nobody has a use for leaves the Enter to the page', () => {
    const scans = createScans();
    scans.take(() => false, 'frame');
    let used = true;
    for (const [n, key] of ['A', '0', '4', 'Enter'].entries()) used = scans.key(key, 1000 + n);
    expect(used).toBe(false);
  });
});
