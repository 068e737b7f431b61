import { dependsOnPerson, rulesOf, type Policy, type Rules } from '@hatchway/domain/policy.ts';
import { normalEmail } from '@hatchway/domain/receiver.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { policiesQuery, receiversQuery } from './api.ts';
import type { Plan } from './plan.ts';

type Addressed = { email: string; tlf: string };

/** What the policies say of this service at that door for that person; the house's rules until they are read. The server asks the same functions. */
export function useRules(plan: Plan, locker: Pick<Locker, 'id' | 'policyRef'> | null, person: Addressed): Rules {
  const api = useApi();
  const policies = (useQuery(policiesQuery(api)).data ?? []) as readonly Policy[];
  const service: Service = plan.service ?? plan.type;
  const wish = { ref: locker?.policyRef ?? null, service, lockerId: locker?.id ?? '' };
  const groupIds = useGroupsOf(person, dependsOnPerson(policies, wish));
  return rulesOf(policies, { ...wish, groupIds }, plan.type);
}

/** Asked only where it makes a difference: most companies have no policy for groups. */
function useGroupsOf({ email, tlf }: Addressed, asks: boolean): readonly string[] {
  const address = normalEmail(email);
  const search = address === '' ? tlf.trim() : address;
  const query = receiversQuery(useApi(), search);
  const found = useQuery({ ...query, enabled: asks && search.length >= 2 }).data ?? [];
  const digits = (number: string | null) => (number ?? '').replaceAll(/\D/g, '');
  const same = (one: { email: string | null; tlf: string | null }) =>
    address === '' ? digits(one.tlf).endsWith(digits(tlf)) : one.email === address;
  return found.find((one) => one.groupIds.length > 0 && same(one))?.groupIds ?? [];
}
