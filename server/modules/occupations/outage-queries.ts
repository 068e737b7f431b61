import type { Span } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';

/** When each of these cabinets was away since then; one that was not has no entry. */
export const outagesOfMany = async (
  tx: Tx,
  tenantId: string,
  cabinetIds: readonly string[],
  since: string | null,
): Promise<Map<string, Span[]>> => {
  if (cabinetIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('outages')
    .select(['cabinet_id', 'started_at', 'ended_at'])
    .where('tenant_id', '=', tenantId)
    .where('cabinet_id', 'in', cabinetIds)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', since ?? '1970-01-01T00:00:00Z')]))
    .orderBy('started_at')
    .execute();
  const byCabinet = Map.groupBy(rows, (row) => row.cabinet_id);
  return new Map([...byCabinet].map(([id, spans]) => [id, spans.map((row) => ({ from: row.started_at, to: row.ended_at }))]));
};

export const outagesOf = async (tx: Tx, tenantId: string, cabinetId: string | null, since: string | null): Promise<Span[]> =>
  cabinetId === null ? [] : ((await outagesOfMany(tx, tenantId, [cabinetId], since)).get(cabinetId) ?? []);
