import { sql, type SqlBool } from 'kysely';
import type { ToolDifference } from '@hatchway/contract/asset-tool.ts';
import { differencesOf } from '@hatchway/domain/asset-tool.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';

/** Of one tool; what is more is found again once these are settled. */
const AT_MOST = 200;
const { FILLED, VACANT, TERMINATED } = STAGES;

/** What may differ at all: what is in use here, was refused or not told yet, or carries an identifier of ours. */
const candidates = (tx: Tx, tenantId: string, integrationId: string) =>
  tx
    .selectFrom('tool_assets as t')
    .innerJoin('integrations as i', (join) => join.onRef('i.tenant_id', '=', 't.tenant_id').onRef('i.id', '=', 't.integration_id'))
    .innerJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 't.tenant_id').onRef('a.id', '=', 't.asset_id'))
    .leftJoin('loans as n', (join) =>
      join.onRef('n.tenant_id', '=', 'a.tenant_id').onRef('n.asset_id', '=', 'a.id').on('n.returned_at', 'is', null),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('occupations as u')
          .select(['u.id', 'u.type', 'u.stage', 'u.door_tag', 'u.external_ref'])
          .whereRef('u.tenant_id', '=', 'a.tenant_id')
          .whereRef('u.asset_id', '=', 'a.id')
          .where('u.stage', '<', TERMINATED)
          .orderBy('u.created_at', 'desc')
          .limit(1)
          .as('o'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('tool_operations as p')
          .select(['p.id', 'p.kind', 'p.state', 'p.error', 'p.created_at', 'p.updated_at', 'p.occupation_id'])
          .whereRef('p.tenant_id', '=', 't.tenant_id')
          .whereRef('p.asset_id', '=', 't.asset_id')
          .orderBy('p.id', 'desc')
          .limit(1)
          .as('q'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('asset_identifiers as x')
          .innerJoin('assets as b', (join) => join.onRef('b.tenant_id', '=', 'x.tenant_id').onRef('b.id', '=', 'x.asset_id'))
          .select('b.id')
          .whereRef('x.tenant_id', '=', 'a.tenant_id')
          .where(sql<SqlBool>`x.form = identifier_form(a.identifiers->0->>'value') and b.id <> a.id`)
          .limit(1)
          .as('s'),
      (join) => join.onTrue(),
    )
    .leftJoin('asset_requests as r', (join) =>
      join
        .onRef('r.tenant_id', '=', 't.tenant_id')
        .onRef('r.integration_id', '=', 't.integration_id')
        .onRef('r.ref', '=', 'o.external_ref')
        .on('r.state', '=', 'closed'),
    )
    .where('t.tenant_id', '=', tenantId)
    .where('t.integration_id', '=', integrationId)
    .where((eb) =>
      eb.or([
        eb('o.id', 'is not', null),
        eb('n.id', 'is not', null),
        eb('q.state', '!=', 'done'),
        eb.and([eb('s.id', 'is not', null), eb('t.gone_at', 'is', null)]),
      ]),
    )
    .select(['t.state', 't.url', 't.gone_at', 'a.id', 'a.name', 'n.id as loan_id', 'n.occupation_id as loan_of', 'i.last_sync_at'])
    .select(['o.id as use_id', 'o.type', 'o.stage', 'o.door_tag', 's.id as other_id', 'r.id as closed_id'])
    .select([
      'q.id as telling_id',
      'q.kind as telling',
      'q.state as told',
      'q.error',
      'q.created_at as told_at',
      'q.updated_at as heard_at',
    ])
    .orderBy('a.updated_at', 'desc')
    .orderBy('a.id')
    .limit(AT_MOST);
type Row = Awaited<ReturnType<ReturnType<typeof candidates>['executeTakeFirstOrThrow']>>;

/** Lent, or for a receiver; offered in a locker; or neither. */
const hereOf = ({ loan_id: loan, type, stage }: Row): 'out' | 'in' | null => {
  if (loan !== null) return 'out';
  const lies = stage !== null && stage >= FILLED && stage < VACANT;
  if (!lies) return null;
  return type === 'delivery' ? 'out' : type === 'lending' ? 'in' : null;
};

export const differencesWith = async (tx: Tx, tenantId: string, integrationId: string): Promise<ToolDifference[]> =>
  (await candidates(tx, tenantId, integrationId).execute()).flatMap((row) =>
    differencesOf({
      there: row.state,
      isGone: row.gone_at !== null,
      here: hereOf(row),
      inUse: row.use_id !== null || row.loan_id !== null,
      told: row.told === null ? null : { state: row.told },
      isHeardSince: row.heard_at === null || (row.last_sync_at !== null && row.last_sync_at >= row.heard_at),
      requestClosed: row.closed_id !== null,
      sharesIdentifier: row.other_id !== null && row.gone_at === null,
    }).map((what): ToolDifference => {
      const isTelling = what === 'refused' || what === 'untold';
      return {
        asset: { id: row.id, name: row.name },
        what,
        url: row.url,
        occupationId: row.use_id ?? row.loan_of,
        doorTag: row.door_tag,
        otherAssetId: what === 'same-identifier' ? row.other_id : null,
        telling:
          isTelling && row.telling_id !== null && row.telling !== null && row.told_at !== null
            ? { id: row.telling_id, kind: row.telling, error: row.error, createdAt: row.told_at }
            : null,
      };
    }),
  );
