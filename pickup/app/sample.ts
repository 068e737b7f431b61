import type { Pickup } from '@hatchway/contract/pickup.ts';

const door = (height: number, mine = false) => ({ height, mine, doorTag: mine ? 'A-07' : null });

/** A delivery that waits for its receiver; tests change what they are about. */
export function samplePickup(changes: Partial<Pickup> = {}): Pickup {
  return {
    rev: '1',
    now: '2026-11-20T12:00:00.000Z',
    type: 'delivery',
    service: 'delivery',
    stage: 5,
    stageName: 'CONTACTED',
    purpose: 'take',
    company: { name: 'Nordlys Verktøy', timeZone: 'Europe/Oslo', hasLogo: false, color: null },
    content: 'Bosch GSR 18V',
    quantity: null,
    most: null,
    price: null,
    payment: null,
    purchase: null,
    site: {
      name: 'Torggata',
      address: 'Torggata 5, 0181 Oslo',
      openingHours: '06–23',
      hours: [],
      tlf: '+4722000000',
      lat: null,
      lng: null,
    },
    cabinet: {
      number: '1042',
      name: 'Inngang',
      connection: 'online',
      columns: [
        { width: 400, doors: [door(300), door(300), door(600), door(600)] },
        { width: 400, doors: [door(900), door(300, true), door(600)] },
        { width: 600, doors: [door(600), door(600), door(600)] },
      ],
    },
    door: { doorTag: 'A-07', size: 'M', reach: 'middle', state: 'closed', since: '2026-11-20T11:00:00.000Z', lock: 'locked' },
    until: '2026-11-22T17:00:00.000Z',
    untilClosed: false,
    overdue: false,
    may: ['open', 'report'],
    hold: null,
    lastOpen: null,
    finishesAt: null,
    stillInside: false,
    returning: false,
    openedUnasked: null,
    openAgainUntil: null,
    ended: null,
    ...changes,
  };
}
