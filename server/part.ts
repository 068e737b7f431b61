import type { Logger } from 'pino';

/** What a node needs and does not hold itself. It may be away while the node goes on. */
export type Part = { readonly away: boolean; lose: (reason: string) => void; regain: () => void };

/** Its going and its coming back are told once each, however many calls notice. */
export const newPart = (name: string, log: Pick<Logger, 'warn'>): Part => {
  let since: number | null = null;
  return {
    get away() {
      return since !== null;
    },
    lose: (reason) => {
      if (since !== null) return;
      since = Date.now();
      log.warn({ part: name, reason }, `the ${name} is away`);
    },
    regain: () => {
      if (since === null) return;
      log.warn({ part: name, seconds: Math.round((Date.now() - since) / 1000) }, `the ${name} is back`);
      since = null;
    },
  };
};
