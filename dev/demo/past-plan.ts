import { receivers } from './things.ts';

/** When the demo's past happened and to whom: the same at each start, but for the day. */

type Receiver = { name: string; tlf: string; email: string };
export type Brought = { at: Date; fetched: Date; by: string; what: string; receiver: Receiver; door: number };
export type Bought = { name: string; at: Date; by: string; sales: { at: Date; payer: string }[] };

const DAYS = 30;
const HOUR = 3600_000;
const DAY = 24 * HOUR;
/** Those of today, and others who had something in the month before. */
const KNOWN: readonly Receiver[] = [
  ...receivers,
  ...['Eirik Moe', 'Fatima Noor', 'Greta Holm', 'Henrik Aas', 'Jonas Vik', 'Linnea Berge', 'Oda Strand', 'Tomasz Nowak'].map(
    (name, at) => ({
      name,
      tlf: `+479100002${at}`,
      email: `${name.split(' ')[0]?.toLowerCase()}@people.test`,
    }),
  ),
];
const STAFF = ['Kari Counter', 'Bo Both', 'Astrid Admin', 'Kari Counter'] as const;
const WHAT = ['Parcel', 'Parcel', 'Key card', 'Parcel', 'Documents', 'Spare part'] as const;
/** So many parcels a day, from Sunday on: a counter is busy on Mondays, and quiet at the end of the week. */
const A_DAY = [0, 9, 7, 8, 6, 8, 2] as const;
/** A door is used by one at a time: each comes again after so many others. */
const STRIDE = 7;
/** The door whose goods were sold out, and what a piece cost. */
export const SHELF = 'C05';
export const PRICE = 24_900;

const pick = <T>(from: readonly T[], at: number): T => {
  const picked = from[at % from.length];
  if (picked === undefined) throw new Error('Nothing to pick from.');
  return picked;
};
/** Of a day so long ago, in UTC. */
const on = (now: Date, ago: number, hours: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) - ago * DAY + hours * HOUR);

/** Parcels of the month, the oldest first, all of them fetched within a day. */
export function brought(now: Date): Brought[] {
  const all: Brought[] = [];
  for (let ago = DAYS - 1; ago > 0; ago--) {
    const count = A_DAY[on(now, ago, 0).getUTCDay()] ?? 0;
    for (let no = 0; no < count; no++) {
      const nth = all.length;
      const at = on(now, ago, 7 + ((no * 1.1 + ago * 0.7) % 8));
      const soon = new Date(at.getTime() + (1 + ((nth * 5) % 5)) * HOUR + ((nth * 13) % 50) * 60_000);
      const fetched = nth % 3 < 2 ? soon : on(now, ago - 1, 6 + ((nth * 1.3) % 4));
      if (fetched.getTime() > now.getTime() - HOUR) continue;
      const what = pick(WHAT, nth);
      all.push({
        at,
        fetched,
        by: pick(STAFF, nth),
        what: what === 'Parcel' ? `Parcel ${3900 + nth}` : what,
        receiver: pick(KNOWN, nth * 3),
        door: nth * STRIDE,
      });
    }
  }
  return all;
}

/** A dozen pumps, laid out at the beginning of the month and sold by its end. */
export function bought(now: Date): Bought {
  const sales = Array.from({ length: 12 }, (_, nth) => ({
    at: on(now, DAYS - 3 - Math.floor(nth * 2.2), 9 + ((nth * 1.9) % 6)),
    payer: pick(KNOWN, nth * 3 + 1).name,
  }));
  return { name: 'Bicycle pump', at: on(now, DAYS - 1, 8), by: 'Sindre Shop', sales };
}
