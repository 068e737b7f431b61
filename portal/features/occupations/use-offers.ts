import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import { requestsQuery } from './api.ts';
import type { Offers, Plan } from './plan.ts';
import { useHasOrders } from './use-has-orders.ts';

/** What there is to be picked from outside: without a shop, or a request of a tool, their steps have nothing to show. */
export const useOffers = (plan: Plan): Offers & { isPending: boolean } => {
  const shop = useHasOrders(plan);
  const requests = useQuery({ ...requestsQuery(useApi(), ''), enabled: plan.steps.includes('request') });
  // The first step is settled before anybody is asked for something.
  return { shop, tool: (requests.data?.length ?? 0) > 0, isPending: requests.isLoading };
};
