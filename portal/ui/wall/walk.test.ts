import { describe, expect, it } from 'vitest';
import { legibleWidth, roomOf, scaleOf, wallWidth } from './geometry.ts';
import type { Layout } from './model.ts';
import { walk, walkKey } from './walk.ts';

const wall: Layout = [
  {
    width: 40,
    doors: [
      { lockerId: 'a1', height: 10 },
      { lockerId: 'a2', height: 20 },
      { lockerId: 'a3', height: 30 },
    ],
  },
  { width: 40, doors: [] },
  {
    width: 40,
    doors: [
      { lockerId: 'b1', height: 40 },
      { lockerId: 'b2', height: 20 },
    ],
  },
];

describe('walking the wall', () => {
  it('goes up and down one column and stops at its ends', () => {
    expect(walk(wall, 'a1', 'ArrowDown')).toBe('a2');
    expect(walk(wall, 'a3', 'ArrowDown')).toBe('a3');
    expect(walk(wall, 'a2', 'ArrowUp')).toBe('a1');
    expect(walk(wall, 'a1', 'ArrowUp')).toBe('a1');
  });

  it('goes sideways to the door at the same height, over an empty column', () => {
    expect(walk(wall, 'a2', 'ArrowRight')).toBe('b1');
    expect(walk(wall, 'a3', 'ArrowRight')).toBe('b2');
    expect(walk(wall, 'b2', 'ArrowLeft')).toBe('a3');
    expect(walk(wall, 'b2', 'ArrowRight')).toBe('b2');
  });

  it('knows the ends of the column and of the wall', () => {
    expect(walk(wall, 'a2', 'End')).toBe('a3');
    expect(walk(wall, 'a2', 'Home')).toBe('a1');
    expect(walk(wall, 'a2', 'WallEnd')).toBe('b2');
    expect(walk(wall, 'b2', 'WallStart')).toBe('a1');
  });

  it('finds its way back from a door that has left the wall, and stays put on an empty wall', () => {
    expect(walk(wall, 'gone', 'ArrowDown')).toBe('a1');
    expect(walk([], 'gone', 'ArrowRight')).toBe('gone');
  });

  it('reaches every door with arrows alone', () => {
    const seen = new Set(['a1']);
    const queue = ['a1'];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const) {
        const next = walk(wall, at, key);
        if (!seen.has(next)) queue.push(next);
        seen.add(next);
      }
    }
    expect([...seen].sort()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
  });

  it('leaves other keys and browser shortcuts alone', () => {
    const press = (key: string, held = {}) => walkKey({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
    expect(press('ArrowLeft')).toBe('ArrowLeft');
    expect(press('ArrowLeft', { altKey: true })).toBeUndefined();
    expect(press('End', { ctrlKey: true })).toBe('WallEnd');
    expect(press('k')).toBeUndefined();
  });
});

describe('the scale', () => {
  it('gives the smallest door a target that a finger hits', () => {
    expect(scaleOf(wall, 'phone').unit * 10).toBeGreaterThanOrEqual(44);
    // A phone shows a wall of four columns whole; a longer one is scrolled.
    const columns = (count: number) => Array.from({ length: count }, () => ({ width: 30, doors: [{ lockerId: 'a', height: 10 }] }));
    expect([4, 5].map((count) => scaleOf(columns(count), 'phone').leastColumn < scaleOf(columns(count), 'phone').minColumn)).toEqual([
      true, false,
    ]); // prettier-ignore
    expect(scaleOf(wall, 'compact').unit * 10).toBeGreaterThanOrEqual(24);
  });

  it('says how far a wall may shrink beside another one: never below its words, and never wider than it is', () => {
    const scale = scaleOf(wall, 'normal');
    expect(legibleWidth(wall, scale)).toBeLessThanOrEqual(wallWidth(wall, scale));
    expect(legibleWidth(wall, scale)).toBeGreaterThanOrEqual(wall.length * 84);
    const wide: Layout = [{ width: 900, doors: [{ lockerId: 'a', height: 100 }] }];
    expect(legibleWidth(wide, scaleOf(wide, 'normal'))).toBeLessThan(wallWidth(wide, scaleOf(wide, 'normal')));
  });

  it('keeps a wall of very uneven doors from growing without end', () => {
    const uneven: Layout = [{ width: 40, doors: Array.from({ length: 30 }, (_, i) => ({ lockerId: `${i}`, height: i === 0 ? 5 : 7 })) }];
    expect(scaleOf(uneven, 'normal').unit * 5).toBeGreaterThanOrEqual(33.9);
    expect(scaleOf(uneven, 'normal').height).toBeLessThan(1500);
  });

  it('survives a wall without doors', () => {
    expect(scaleOf([], 'normal').height).toBeGreaterThan(0);
    expect(scaleOf([{ width: 1, doors: [] }], 'normal').unit).toBe(1);
  });

  it('says less on a lower door', () => {
    expect([30, 50, 90].map(roomOf)).toEqual(['line', 'pair', 'full']);
  });
});
