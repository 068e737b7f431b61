import { createClient } from '@hatchway/contract/client.ts';
import { describe, expect, it } from 'vitest';
import { createQueryClient } from '../../app/queries.ts';
import { fitBeyondQuery } from './beyond.ts';
import type { Asked } from './fit.ts';

type Free = { id: string; cabinetId: string; size: string; lastCommand?: { op: string; outcome: string } };

/** A server with these free doors: it answers what its list is asked for, by size and cabinet. */
const serverWith = (doors: readonly Free[]) => {
  const asked: string[] = [];
  const api = createClient({
    base: 'http://hatchway.test/v1',
    fetch: async (input) => {
      const q = JSON.parse(new URL(input instanceof Request ? input.url : input).searchParams.get('q') ?? '{}') as {
        size: string;
        free: boolean;
        cabinetId: { $in: string[] };
      };
      expect(q.free).toBe(true);
      expect(q.cabinetId.$in.length).toBeLessThanOrEqual(200);
      asked.push(q.size);
      return Response.json(
        doors
          .filter(({ size, cabinetId }) => size === q.size && q.cabinetId.$in.includes(cabinetId))
          .map((door) => ({
            doorTag: door.id,
            reach: 'middle',
            connection: 'online',
            door: 'closed',
            content: 'empty',
            inDoubt: false,
            outOfService: null,
            occupation: null,
            services: [],
            lastCommand: null,
            ...door,
          })),
      );
    },
  });
  return { api, asked };
};
const wish: Asked = { service: 'delivery', size: 'M', cabinetId: 'c1', near: [], tried: ['X-1'] };
const cabinets = Array.from({ length: 450 }, (_, at) => `c${at + 25}`);
const find = (doors: readonly Free[]) => {
  const { api, asked } = serverWith(doors);
  return createQueryClient()
    .fetchQuery(fitBeyondQuery(api, wish, cabinets))
    .then((cabinetId) => ({ cabinetId, asked }));
};
const jammed = { op: 'open', outcome: 'refused' };

describe('the cabinet beyond the walls that are read', () => {
  it('is one with the smallest door that will do, however far down the list it stands', async () => {
    const { cabinetId, asked } = await find([
      { id: 'S-1', cabinetId: 'c30', size: 'S' },
      { id: 'L-1', cabinetId: 'c31', size: 'L' },
      { id: 'M-1', cabinetId: 'c470', size: 'M' },
    ]);
    expect(cabinetId).toBe('c470');
    expect(new Set(asked)).toEqual(new Set(['M']));
  });

  it('is none whose door was tried, and one whose door did not open only where there is no other', async () => {
    const tried = { id: 'X-1', cabinetId: 'c40', size: 'M' };
    const stuck = { id: 'M-2', cabinetId: 'c41', size: 'M', lastCommand: jammed };
    expect(await find([tried])).toMatchObject({ cabinetId: null });
    expect(await find([tried, stuck])).toMatchObject({ cabinetId: 'c41' });
    expect(await find([tried, stuck, { id: 'L-1', cabinetId: 'c42', size: 'L' }])).toMatchObject({ cabinetId: 'c42' });
  });
});
