import { describe, expect, it } from 'vitest';
import { namedBy, readAhead, WALLS_READ } from './read-ahead.ts';

const hall = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `c${at + 1}`, siteId: at % 10 === 0 ? 'tens' : 'rest' }));
const ids = (cabinets: readonly { id: string }[]) => cabinets.map(({ id }) => id);

describe('the walls that are read ahead', () => {
  it('are all of them, in their own order, while they are few', () => {
    expect(ids(readAhead(hall(WALLS_READ), ['c9']))).toEqual(ids(hall(WALLS_READ)));
  });

  it('hold the one that was asked for, wherever it stands in the list, and then its neighbours', () => {
    const read = ids(readAhead(hall(60), ['c51']));
    expect(read).toHaveLength(WALLS_READ);
    expect(read.slice(0, 8)).toEqual(['c51', 'c1', 'c11', 'c21', 'c31', 'c41', 'c2', 'c3']);
  });

  it('hold every one that was asked for, however many', () => {
    const asked = ids(hall(60)).slice(20);
    expect(ids(readAhead(hall(60), asked))).toEqual(asked);
  });

  it('are the first ones and their site where none was asked for, or one that is not there', () => {
    expect(ids(readAhead(hall(60), [])).slice(0, 7)).toEqual(['c1', 'c11', 'c21', 'c31', 'c41', 'c51', 'c2']);
    expect(readAhead(hall(60), ['gone'])).toEqual(readAhead(hall(60), []));
  });
});

describe('the walls that a search names', () => {
  const named = [
    { id: 'c1', siteId: 's1', name: 'Hall', siteName: 'Town' },
    { id: 'c2', siteId: 's2', name: 'Shed', siteName: 'Ålesund harbour' },
    { id: 'c3', siteId: 's2', name: 'Hallway', siteName: 'Ålesund harbour' },
  ];

  it('are those whose cabinet or site has one of its words, in either case', () => {
    expect(namedBy(named, 'hall')).toEqual(['c1', 'c3']);
    expect(namedBy(named, 'A12 ÅLESUND')).toEqual(['c2', 'c3']);
    expect(namedBy(named, 'A12')).toEqual([]);
  });

  it('are no more than are read ahead', () => {
    const many = hall(60).map((one) => ({ ...one, name: 'Hall', siteName: 'Town' }));
    expect(namedBy(many, 'town')).toEqual(ids(many).slice(0, WALLS_READ));
  });
});
