import { ApiError } from '@hatchway/contract/client.ts';
import type { ProblemCode, ProblemPointer } from '@hatchway/contract/problems.ts';
import { isJam } from '@hatchway/domain/doors.ts';
import { NOT_SEEN } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';
import type { en } from '../i18n/en/catalogue.ts';
import { isLate } from './late.ts';

type Sentence = keyof (typeof en)['problems'];
// Every code of the contract has its sentence: a new code without one does not compile.
const sentenceOf = (code: ProblemCode, data: Record<string, unknown> | undefined): Sentence => {
  if (code === 'rule' && (data?.['number'] === 'number' || data?.['number'] === 'no-sms')) return data['number'];
  const told = data?.['code'];
  // Not this cabinet is away, but what all of them are reached by.
  if (code === 'cabinet-offline' && told === 'broker-away') return 'doors-away';
  // A door that would not open is told apart as far as its controller told: for a jam one can do something.
  if (code !== 'door-refused') return code;
  return isJam(told) ? 'door-jammed' : told === NOT_SEEN ? 'door-not-seen' : code;
};

export type Told = {
  /** Key of the translated sentence, to be read as `t(`problems.${sentence}`)`. */
  sentence: Sentence;
  /** What the server said, for the details behind the sentence; English. */
  detail: string;
  errors: readonly ProblemPointer[];
  retryAfter: number | null;
};

/** What to tell about anything that was thrown: never raw JSON, never a stack. */
export const tell = (error: unknown): Told => {
  if (error instanceof ApiError) {
    const { problem } = error;
    return {
      sentence: problem ? sentenceOf(problem.code, problem.data) : error.status >= 500 ? 'unavailable' : 'other',
      detail: problem?.detail ?? `HTTP ${error.status}`,
      errors: problem?.errors ?? [],
      retryAfter: error.retryAfter,
    };
  }
  return {
    // fetch throws TypeError when no answer came at all.
    sentence: error instanceof TypeError || isLate(error) ? 'network' : 'other',
    detail: error instanceof Error ? error.message : String(error),
    errors: [],
    retryAfter: null,
  };
};

/** What the server told beside its problem, for a screen to go on from. */
export const dataOf = (error: unknown): Record<string, unknown> => (error instanceof ApiError ? (error.problem?.data ?? {}) : {});

/** The controller's own code of a door that it refused, where the server passed it on. */
export const controllerCodeOf = (error: unknown): unknown => dataOf(error)['code'];

export const codeOf = (error: unknown): ProblemCode | null => (error instanceof ApiError ? (error.problem?.code ?? null) : null);

/** Which fields a problem points at, by name (`/receiver/email` → `receiver.email`). */
export const refusedFields = (error: unknown): string[] =>
  tell(error).errors.map(({ pointer }) => pointer.replace(/^\//, '').replaceAll('/', '.'));

/** What a form shows beside each of them: a sentence of the catalogue, since the server's own is English and for who reads the API. */
export const fieldErrors = (error: unknown, t: TFunction): Record<string, string> => {
  const { sentence } = tell(error);
  const said = sentence === 'rule' || sentence === 'malformed' ? t('problems.field') : t(`problems.${sentence}`);
  return Object.fromEntries(refusedFields(error).map((field) => [field, said]));
};
