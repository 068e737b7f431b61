import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { companyIds, demoPassword, demoSignIns, logins } from './people.ts';
import { picture } from './picture.ts';
import { columnsOf, demoCabinets } from './walls.ts';

describe('the demo', () => {
  it('has three cabinets in two sites and some sixty doors, each tag once, columns of one height', () => {
    const doors = demoCabinets.flatMap((cabinet) => columnsOf(cabinet).flatMap((column) => column.doors));
    expect(new Set(demoCabinets.map((cabinet) => cabinet.site)).size).toBe(2);
    expect(doors.length).toBeGreaterThanOrEqual(58);
    expect(new Set(doors.map((door) => door.doorTag)).size).toBe(doors.length);
    for (const column of demoCabinets.flatMap((cabinet) => columnsOf(cabinet)))
      expect(column.doors.reduce((sum, door) => sum + door.height, 0)).toBe(1800);
  });

  it('has the people that the design names', () => {
    expect(logins.map((login) => login.email)).toEqual([
      'admin@demo.test',
      'counter@demo.test',
      'shop@demo.test',
      'scoped@demo.test',
      'guest@demo.test',
      'both@demo.test',
      'admin@other.test',
    ]);
    expect(new Set(demoSignIns.map(({ login }) => login))).toEqual(new Set(logins.map((login) => login.email)));
    expect(demoPassword).toBe('demo');
    for (const id of companyIds) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('draws pictures that are PNGs of the size they say', () => {
    const png = picture({ shape: 'ring', hue: 100 }, 32);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([32, 32]);
    const start = png.indexOf('IDAT');
    expect(inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4))).length).toBe(32 * (32 * 3 + 1));
  });
});
