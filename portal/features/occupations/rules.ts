import { policyFor, rulesFor, type Rules } from '@hatchway/domain/policy.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { policiesQuery } from './api.ts';
import type { Plan } from './plan.ts';

/** What the policies say of this service at that door; the house's rules until they are read. The server asks the same functions. */
export function useRules(plan: Plan, locker: Pick<Locker, 'id' | 'policyRef'> | null): Rules {
  const policies = useQuery(policiesQuery(useApi()));
  const service: Service = plan.service ?? plan.type;
  const wish = { ref: locker?.policyRef ?? null, service, lockerId: locker?.id ?? '', groupIds: [] };
  return rulesFor(policyFor((policies.data ?? []) as Parameters<typeof policyFor>[0], wish), plan.type);
}
