import { PROBLEMS, type ProblemCode, type ProblemDocument, type ProblemPointer } from '@hatchway/contract/problems.ts';

/** In which a cabinet that was cut off is usually back. */
const OFFLINE_S = 30;

/**
 * A request that is refused for a reason that its sender can understand. Thrown out of a command it also rolls the
 * transaction back. Anything else that is thrown is a defect of ours and answers 500.
 */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly ProblemPointer[];
  readonly data: Record<string, unknown> | undefined;
  /** Seconds, where the answer says when to come again (429, 503). */
  readonly retryAfter: number | undefined;
  constructor(
    code: ProblemCode,
    detail?: string,
    more: { errors?: readonly ProblemPointer[]; data?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(detail ?? PROBLEMS[code].title);
    this.code = code;
    this.errors = more.errors ?? [];
    this.data = more.data;
    this.retryAfter = more.retryAfter ?? (code === 'cabinet-offline' ? OFFLINE_S : undefined);
  }
}

export const statusOf = (code: ProblemCode): number => PROBLEMS[code].status;

export const documentOf = (problem: Problem): ProblemDocument => ({
  type: `/v1/docs#problem-${problem.code}`,
  title: PROBLEMS[problem.code].title,
  status: PROBLEMS[problem.code].status,
  detail: problem.message,
  code: problem.code,
  ...(problem.errors.length > 0 ? { errors: [...problem.errors] } : {}),
  ...(problem.data ? { data: problem.data } : {}),
});

/** A row that is not there, or that is another company's: one answer for both. */
export const absent = (): Problem => new Problem('not-found');

/**
 * Whoever writes upon another version than the row's would undo what they have not seen: `stale`, with the version that stands there now.
 * The row is locked by whoever asks. Without a version the write is upon whatever stands there.
 */
export const mustBeSeen = (row: { version: number }, seen: number | undefined): void => {
  if (seen !== undefined && seen !== row.version) throw new Problem('stale', undefined, { data: { version: row.version } });
};

/** One step of a JSON pointer (RFC 6901). What no step leads to is the whole, whose pointer is the empty string. */
export const stepTo = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** What cannot be read, at its places in the request: 400 with a pointer each, the first of them in words. */
export const malformed = (errors: readonly ProblemPointer[]): Problem => {
  const [first] = errors;
  return new Problem('malformed', first && [first.pointer, first.detail].filter((part) => part !== '').join(': '), { errors });
};
export const malformedAt = (pointer: string, detail: string): Problem => malformed([{ pointer, detail }]);

/** A body whose fields fit each for itself, and not together: 422 with the field that is one too many or wrong beside the others. */
export const ruled = (detail: string, pointer: string, code: 'rule' | 'price' = 'rule', data?: Record<string, unknown>): Problem =>
  new Problem(code, detail, { errors: [{ pointer, detail }], ...(data ? { data } : {}) });

/** A foreign or absent id inside a body: 422 with its pointer, in the same words for both. */
export const unknownReference = (pointer: string): Problem =>
  new Problem('unknown-reference', 'The request names something that does not exist', { errors: [{ pointer, detail: 'does not exist' }] });
