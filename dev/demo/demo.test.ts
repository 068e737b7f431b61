import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bought, brought } from './past-plan.ts';
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

  it('has a month behind it, of many people, in which no door serves two at once and nothing is still to come', () => {
    for (const hour of [1, 12, 23]) {
      const now = new Date(Date.UTC(2026, 10, 29, hour));
      const parcels = brought(now);
      expect(parcels.length).toBeGreaterThan(50);
      expect(new Set(parcels.map(({ receiver }) => receiver.name)).size).toBeGreaterThan(10);
      expect(new Set(parcels.map(({ by }) => by)).size).toBe(3);
      const doors = demoCabinets.flatMap((cabinet) => columnsOf(cabinet).flatMap((column) => column.doors)).length - 1;
      const last = new Map<number, Date>();
      for (const { at, fetched, door } of parcels.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
        expect(at.getTime()).toBeLessThan(fetched.getTime());
        expect(fetched.getTime()).toBeLessThan(now.getTime());
        expect(at.getTime()).toBeGreaterThan(last.get(door % doors)?.getTime() ?? 0);
        last.set(door % doors, fetched);
      }
      const { at, sales } = bought(now);
      expect([at, ...sales.map((sale) => sale.at), now].map(Number)).toEqual(
        [at, ...sales.map((sale) => sale.at), now].map(Number).toSorted((a, b) => a - b),
      );
    }
  });
});
