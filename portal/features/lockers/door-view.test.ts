import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { againstInside, doorView, doorWord, lookOf, obstacleTo, saidOfInside, unheardSince, type LockerFacts } from './door-view.ts';

const free: LockerFacts = {
  id: 'l1',
  cabinetId: 'c1',
  doorTag: 'A-01',
  size: 'M',
  reach: 'middle',
  content: 'empty',
  connection: 'online',
  paired: true,
  door: 'closed',
  lock: 'locked',
  inDoubt: false,
  outOfService: null,
  occupation: null,
  services: [],
  lastCommand: null,
  openLinkUntil: null,
};
const used = (stage: number, overdue = false): LockerFacts => ({
  ...free,
  content: stage === 0 || stage === 7 ? 'empty' : 'occupied',
  occupation: { id: 'o', stage, type: 'delivery', overdue },
});

describe('what a door shows', () => {
  it('follows the use of the locker', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((stage) => lookOf(used(stage)))).toEqual([
      'reserved',
      'reserved',
      'filled',
      'ready',
      'ready',
      'ready',
      'claiming',
      'vacant',
    ]);
    expect(lookOf(free)).toBe('free');
    expect(lookOf(used(5, true))).toBe('overdue');
  });

  it('says that a free door was not seen to open when it was last asked', () => {
    const last = (outcome: string) => ({ ...free, lastCommand: { op: 'open', outcome } as LockerFacts['lastCommand'] });
    expect(['refused', 'no-answer', 'opened'].map((outcome) => lookOf(last(outcome)))).toEqual(['failing', 'failing', 'free']);
    expect(lookOf({ ...used(2), lastCommand: last('refused').lastCommand })).toBe('filled');
  });

  it('never claims to know more than the controller said', () => {
    expect(lookOf({ ...used(2), connection: 'offline' })).toBe('offline');
    expect(lookOf({ ...used(2), door: 'unknown' })).toBe('unknown');
    expect(lookOf({ ...free, content: 'unknown', inDoubt: true })).toBe('inDoubt');
    expect(lookOf({ ...used(5), content: 'empty', inDoubt: true })).toBe('inDoubt');
    expect(lookOf({ ...used(7), content: 'occupied', inDoubt: true })).toBe('inDoubt');
  });

  it('calls no door of a silent cabinet closed, whatever was read of it before', () => {
    const t = ((key: string) => key) as TFunction;
    expect([free, { ...free, connection: 'offline' as const }].map((one) => doorWord(one, t))).toEqual([
      'terms.door.closed',
      'terms.door.unknown',
    ]);
  });

  it('says since when a silent cabinet’s doors are not known: since its connection ended, or since it gave no answer', () => {
    const asked = '2026-03-02T10:05:00.000Z';
    const cabinet = { lastSeenAt: '2026-03-02T10:00:00.000Z', connectionAt: '2026-03-02T10:10:00.000Z' };
    const one = (outcome: string, more = {}) =>
      ({ ...free, doorSince: '2026-03-02T09:00:00.000Z', lastCommand: { op: 'open', outcome, at: asked }, ...more }) as never;
    const offline = { connection: 'offline' };
    // Quiet for ten minutes, but there.
    expect(unheardSince(one('opened', offline), cabinet)).toBe(cabinet.connectionAt);
    expect(unheardSince(one('no-answer'), cabinet)).toBe(asked);
    expect(unheardSince(one('no-answer', offline), cabinet)).toBe(asked);
    // It has been heard of since, or its door was.
    const heard = { ...cabinet, lastSeenAt: '2026-03-02T10:06:00.000Z' };
    expect([unheardSince(one('no-answer'), heard), unheardSince(one('no-answer', offline), heard)]).toEqual([null, heard.connectionAt]);
    expect(unheardSince(one('no-answer', { doorSince: '2026-03-02T10:06:00.000Z' }), cabinet)).toBeNull();
    expect(unheardSince(one('opened'), cabinet)).toBeNull();
    expect(unheardSince(one('opened', offline), { lastSeenAt: null, connectionAt: null })).toBeNull();
  });

  it('shows an open door whatever it is used for, unless the locker is out of service', () => {
    expect(lookOf({ ...used(6), door: 'opened' })).toBe('open');
    const broken = { ...used(6), door: 'opened' as const, outOfService: { since: '', reason: 'hinge' } };
    expect(lookOf(broken)).toBe('out-of-service');
    expect(doorView(broken).ajar).toBe(true);
  });
});

it('a cabinet without a controller is not away', () => {
  expect([lookOf({ ...free, connection: 'offline' }), lookOf({ ...free, connection: 'offline', paired: false })]).toEqual([
    'offline',
    'unpaired',
  ]);
});

describe('a lock that did not catch', () => {
  const loose: LockerFacts = { ...used(2), lock: 'unlocked' };
  const asked = (outcome: 'pending' | 'opened'): LockerFacts => ({
    ...loose,
    lastCommand: { id: 'c', op: 'open', at: '', by: { kind: 'person', id: 'p', name: 'P' }, outcome, code: null },
  });

  it('is told of a closed door alone, and not while the door is being opened', () => {
    expect(lookOf(loose)).toBe('not-locked');
    expect(lookOf(asked('opened'))).toBe('not-locked');
    expect(lookOf(asked('pending'))).toBe('filled');
    expect(lookOf({ ...loose, door: 'opened' })).toBe('open');
    expect(lookOf({ ...loose, door: 'unknown' })).toBe('unknown');
    expect(lookOf({ ...loose, lock: 'unknown' })).toBe('filled');
  });
});

describe('what keeps a locker from a service', () => {
  it('is nothing for a free, closed, known door', () => {
    expect(obstacleTo(free, 'delivery')).toBeNull();
  });

  it('names the obstacle', () => {
    expect(obstacleTo(used(0), 'delivery')).toBe('taken');
    expect(obstacleTo({ ...free, door: 'opened' }, 'delivery')).toBe('open');
    expect(obstacleTo({ ...free, door: 'unknown' }, 'delivery')).toBe('unknown');
    expect(obstacleTo({ ...free, content: 'unknown', inDoubt: true }, 'delivery')).toBe('in-doubt');
    expect(obstacleTo({ ...free, connection: 'offline' }, 'delivery')).toBe('offline');
    expect(obstacleTo({ ...free, services: ['storage'] }, 'delivery')).toBe('service');
  });

  it('lets self-service use what serves deliveries', () => {
    expect(obstacleTo({ ...free, services: ['delivery'] }, 'selfservice')).toBeNull();
    expect(obstacleTo({ ...free, services: ['selfservice'] }, 'selfservice')).toBeNull();
    expect(obstacleTo({ ...free, services: ['selfservice'] }, 'delivery')).toBe('service');
  });
});

it('against the word that something lies inside stand a door that is heard to be open, and a sensor that senses nothing', () => {
  const asked = (door: 'opened' | 'closed', occupancy: 'empty' | 'occupied' | 'unknown', connection: 'online' | 'offline' = 'online') =>
    againstInside({ door, occupancy, connection });
  expect([asked('opened', 'occupied'), asked('opened', 'empty'), asked('opened', 'unknown')]).toEqual(['open', 'open', 'open']);
  expect([asked('closed', 'empty'), asked('closed', 'occupied'), asked('closed', 'unknown')]).toEqual(['nothing', null, null]);
  expect([asked('opened', 'empty', 'offline'), asked('closed', 'empty', 'offline')]).toEqual([null, null]);
});

it('that question calls closed only a door that is heard to be', () => {
  type Facts = NonNullable<Parameters<typeof saidOfInside>[0]>;
  const said = (door: Facts['door'], connection: Facts['connection'] = 'online', occupancy: Facts['occupancy'] = 'occupied') =>
    saidOfInside({ door, occupancy, connection });
  expect([said('closed'), said('closed', 'online', 'empty'), said('opened')]).toEqual(['shut', 'nothing', 'open']);
  expect([said('unknown'), said('closed', 'offline'), said('opened', 'offline', 'empty'), saidOfInside(undefined)]).toEqual([
    'unheard',
    'unheard',
    'unheard',
    'unheard',
  ]);
});
