import { LOCKER_RESOURCE, scopeUrn, type Scope } from '@hatchway/domain/terms.ts';
import { PORTAL_CLIENT } from './options.ts';
import { companiesOf, findAccount, lockerScopes, noteSeen, type Account, type Company } from './people.ts';
import { sessionCompany } from './sessions.ts';
import type { IdentityTx, InIdentity } from './tables.ts';

export type Mint = { account: Account; company: Company | null; scopes: Scope[] };

/**
 * What a token for this session would say, read from the database now. Null when there must be no token any more: the
 * account is gone or disabled, or the membership of the company that the session is for was withdrawn.
 */
export function mintFor(run: InIdentity, accountId: string, sessionUid: string | undefined, now: Date): Promise<Mint | null> {
  return run(async (tx) => {
    const account = await findAccount(tx, accountId);
    if (!account || account.disabled) return null;
    const companies = await companiesOf(tx, accountId);
    const chosen = sessionUid ? await sessionCompany(tx, sessionUid) : undefined;
    if (chosen?.tenantId) {
      const company = companies.find((one) => one.tenantId === chosen.tenantId);
      return company ? inCompany(tx, account, company, now) : null;
    }
    // Nobody chose, since there was nothing to choose: with one company it is that one, also if they joined it just now.
    const [only, ...more] = companies;
    return only && more.length === 0 ? inCompany(tx, account, only, now) : { account, company: null, scopes: [] };
  });
}

async function inCompany(tx: IdentityTx, account: Account, company: Company, now: Date): Promise<Mint> {
  await noteSeen(tx, company.tenantId, account.id, now);
  return { account, company, scopes: await lockerScopes(tx, company.tenantId, account.id) };
}

const present = <T extends Record<string, unknown>>(record: T) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));

export const personClaims = ({ account }: Mint) =>
  present({
    preferred_username: account.email ?? account.tlf,
    name: account.name,
    email: account.email,
    phone_number: account.tlf,
    locale: account.locale,
  });

export function accessClaims(mint: Mint, clientId: string, sessionUid: string | undefined): Record<string, unknown> {
  const roles = mint.company?.roles ?? [];
  return {
    typ: 'Bearer',
    azp: clientId,
    ...present({ sid: sessionUid }),
    ...personClaims(mint),
    realm_access: { roles },
    resource_access: { [PORTAL_CLIENT]: { roles } },
    ...(mint.company && { tenant: { tenant_id: mint.company.tenantId, tenant_name: mint.company.name, roles } }),
    licenses: mint.company?.licenses ?? [],
    permissions: mint.scopes.length > 0 ? { [LOCKER_RESOURCE]: mint.scopes.map(scopeUrn) } : {},
  };
}
