/** So many walls are read ahead, whatever the number of cabinets: of the others whoever asks for one is shown that one. */
export const WALLS_READ = 24;

type Placed = { readonly id: string; readonly siteId: string };

/**
 * The cabinets whose walls are read: all of them while they are few; else those that were asked for, however many, then their
 * neighbours of the same site, since one can walk there, then the rest in their own order.
 */
export function readAhead<C extends Placed>(cabinets: readonly C[], asked: readonly string[]): readonly C[] {
  if (cabinets.length <= WALLS_READ) return cabinets;
  const wanted = cabinets.filter(({ id }) => asked.includes(id));
  const sites = new Set((wanted.length === 0 ? cabinets.slice(0, 1) : wanted).map(({ siteId }) => siteId));
  const rank = ({ id, siteId }: C): number => (asked.includes(id) ? 0 : sites.has(siteId) ? 1 : 2);
  return cabinets.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(WALLS_READ, wanted.length));
}

/** The cabinets that a word of the search names, or whose site it does; no more of them than walls are read ahead. */
export function namedBy(cabinets: readonly (Placed & { readonly name: string; readonly siteName: string })[], find: string): string[] {
  const words = find.toLocaleLowerCase().split(/\s+/);
  const isNamed = ({ name, siteName }: { name: string; siteName: string }) => {
    const line = `${name}\n${siteName}`.toLocaleLowerCase();
    return words.some((word) => line.includes(word));
  };
  return cabinets
    .filter(isNamed)
    .slice(0, WALLS_READ)
    .map(({ id }) => id);
}
