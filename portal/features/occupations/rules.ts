import { dependsOnPerson, rulesOf, type Policy, type Rules } from '@hatchway/domain/policy.ts';
import { isEmail, isNumberOf, mayBeNumber, normalEmail } from '@hatchway/domain/receiver.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { policiesQuery, receiversQuery } from './api.ts';
import type { Plan } from './plan.ts';

type Addressed = { email: string; tlf: string };

/**
 * What the policies say of this service at that door for that person; the house's rules until they are read. The server asks the same
 * functions. `known`: they are read, and so is who it is for, where that makes a difference.
 */
export function useRules(plan: Plan, locker: Pick<Locker, 'id' | 'policyRef'> | null, person: Addressed): { rules: Rules; known: boolean } {
  const read = useQuery(policiesQuery(useApi())).data as readonly Policy[] | undefined;
  const policies = read ?? [];
  const service: Service = plan.service ?? plan.type;
  const wish = { ref: locker?.policyRef ?? null, service, lockerId: locker?.id ?? '' };
  const depends = dependsOnPerson(policies, wish);
  const groupIds = useGroupsOf(person, depends);
  return {
    rules: rulesOf(policies, { ...wish, groupIds: groupIds ?? [] }, plan.type),
    known: read !== undefined && (!depends || groupIds !== null),
  };
}

/**
 * Asked only where it makes a difference: most companies have no policy for groups. Either address may be the one that a member has. Null
 * while nobody is named, or not heard of yet.
 */
function useGroupsOf(person: Addressed, asks: boolean): readonly string[] | null {
  const email = normalEmail(person.email);
  const tlf = mayBeNumber(person.tlf) ? person.tlf : '';
  const byEmail = useQuery({ ...receiversQuery(useApi(), email), enabled: asks && isEmail(email) });
  const byTlf = useQuery({ ...receiversQuery(useApi(), tlf), enabled: asks && tlf !== '' });
  const asked = [...(isEmail(email) ? [byEmail] : []), ...(tlf === '' ? [] : [byTlf])];
  if (asked.length === 0 || asked.some(({ data, isPlaceholderData }) => data === undefined || isPlaceholderData)) return null;
  const known = asked.flatMap(({ data }) => data ?? []).filter((one) => one.email === email || isNumberOf(one.tlf, tlf));
  return known.flatMap(({ groupIds }) => groupIds);
}
