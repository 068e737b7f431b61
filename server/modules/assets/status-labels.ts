import { sql } from 'kysely';
import type { z } from 'zod';
import type { statusLabel } from '@hatchway/contract/assets.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { company } from '../companies/queries.ts';

type StatusLabel = z.infer<typeof statusLabel>;

/** What every company begins with, in its language. Rows like any other from then on. */
const FIRST = [
  { en: 'Ready', nb: 'Klar', type: 'deployable', color: '#1c6b3a', default_label: true, show_in_nav: true },
  { en: 'Pending', nb: 'Venter', type: 'pending', color: '#8a4b00', default_label: false, show_in_nav: false },
  { en: 'In repair', nb: 'Til reparasjon', type: 'undeployable', color: '#a51d1d', default_label: false, show_in_nav: true },
  { en: 'Archived', nb: 'Arkivert', type: 'archived', color: '#4b5a58', default_label: false, show_in_nav: false },
] as const;

/** Made when they are first needed: a company may also be known to an outside identity provider alone, and is never "created" here. */
const makeFirst = async (tx: Tx, scope: Scope): Promise<void> => {
  const known = await tx.selectFrom('status_labels').select('id').where('tenant_id', '=', scope.tenantId).limit(1).executeTakeFirst();
  if (known) return;
  const locale = (await company(tx, scope.tenantId))?.locale === 'nb' ? 'nb' : 'en';
  await tx
    .insertInto('status_labels')
    .values(
      FIRST.map(({ en, nb, ...label }) => ({
        ...label,
        tenant_id: scope.tenantId,
        id: newId(),
        name: locale === 'nb' ? nb : en,
        created_at: scope.now,
        updated_at: scope.now,
      })),
    )
    // Two first looks at once make them once.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

export const listStatusLabels = async (tx: Tx, scope: Scope): Promise<StatusLabel[]> => {
  await makeFirst(tx, scope);
  const rows = await tx
    .selectFrom('status_labels as s')
    .selectAll('s')
    .select(
      sql<number>`(select count(*)::int from assets a where a.tenant_id = s.tenant_id and a.status_label_id = s.id)`.as('assets_count'),
    )
    .where('s.tenant_id', '=', scope.tenantId)
    .orderBy('s.default_label', 'desc')
    .orderBy('s.name')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    type: row.type,
    color: row.color,
    notes: row.notes,
    show_in_nav: row.show_in_nav,
    default_label: row.default_label,
    assets_count: row.assets_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
};

/** What a new asset gets where nobody says; null for a company that wants none. */
export const defaultLabel = async (tx: Tx, scope: Scope): Promise<string | null> => {
  await makeFirst(tx, scope);
  const row = await tx
    .selectFrom('status_labels')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('default_label', '=', true)
    .executeTakeFirst();
  return row?.id ?? null;
};
