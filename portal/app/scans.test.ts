import { describe, expect, test } from 'vitest';
import { createWedge } from './wedge.ts';

const type = (text: string, gap: number, from = 1000) => {
  const scans: string[] = [];
  const wedge = createWedge((scan) => scans.push(scan));
  let at = from;
  let used = false;
  for (const key of [...text.split(''), 'Enter']) used = wedge.key(key, (at += gap));
  return { scans, used };
};

describe('hand scanner', () => {
  test('a fast burst that ends with Enter is a scan, and the Enter is used up', () => {
    expect(type('A-104', 8)).toEqual({ scans: ['A-104'], used: true });
  });
  test('typing at a person’s speed is none', () => {
    expect(type('A-104', 120)).toEqual({ scans: [], used: false });
  });
  test('a stray Enter or a short burst is none', () => {
    expect(type('', 8).scans).toEqual([]);
    expect(type('ab', 8).scans).toEqual([]);
  });
  test('a door tag of three characters is a scan', () => {
    expect(type('A04', 8)).toEqual({ scans: ['A04'], used: true });
  });
  test('keys typed before the scan are not part of it', () => {
    const scans: string[] = [];
    const wedge = createWedge((scan) => scans.push(scan));
    wedge.key('x', 1000);
    let at = 3000;
    for (const key of ['1', '2', 'Shift', '3', '4', '5', '6', 'Enter']) wedge.key(key, (at += 5));
    expect(scans).toEqual(['123456']);
  });
});
