import { MAX_PIECES } from '@hatchway/domain/doors.ts';
import { MAX_AMOUNT } from '@hatchway/domain/price.ts';

/** A typed whole number from `least` to what one locker can be said to hold; null where it is none. */
export function pieces(typed: string, least: number): number | null {
  const bare = typed.replaceAll(/\s/g, '');
  if (!/^\d{1,6}$/.test(bare)) return null;
  const count = Number(bare);
  return count >= least && count <= MAX_PIECES ? count : null;
}

/** A typed amount above nothing, with a comma or a point and at most two digits after it, in minor units; null where it is none. */
export function minorUnits(typed: string): number | null {
  const match = /^(\d{1,8})(?:[.,](\d{1,2}))?$/.exec(typed.replaceAll(/\s/g, ''));
  if (match === null) return null;
  const amount = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return amount > 0 && amount <= MAX_AMOUNT ? amount : null;
}
