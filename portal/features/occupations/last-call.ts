import type { Message } from './api.ts';

/** Asks somebody to bring it. */
export const isRequest = (kind: Message['kind']): boolean => kind === 'request' || kind === 'recall';

/**
 * How the last call of somebody to a locker went, which may have gone out in two ways at once; undefined before the first. It reached them
 * if either did. What staff were told meanwhile, or a reminder, says nothing of that.
 */
export const lastCall = (messages: readonly Pick<Message, 'kind' | 'state' | 'createdAt'>[] = []): Message['state'] | undefined => {
  const calls = messages
    .filter(({ kind }) => kind === 'ready' || isRequest(kind))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  const states = calls.filter(({ createdAt }) => createdAt === calls[0]?.createdAt).map(({ state }) => state);
  return (['delivered', 'accepted', 'sent', 'queued', 'unknown', 'failed'] as const).find((state) => states.includes(state));
};
