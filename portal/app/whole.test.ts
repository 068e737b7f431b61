import { createClient } from '@hatchway/contract/client.ts';
import { describe, expect, it } from 'vitest';
import { doubtQuery, policiesQuery, sitesQuery } from '../features/builder/api.ts';
import { groupsQuery, peopleQuery } from '../features/permissions/api.ts';
import { goodsQuery } from '../features/storefront/api.ts';
import { cabinetsQuery, createQueryClient } from './queries.ts';

/** A server with so many rows, which gives what it is asked for and no more than 500 at once. */
const serverWith = (count: number) => {
  const asked: string[] = [];
  const api = createClient({
    base: 'http://hatchway.test/v1',
    fetch: async (input) => {
      const url = new URL(input instanceof Request ? input.url : input);
      asked.push(url.pathname);
      const from = Number(url.searchParams.get('cursor') ?? 0);
      const limit = Math.min(Number(url.searchParams.get('limit') ?? 50), 500);
      const rows = Array.from({ length: Math.min(limit, count - from) }, (_, at) => ({ id: String(from + at) }));
      const next = from + limit < count ? { link: `<${url.pathname}?cursor=${from + limit}>; rel="next"` } : undefined;
      return Response.json(rows, next && { headers: next });
    },
  });
  return { api, asked };
};

describe('lists that screens take for whole', () => {
  const lists = { cabinetsQuery, sitesQuery, policiesQuery, doubtQuery, groupsQuery, peopleQuery, goodsQuery };
  for (const [name, query] of Object.entries(lists)) {
    it(`${name} does not end at the server's page`, async () => {
      const { api, asked } = serverWith(1203);
      const rows = await createQueryClient().fetchQuery<readonly object[]>(query(api) as { queryKey: string[] });
      expect(rows).toHaveLength(1203);
      expect(rows.at(-1)).toMatchObject({ id: '1202' });
      expect(asked).toHaveLength(3);
    });
  }
});
