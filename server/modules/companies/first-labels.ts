import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Change } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';

type Locale = 'en' | 'nb';

/** The status labels that every company begins with, in its language. Rows like any other from then on. */
const FIRST = [
  { en: 'Ready', nb: 'Klar', type: 'deployable', color: '#1c6b3a', default_label: true, show_in_nav: true },
  { en: 'Pending', nb: 'Venter', type: 'pending', color: '#8a4b00', default_label: false, show_in_nav: false },
  { en: 'In repair', nb: 'Til reparasjon', type: 'undeployable', color: '#a51d1d', default_label: false, show_in_nav: true },
  { en: 'Archived', nb: 'Arkivert', type: 'archived', color: '#4b5a58', default_label: false, show_in_nav: false },
] as const;

export const makeFirstLabels = async (tx: Tx, tenantId: string, locale: Locale, now: string): Promise<void> => {
  const rows = FIRST.map(({ en, nb, ...label }) => ({
    ...label,
    tenant_id: tenantId,
    id: newId(),
    name: { en, nb }[locale],
    created_at: now,
    updated_at: now,
  }));
  await tx.insertInto('status_labels').values(rows).execute();
};

/** The company speaks another language from now on: what still bears its first name bears it in that one, unless another label does. */
export const translateFirstLabels = async (tx: Tx, { tenantId, now }: Scope, from: Locale, to: Locale): Promise<Change[]> => {
  const names = FIRST.map((label) => sql`(${label[from]}::text, ${label[to]}::text)`);
  const { rows } = await sql<{ id: string }>`
    update status_labels s set name = first.after, updated_at = ${now}, version = version + 1
    from (values ${sql.join(names)}) as first (before, after)
    where s.tenant_id = ${tenantId} and s.name = first.before
      and not exists (select from status_labels o where o.tenant_id = ${tenantId} and lower(o.name) = lower(first.after))
    returning s.id`.execute(tx);
  return rows.map(({ id }): Change => ({ kind: 'statuslabels', id, method: 'PUT' }));
};
