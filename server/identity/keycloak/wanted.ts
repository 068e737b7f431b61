import { LOCKER_RESOURCE, scopeUrn } from '@hatchway/domain/terms.ts';
import type { Mint } from '../claims.ts';
import { companiesOf, findAccount, lockerScopes } from '../people.ts';
import type { IdentityTx } from '../tables.ts';
import type { KeycloakUser, UserChange } from './admin.ts';
import type { Taken } from './people.ts';

type Whose = Pick<Taken, 'account_id' | 'chosen_id' | 'told_id'>;

/**
 * What tokens of this person are to say, as the database has it now: for the company that they chose, else for the one that their tokens are
 * for already, else for the first; none that is suspended but by choice, or where there is no other. `hasLeft`: they belong to that one no longer, and their
 * sign-in for it ends with it. Null where the account is gone.
 */
export async function mintOf(
  tx: IdentityTx,
  { account_id: accountId, chosen_id, told_id }: Whose,
): Promise<(Mint & { hasLeft: boolean }) | null> {
  const account = await findAccount(tx, accountId);
  if (!account) return null;
  const companies = await companiesOf(tx, accountId);
  const open = companies.filter(({ suspended }) => !suspended);
  const company =
    companies.find(({ tenantId }) => tenantId === chosen_id) ??
    open.find(({ tenantId }) => tenantId === told_id) ??
    open[0] ??
    companies[0] ??
    null;
  const hasLeft = told_id !== null && !companies.some(({ tenantId }) => tenantId === told_id);
  return { account, company, scopes: company ? await lockerScopes(tx, company.tenantId, accountId) : [], hasLeft };
}

/** The attributes that the realm's mappers make claims of. Keycloak takes one without a value for one that is not there. */
const attributesOf = ({ account, company, scopes }: Mint): Record<string, string[]> => ({
  account_id: [account.id],
  tlf: account.tlf === null ? [] : [account.tlf],
  tenant_id: company ? [company.tenantId] : [],
  tenant_name: company ? [company.name] : [],
  tenant_roles: company ? company.roles.toSorted() : [],
  licenses: company ? company.licenses.toSorted() : [],
  // The mapper reads it as JSON, and fails the whole sign-in where it is none.
  permissions: scopes.length > 0 ? [JSON.stringify({ [LOCKER_RESOURCE]: scopes.map(scopeUrn) })] : [],
});

/**
 * Keycloak signs people in by name or by e-mail. Who has a number has it as their name, and so both ways; who has none, their address.
 * Keycloak writes the two names one after the other, as the person wrote them.
 */
export const userOf = (mint: Mint): UserChange => {
  const { account } = mint;
  const words = account.name.split(' ');
  return {
    username: (account.tlf ?? account.email ?? account.id).toLowerCase(),
    email: account.email ?? '',
    emailVerified: account.email !== null && account.emailProved,
    firstName: words.slice(0, -1).join(' ') || account.name,
    lastName: words.length > 1 ? (words.at(-1) ?? '') : '',
    enabled: !account.disabled,
    attributes: attributesOf(mint),
  };
};

/** With what Keycloak's own people keep there: other attributes, and all that we know nothing of. */
export const mergedWith = (known: KeycloakUser, user: UserChange): object => ({
  ...known,
  ...user,
  attributes: { ...known.attributes, ...user.attributes },
});
