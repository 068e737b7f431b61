import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import type { Occupation } from '../../app/queries.ts';
import { messagesQuery } from './api.ts';
import { lastCall, reached } from './reached.ts';

/** Whether the last call to a storage went out; of any other kind its stage says so. */
export const useTold = ({ id, type }: Pick<Occupation, 'id' | 'type'>): boolean => {
  const messages = useQuery({ ...messagesQuery(useApi(), id), enabled: type === 'storage' });
  return reached(lastCall(messages.data)?.state);
};
