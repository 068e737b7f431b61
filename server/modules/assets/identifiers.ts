import type { Asset } from '@hatchway/contract/assets.ts';
import type { Tx } from '../../db/database.ts';
import { Problem } from '../../http/problem.ts';

export type Identifier = Asset['identifiers'][number];
type Row = { kind: string; value: string };

const keyOf = ({ kind, value }: Row): string => `${kind}\n${value}`;
export const rowOf = ({ kind, value }: Identifier): Row => ({ kind: kind.toLowerCase(), value });

/**
 * What an asset is to carry, as rows. Throws Problem `rule` where one stands twice, and `identifier-taken` where another asset carries it,
 * each with its place; of two who write it at once, the second hears that from the database.
 */
export const readIdentifiers = async (
  tx: Tx,
  tenantId: string,
  assetId: string,
  input: { identifiers: readonly Identifier[]; externalId?: string | null | undefined },
): Promise<Row[]> => {
  const rows = input.identifiers.map(rowOf);
  const seen = new Set<string>();
  rows.forEach((row, at) => {
    const pointer = `/identifiers/${at}`;
    if (seen.has(keyOf(row)))
      throw new Problem('rule', `${pointer}: stands there twice`, { errors: [{ pointer, detail: 'stands there twice' }] });
    seen.add(keyOf(row));
  });
  if (rows.length > 0) {
    const taken = await tx
      .selectFrom('asset_identifiers as i')
      .innerJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 'i.tenant_id').onRef('a.id', '=', 'i.asset_id'))
      .select(['i.kind', 'i.value', 'a.id', 'a.name'])
      .where('i.tenant_id', '=', tenantId)
      .where('i.asset_id', '!=', assetId)
      .where((eb) =>
        eb(
          eb.refTuple('i.kind', 'i.value'),
          'in',
          rows.map(({ kind, value }) => eb.tuple(kind, value)),
        ),
      )
      .limit(1)
      .executeTakeFirst();
    if (taken) throw takenBy(taken, `/identifiers/${rows.findIndex((row) => keyOf(row) === keyOf(taken))}`);
  }
  if (input.externalId) {
    const taken = await tx
      .selectFrom('assets')
      .select(['id', 'name'])
      .where('tenant_id', '=', tenantId)
      .where('source', '=', 'local')
      .where('external_id', '=', input.externalId)
      .where('id', '!=', assetId)
      .executeTakeFirst();
    if (taken) throw takenBy(taken, '/externalId');
  }
  return rows;
};

const takenBy = ({ id, name }: { id: string; name: string }, pointer: string): Problem =>
  new Problem('identifier-taken', `${pointer}: ${name} carries this`, {
    errors: [{ pointer, detail: `${name} carries this` }],
    data: { assetId: id, name },
  });

/** Makes these the asset's only ones. */
export const giveIdentifiers = async (tx: Tx, tenantId: string, assetId: string, rows: readonly Row[]): Promise<void> => {
  await tx.deleteFrom('asset_identifiers').where('tenant_id', '=', tenantId).where('asset_id', '=', assetId).execute();
  if (rows.length === 0) return;
  // In one order, so that two who write the same ones wait for each other instead of for ever.
  const ordered = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await tx
    .insertInto('asset_identifiers')
    .values(ordered.map((row) => ({ tenant_id: tenantId, asset_id: assetId, ...row })))
    .execute();
};
