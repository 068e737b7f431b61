import { sql, type RawBuilder } from 'kysely';

/** Groups of the company's members who have this address, this number or this account (a uuid); any of them may be null. */
export const groupIdsOf = (tenantId: string, person: Record<'email' | 'tlf' | 'account', RawBuilder<unknown>>): RawBuilder<string[]> =>
  sql`array(select g.group_id from group_members g where g.tenant_id = ${tenantId} and g.account_id in (
    select a.id from accounts a where lower(a.email) = lower(${person.email})
    union select a.id from accounts a where a.tlf = ${person.tlf}
    union select ${person.account}))`;
