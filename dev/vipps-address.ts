import { isLoopback } from '@hatchway/sandbox/loopback.ts';

/**
 * Another payment provider than the sandbox's, as `npm start` may be pointed at it: https, or on this machine. Undefined: none is named.
 * Null: this is the address of none.
 */
export const vippsAt = (text: string | undefined): string | null | undefined => {
  if (text === undefined || text === '') return undefined;
  const url = URL.parse(text);
  if (url === null || url.username + url.password + url.search + url.hash !== '') return null;
  const may = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return may ? text.replace(/\/+$/, '') : null;
};
