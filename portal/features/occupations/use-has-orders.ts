import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import { orderShopsQuery } from './api.ts';
import type { Plan } from './plan.ts';

/** Whether there is a shop whose orders can be picked, also while none is open: without one the step has nothing to show. */
export const useHasOrders = (plan: Plan): boolean => {
  const known = useQuery({ ...orderShopsQuery(useApi()), enabled: plan.steps.includes('order') });
  return (known.data?.length ?? 0) > 0;
};
