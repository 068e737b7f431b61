import { describe, expect, it } from 'vitest';
import type { LockerFacts } from './door-view.ts';
import { chosenDoor, fitAway, fitFor, otherDoors, passedOver, type Asked } from './fit.ts';

const locker = (id: string, more: Partial<LockerFacts> = {}): LockerFacts => ({
  id,
  cabinetId: 'c1',
  doorTag: id,
  size: 'M',
  reach: 'middle',
  connection: 'online',
  paired: true,
  door: 'closed',
  lock: 'locked',
  content: 'empty',
  inDoubt: false,
  outOfService: null,
  occupation: null,
  services: [],
  lastCommand: null,
  openLinkUntil: null,
  ...more,
});
const taken = { occupation: { id: 'o', stage: 2, type: 'delivery', overdue: false }, content: 'occupied' as const };
const asked: Asked = { service: 'delivery', size: null, cabinetId: 'c1', near: ['c1', 'c2'], tried: [] };

describe('the door that is chosen already', () => {
  const wall = [
    locker('A-1', taken),
    locker('A-2', { size: 'L' }),
    locker('A-3', { size: 'S' }),
    locker('B-1', { cabinetId: 'c2', size: 'XS' }),
  ];

  it('is the smallest free one of the cabinet, and says so', () => {
    expect(fitFor(wall, asked)).toMatchObject({ ok: true, lockerId: 'A-3', why: 'smallest-free', elsewhere: false });
    expect(fitFor(wall, { ...asked, size: 'M' })).toMatchObject({ lockerId: 'A-2', why: 'next-size-up' });
  });

  it('is one that did not open when last asked only where no other is free', () => {
    const by = { kind: 'person', id: 'p', name: 'Kari' } as const;
    const jam = {
      lastCommand: { id: 'k', op: 'open', outcome: 'refused', code: null, at: '2026-11-20T10:00:00.000Z', by },
    } satisfies Partial<LockerFacts>;
    const jammed = locker('A-3', { size: 'S', ...jam });
    expect(fitFor([jammed, locker('A-2', { size: 'L' })], asked)).toMatchObject({ lockerId: 'A-2' });
    expect(fitFor([jammed, locker('A-2', taken)], asked)).toMatchObject({ lockerId: 'A-3' });
  });

  it('says which better one it passes over, and why', () => {
    const by = { kind: 'person', id: 'p', name: 'Kari' } as const;
    const lastCommand = { id: 'k', op: 'open', outcome: 'refused', code: null, at: '2026-11-20T10:00:00.000Z', by } as const;
    const over = (better: LockerFacts, more: Partial<Asked> = {}) => {
      const doors = [better, locker('A-2', { size: 'L' })];
      const wish = { ...asked, ...more };
      const { locker: chosen } = chosenDoor(doors, null, wish);
      const passed = passedOver(doors, chosen, wish);
      return [chosen?.id, passed?.locker.id, passed?.why];
    };
    expect(over(locker('A-3', { size: 'S', lastCommand }))).toEqual(['A-2', 'A-3', 'failing']);
    // given up a moment ago, it is not suggested again, and the reason stands
    expect(over(locker('A-3', { size: 'S', lastCommand }), { tried: ['A-3'] })).toEqual(['A-2', 'A-3', 'failing']);
    expect(over(locker('A-3', { size: 'S', content: 'unknown', inDoubt: true }))).toEqual(['A-2', 'A-3', 'in-doubt']);
    expect(over(locker('A-3', { size: 'S', outOfService: { since: lastCommand.at, reason: 'hinge' } }))).toEqual([
      'A-2',
      'A-3',
      'out-of-service',
    ]);
    const openLinkUntil = new Date(Date.now() + 3_600_000).toISOString();
    expect(over(locker('A-3', { size: 'S', openLinkUntil }))).toEqual(['A-2', 'A-3', 'linked']);
    // nothing better: taken, too small, for another service, in another cabinet, or only just as good
    expect(over(locker('A-3', { size: 'S', ...taken, lastCommand }))).toEqual(['A-2', undefined, undefined]);
    expect(over(locker('A-3', { size: 'S', lastCommand }), { size: 'M' })).toEqual(['A-2', undefined, undefined]);
    expect(over(locker('A-3', { size: 'S', lastCommand, services: ['lending'] }))).toEqual(['A-2', undefined, undefined]);
    expect(over(locker('A-3', { size: 'S', lastCommand, cabinetId: 'c2' }))).toEqual(['A-2', undefined, undefined]);
    expect(over(locker('A-3', { size: 'XL', lastCommand }))).toEqual(['A-2', undefined, undefined]);
  });

  it('comes from another cabinet of the site when this one has none, and from no other site', () => {
    expect(fitFor(wall, { ...asked, tried: ['A-2', 'A-3'] })).toMatchObject({ lockerId: 'B-1', elsewhere: true });
    expect(fitFor(wall, { ...asked, near: ['c1'], tried: ['A-2', 'A-3'] })).toMatchObject({ ok: false, code: 'none-free' });
  });

  it('is named where none is to be had at this site: the best of another one, of the size that is wanted', () => {
    const away = locker('C-1', { cabinetId: 'c3', size: 'M' });
    expect(fitAway([locker('A-1', taken), away], asked)?.cabinetId).toBe('c3');
    expect(fitAway([locker('A-1', taken), away], { ...asked, size: 'XL' })).toBeNull();
    expect(fitAway([locker('A-1', taken), { ...away, connection: 'offline' }], asked)).toBeNull();
  });

  it('stays what was chosen by hand, until somebody takes it', () => {
    expect(chosenDoor(wall, 'A-2', asked)).toMatchObject({ why: 'by-hand', locker: { id: 'A-2' }, lost: null });
    const raced = wall.map((one) => (one.id === 'A-2' ? { ...one, ...taken } : one));
    expect(chosenDoor(raced, 'A-2', asked)).toMatchObject({ why: 'too-small', locker: null, lost: { id: 'A-2' } });
  });

  it('gives way to one that is as large: what was to go into it may fit into no smaller one', () => {
    const doors = [locker('A-1', taken), locker('A-2', { size: 'S' }), locker('A-3'), locker('A-4', { size: 'L' })];
    expect(chosenDoor(doors, 'A-1', asked)).toMatchObject({ why: 'as-large', locker: { id: 'A-3' }, lost: { id: 'A-1' } });
    expect(chosenDoor(doors, 'A-1', { ...asked, size: 'L' })).toMatchObject({ why: 'exact-size', locker: { id: 'A-4' } });
    // given up a moment ago, it is not asked for any more
    const givenUp: Asked = { ...asked, tried: ['A-1'], least: 'M' };
    expect(chosenDoor(doors, null, givenUp)).toMatchObject({ why: 'as-large', locker: { id: 'A-3' } });
    expect(chosenDoor(doors.slice(0, 2), null, givenUp)).toMatchObject({ why: 'too-small', locker: null });
  });

  it('says why there is none', () => {
    expect(chosenDoor([locker('A-1', taken)], null, asked)).toMatchObject({ locker: null, why: 'none-free' });
    expect(chosenDoor([locker('A-1', { size: 'S' })], null, { ...asked, size: 'XL' })).toMatchObject({ locker: null, why: 'too-small' });
    expect(chosenDoor([], null, asked)).toMatchObject({ locker: null, why: 'no-locker' });
  });

  it('serves self-service with lockers for deliveries', () => {
    expect(fitFor([locker('A-1', { services: ['delivery'] })], { ...asked, service: 'selfservice' })).toMatchObject({ ok: true });
    expect(fitFor([locker('A-1', { services: ['storage'] })], asked)).toMatchObject({ ok: false, code: 'no-locker' });
  });
});

describe('the other doors that something can be moved to', () => {
  it('are those of its own cabinet, then of its site, and those of other sites apart from them', () => {
    const own = locker('A-9', { ...taken, size: 'S' });
    const doors = [
      own,
      locker('Z-1', { cabinetId: 'c9', size: 'S' }),
      locker('B-1', { cabinetId: 'c2', size: 'S' }),
      locker('A-2', { size: 'L' }),
      locker('A-3', { size: 'M' }),
      locker('A-4', taken),
    ];
    const { near, away } = otherDoors(doors, { ...asked, size: 'S', tried: ['A-9'] });
    expect(near.map(({ id }) => id)).toEqual(['A-3', 'A-2', 'B-1']);
    expect(away.map(({ id }) => id)).toEqual(['Z-1']);
  });

  it('that somebody can open by a link comes after all others that one can walk to', () => {
    const openLinkUntil = new Date(Date.now() + 3_600_000).toISOString();
    const walls = [locker('A-2', { openLinkUntil }), locker('B-1', { cabinetId: 'c2' })];
    const { near } = otherDoors(walls, { ...asked, cabinetId: 'c1', near: ['c1', 'c2'] });
    expect(near.map(({ id }) => id)).toEqual(['B-1', 'A-2']);
  });
});
