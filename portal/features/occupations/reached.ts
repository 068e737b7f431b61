import type { Message } from './api.ts';

/** Whether a message in that state is known to have gone out. */
export const reached = (state: string | undefined): boolean => state === 'accepted' || state === 'delivered';

/** The last one that called somebody to a locker: what staff were told of it meanwhile, or a reminder, says nothing of that. */
export const lastCall = (messages: readonly Message[] | undefined): Message | undefined =>
  messages?.filter(({ kind }) => kind === 'ready' || kind === 'request').toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
