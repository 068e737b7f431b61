import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { usePortal } from '../app/portal.ts';
import { dataOf } from '../app/problem.ts';
import { companyLeft } from '../app/tab-company.ts';

/** Another company of this person's: that of the row which the address names, or the one that this tab was in. */
export type Elsewhere = { tenantId: string; name: string; at: string; left: boolean };

export const useElsewhere = (): Elsewhere | null => {
  const { session, queryClient } = usePortal();
  const { href } = useLocation();
  const [left] = useState(() => companyLeft(session.data()));
  const [row, setRow] = useState<Elsewhere | null>(null);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const company = dataOf(event.action.error)['company'] as { tenantId: string; name: string } | undefined;
        if (company) setRow({ ...company, at: location.pathname + location.search, left: false });
      }),
    [queryClient],
  );
  return row !== null && row.at.endsWith(href) ? row : left && { ...left, left: true };
};
