import { factsOf, visibleTo } from '../../app/access.ts';
import type { Portal } from '../../app/portal.ts';
import {
  companyQuery,
  historyQuery,
  meQuery,
  statsMessagesQuery,
  statsNowQuery,
  statsSalesQuery,
  statsServicesQuery,
  statsUsageQuery,
} from '../../app/queries.ts';

/** How far back the dashboard's figures go. */
export const DAYS = 30;
/** What it tells of the history. */
export const LATEST = { sort: '-at', limit: 10 };

/** Asks for what the dashboard shows while its code is on its way; its parts then find each under way, and ask for nothing twice. */
export const askAhead = ({ api, queryClient, session }: Portal): void => {
  const token = session.data();
  const { admin, payments } = visibleTo(factsOf(undefined, token));
  const tenant = token.tenant?.tenant_id;
  void queryClient.prefetchQuery(meQuery(api));
  if (tenant) void queryClient.prefetchQuery(companyQuery(api, tenant));
  void queryClient.prefetchQuery(statsNowQuery(api));
  void queryClient.prefetchQuery(statsUsageQuery(api, DAYS, 'day'));
  void queryClient.prefetchQuery(historyQuery(api, LATEST));
  void queryClient.prefetchQuery(statsServicesQuery(api, DAYS));
  if (payments) void queryClient.prefetchQuery(statsSalesQuery(api, DAYS));
  if (admin) void queryClient.prefetchQuery(statsMessagesQuery(api));
};
