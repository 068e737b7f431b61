import { NOT_NEEDED, STAGES } from '@hatchway/domain/terms.ts';
import type { Message } from './api.ts';
import { isRequest } from './last-call.ts';

/**
 * One that failed, or whose fate nobody knows; not where it was no longer needed, nor once its address was forgotten, nor where it asks for
 * what is awaited no more, or says of what lies there again that it was taken out. `stage`: its occupation's, where it is read already.
 */
export const isSendable = ({ kind, state, error, to }: Pick<Message, 'kind' | 'state' | 'error' | 'to'>, stage?: number): boolean =>
  (state === 'failed' || state === 'unknown') &&
  error !== NOT_NEEDED &&
  to !== '' &&
  !(isRequest(kind) && stage !== undefined && stage > STAGES.INITIATED) &&
  !(kind === 'taken-out' && stage !== undefined && stage < STAGES.VACANT);
