import type { Asset } from '@hatchway/contract/assets.ts';
import { identifierClass, identifierForm } from '@hatchway/domain/identifier.ts';
import type { Tx } from '../../db/database.ts';
import { Problem } from '../../http/problem.ts';

export type Identifier = Asset['identifiers'][number];
type Row = { kind: string; value: string };

/** What one is compared by: of two with the same key, a scan would not know which is meant. */
export const identifierKey = ({ kind, value }: Row): string => `${identifierClass(kind)}\n${identifierForm(value)}`;
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
    const written = `${row.kind}\n${row.value}`;
    if (seen.has(written))
      throw new Problem('rule', `${pointer}: stands there twice`, { errors: [{ pointer, detail: 'stands there twice' }] });
    seen.add(written);
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
          eb.refTuple('i.class', 'i.form'),
          'in',
          rows.map(({ kind, value }) => eb.tuple(identifierClass(kind), identifierForm(value))),
        ),
      )
      .limit(1)
      .executeTakeFirst();
    if (taken) throw takenBy(taken, `/identifiers/${rows.findIndex((row) => identifierKey(row) === identifierKey(taken))}`);
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

/** One of each, in one order, so that two who write the same ones wait for each other instead of for ever. */
export const inOrder = <T extends Row>(rows: readonly T[]): T[] =>
  [...new Map(rows.map((row) => [identifierKey(row), row])).entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);

/** Makes these the asset's only ones. */
export const giveIdentifiers = async (tx: Tx, tenantId: string, assetId: string, rows: readonly Row[]): Promise<void> => {
  await tx.deleteFrom('asset_identifiers').where('tenant_id', '=', tenantId).where('asset_id', '=', assetId).execute();
  if (rows.length === 0) return;
  await tx
    .insertInto('asset_identifiers')
    .values(inOrder(rows).map((row) => ({ tenant_id: tenantId, asset_id: assetId, ...row })))
    .execute();
};
