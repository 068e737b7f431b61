import { ApiError, type Client } from '@hatchway/contract/client.ts';
import type { ProblemCode } from '@hatchway/contract/problems.ts';
import type { Change } from '../../app/cache.ts';
import { isAnswered } from '../../app/once.ts';
import type { Occupation } from '../../app/queries.ts';

export type BulkAction = 'send' | 'extract' | 'terminate';
/** `refused`: the code that says why; `unanswered` where nobody knows whether it was done; null where it was. */
export type Outcome = { row: Occupation; refused: ProblemCode | 'unanswered' | null };

/** The call's own limit. */
const AT_ONCE = 200;

/**
 * One call for up to 200; each row gets its own answer. Of a call that is refused as a whole, every row is refused; of one without an
 * answer, nothing is known of any.
 */
export const runBulk = async (
  api: Client,
  action: BulkAction,
  rows: readonly Occupation[],
  applyChange: (change: Change) => void,
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const part = rows.slice(at, at + AT_ONCE);
    const body = { ids: part.map((row) => row.id).toSorted(), action: action === 'terminate' ? ('delete' as const) : action };
    try {
      const answers = await api('POST /occupations/bulk', { body });
      const byId = new Map(answers.map((answer) => [answer.id, answer]));
      for (const row of part) {
        const answer = byId.get(row.id);
        if (answer?.occupation) applyChange({ noun: 'occupations', method: 'PUT', data: answer.occupation });
        outcomes.push({ row, refused: answer?.ok ? null : (answer?.problem?.code ?? 'not-found') });
      }
    } catch (error) {
      const answered = error instanceof ApiError && isAnswered(error);
      const refused: Outcome['refused'] = answered ? (error.problem?.code ?? 'unavailable') : 'unanswered';
      outcomes.push(...part.map((row) => ({ row, refused })));
    }
  }
  return outcomes;
};
