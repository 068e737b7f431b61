import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import { orderShopsQuery, requestsQuery } from './api.ts';
import type { Offers, Plan } from './plan.ts';

/** What there is to be picked from outside: without a shop (also while none of its orders is open), or a request of a tool, their steps have nothing to show. */
export const useOffers = (plan: Plan): Offers & { isPending: boolean } => {
  const api = useApi();
  const shops = useQuery({ ...orderShopsQuery(api), enabled: plan.steps.includes('order') });
  const requests = useQuery({ ...requestsQuery(api, ''), enabled: plan.steps.includes('request') });
  return {
    shop: (shops.data?.length ?? 0) > 0,
    tool: (requests.data?.length ?? 0) > 0,
    // Which steps there are is settled before anybody is asked for something: an address may name each of them.
    isPending: shops.isLoading || requests.isLoading,
  };
};
