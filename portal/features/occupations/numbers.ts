import { MAX_PIECES } from '@hatchway/domain/doors.ts';

/** A typed whole number from `least` to what one locker can be said to hold; null where it is none. */
export function pieces(typed: string, least: number): number | null {
  const bare = typed.replaceAll(/\s/g, '');
  if (!/^\d{1,6}$/.test(bare)) return null;
  const count = Number(bare);
  return count >= least && count <= MAX_PIECES ? count : null;
}
