import { useCallback } from 'react';
import { useApi } from '../../app/portal.ts';
import { type ListCall, pagesQuery, type RowOf } from '../../app/queries.ts';
import type { PagesOf } from './data-table.tsx';

/** The pages of a list; the same function as long as the same is asked for. */
export const usePages = <K extends ListCall>(call: K, question: Record<string, unknown>): PagesOf<RowOf<K>> => {
  const api = useApi();
  const asked = JSON.stringify(question);
  return useCallback(
    (limit, sort) => {
      const q = JSON.parse(asked) as Record<string, unknown>;
      return pagesQuery(api, call, { ...(Object.keys(q).length > 0 ? { q } : {}), limit, ...(sort ? { sort } : {}) });
    },
    [api, call, asked],
  );
};
