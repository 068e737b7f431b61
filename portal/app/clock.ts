/** Milliseconds. The server tells whole seconds, and its answer was under way: a browser whose clock is right is not set by them. */
const RIGHT = 3_000;

let ahead = 0;

/** Hears from an answer how late it is where deadlines are made and kept: the clock of a machine at a counter may be wrong. */
export const hearClock = (answer: Response, now: number = Date.now()): Response => {
  const told = Date.parse(answer.headers.get('date') ?? '');
  if (!Number.isNaN(told)) ahead = Math.abs(told - now) > RIGHT ? told - now : 0;
  return answer;
};

/** The server's time, as milliseconds since 1970; the browser's own until an answer was heard. */
export const serverNow = (): number => Date.now() + ahead;
