import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import type { Message } from './api.ts';

/** One that failed, or whose fate nobody knows; not where it was no longer needed, nor once its address was forgotten. */
export const isSendable = ({ state, error, to }: Pick<Message, 'state' | 'error' | 'to'>): boolean =>
  (state === 'failed' || state === 'unknown') && error !== NOT_NEEDED && to !== '';
