import { randomUUID } from 'node:crypto';
import { query } from './test-database.ts';

export type Column = { name: string; type: string; generated: boolean; required: boolean; allowed: string | null };
/** `guarded`: by the usual policy, so that its company reads and writes it. */
export type TenantTable = { name: string; guarded: boolean; columns: Column[] };

/** All tables with a tenant_id, out of the catalogue. */
export async function tenantTables(ownerUrl: string): Promise<TenantTable[]> {
  return await query<TenantTable>(
    ownerUrl,
    `select c.relname as name,
       exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant') as guarded,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
         'generated', a.attgenerated <> '' or a.attidentity <> '', 'required', a.attnotnull and not a.atthasdef,
         'allowed', (select substring(pg_get_constraintdef(k.oid) from '''([^'']+)''::text') from pg_constraint k
           where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) ~ 'ARRAY' limit 1)
       ) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
     group by c.oid, c.relname order by c.relname`,
  );
}

/** Where the catalogue alone does not say what a row needs. */
const NEEDED: Record<string, Record<string, string>> = {
  invitations: { email: "'x@example.test'" },
  occupations: { stage: '0', locker_id: `'${randomUUID()}'` },
};

/** An insert of one row of any tenant table that keeps its checks. */
export function rowFor(table: TenantTable, tenant: string): string {
  const values = new Map<string, string>();
  for (const column of table.columns) {
    const needed = NEEDED[table.name]?.[column.name];
    if (column.name === 'tenant_id') values.set(column.name, `'${tenant}'`);
    else if (needed !== undefined) values.set(column.name, needed);
    else if (column.required && !column.generated) values.set(column.name, valueOf(column));
  }
  return `insert into ${table.name} (${[...values.keys()].join(', ')}) values (${[...values.values()].join(', ')})`;
}

function valueOf({ type, allowed }: Column): string {
  if (allowed !== null) return `'${allowed}'`;
  if (type === 'uuid') return `'${randomUUID()}'`;
  if (type.startsWith('timestamp')) return 'now()';
  if (type === 'jsonb') return `'{}'`;
  if (type === 'bytea') return `'\\x${randomUUID().replaceAll('-', '')}'`;
  if (type === 'boolean') return 'false';
  if (type === 'integer' || type === 'bigint') return '1';
  if (type.endsWith('[]')) return `'{}'`;
  return `'x${randomUUID().slice(0, 8)}'`;
}
