import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import { ordersQuery } from './api.ts';
import type { Plan } from './plan.ts';

/** Whether there is an order to be picked: without one, or without a shop, the step has nothing to show. */
export const useHasOrders = (plan: Plan): boolean => {
  const known = useQuery({ ...ordersQuery(useApi(), ''), enabled: plan.steps.includes('order') });
  return (known.data?.length ?? 0) > 0;
};
