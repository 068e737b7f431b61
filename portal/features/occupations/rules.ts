import { dependsOnPerson, rulesOf, type Policy, type Rules } from '@hatchway/domain/policy.ts';
import { isEmail, normalEmail, toE164 } from '@hatchway/domain/receiver.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { useCountry } from '../../app/who.ts';
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

/** Asked only where it makes a difference: most companies have no policy for groups. Either address may be the one that a member has. */
function useGroupsOf(person: Addressed, asks: boolean): readonly string[] {
  const email = normalEmail(person.email);
  const tlf = toE164(person.tlf, useCountry()) ?? '';
  const byEmail = useQuery({ ...receiversQuery(useApi(), email), enabled: asks && isEmail(email) }).data ?? [];
  const byTlf = useQuery({ ...receiversQuery(useApi(), tlf), enabled: asks && tlf !== '' }).data ?? [];
  const known = [...byEmail.filter((one) => one.email === email), ...byTlf.filter((one) => one.tlf === tlf)];
  return known.flatMap(({ groupIds }) => groupIds);
}
