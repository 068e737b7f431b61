import type { Client } from '@hatchway/contract/client.ts';
import type { Change } from '../../app/cache.ts';
import type { Occupation } from '../../app/queries.ts';

export type BulkAction = 'send' | 'extract' | 'terminate';
export type Outcome = { row: Occupation; error?: unknown };

/** So many at a time: enough to be quick, few enough that a slow server is not flooded. */
const AT_ONCE = 4;

/** One call a row, each with the version that was shown: a row that changed meanwhile is refused as stale rather than changed blindly. */
export const runBulk = async (
  api: Client,
  action: BulkAction,
  rows: readonly Occupation[],
  applyChange: (change: Change) => void,
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  const waiting = [...rows];
  const one = async (row: Occupation): Promise<Outcome> => {
    try {
      if (action === 'terminate') {
        await api('DELETE /occupations/{id}', { params: { id: row.id }, body: { version: row.version } });
        applyChange({ noun: 'occupations', method: 'DELETE', data: { id: row.id } });
      } else {
        const data = await api('PUT /occupations', { body: { id: row.id, version: row.version, action } });
        applyChange({ noun: 'occupations', method: 'PUT', data });
      }
      return { row };
    } catch (error) {
      return { row, error };
    }
  };
  const worker = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) outcomes.push(await one(row));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
};
