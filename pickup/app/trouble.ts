import { ApiError } from '@hatchway/contract/client.ts';
import type { ProblemCode } from '@hatchway/contract/problems.ts';

/** What went wrong with a call, as far as the page can say something useful about it. */
export type Trouble =
  | { kind: 'line' }
  | { kind: 'code'; triesLeft: number | null }
  | { kind: 'wait'; seconds: number | null; codes: boolean }
  | { kind: 'link' }
  | { kind: 'cabinet' }
  | { kind: 'later' }
  | { kind: 'refused'; code: RefusedCode | null };

/** Refusals that have words of their own. */
const REFUSED = [
  'in-use',
  'too-many',
  'out-of-service',
  'payment-needed',
  'occupation-transition',
  'door-tag-mismatch',
  'door-open',
  'not-yet',
  'quantity',
  'sold-out',
  'gone',
  'no-free-locker',
  'locker-taken',
  'locker-in-doubt',
  'nothing-waiting',
  'cabinet-offline',
  'not-in-group',
  'not-found',
] as const;
export type RefusedCode = (typeof REFUSED)[number] & ProblemCode;

const numberIn = (data: Record<string, unknown> | undefined, name: string): number | null => {
  const value = data?.[name];
  return typeof value === 'number' ? value : null;
};

export function troubleOf(error: unknown): Trouble {
  // No ApiError: nothing came back, or something unreadable (a captive portal's page). Either way it is the line.
  if (!(error instanceof ApiError)) return { kind: 'line' };
  const { problem, retryAfter } = error;
  switch (problem?.code) {
    case 'unknown-link':
      return { kind: 'link' };
    case 'unknown-cabinet':
      return { kind: 'cabinet' };
    case 'wrong-code':
      return { kind: 'code', triesLeft: numberIn(problem.data, 'triesLeft') };
    case 'too-many-codes':
      return { kind: 'wait', seconds: retryAfter, codes: true };
    case 'too-many-requests':
      return { kind: 'wait', seconds: retryAfter, codes: false };
    default:
      break;
  }
  if (error.status >= 500 && problem?.code !== 'cabinet-offline') return problem === null ? { kind: 'line' } : { kind: 'later' };
  return { kind: 'refused', code: REFUSED.find((code) => code === problem?.code) ?? null };
}
