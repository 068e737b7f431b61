import { sql, type RawBuilder } from 'kysely';

/**
 * Groups of the company's members who have this address, this number or this account (a uuid); any of them may be null. By the function
 * that signing in asks too: under row-level security an address is no key of the accounts, and all companies' would be walked.
 */
export const groupIdsOf = (tenantId: string, person: Record<'email' | 'tlf' | 'account', RawBuilder<unknown>>): RawBuilder<string[]> =>
  sql`array(select g.group_id from group_members g where g.tenant_id = ${tenantId} and g.account_id in (
    select find_account(${person.email}) union select find_account(${person.tlf}) union select ${person.account}))`;
