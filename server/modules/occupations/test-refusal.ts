import { ApiError } from '@hatchway/contract/client.ts';
import type { ProblemDocument } from '@hatchway/contract/problems.ts';

/** The problem that a call is refused with. Fails where it is not refused. */
export const problemOf = async (call: Promise<unknown>): Promise<ProblemDocument & { retryAfter: number | null }> => {
  const error = await call.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof ApiError) || !error.problem) throw new Error(`expected a refusal, got ${String(error)}`);
  return { ...error.problem, retryAfter: error.retryAfter };
};
export const refusal = async (call: Promise<unknown>): Promise<[number, string]> => {
  const { status, code } = await problemOf(call);
  return [status, code];
};
