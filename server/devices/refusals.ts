import { brief, type Log } from './log.ts';

const MINUTE_MS = 60_000;
/** A minute: of one name from one network, and of a network whatever the names. */
const REFUSALS = { one: 30, network: 120 };
const KNOWN_AT_MOST = 50_000;

/** Whose logins are not looked at any more for the rest of a minute, because so many were refused. Of this node alone, in memory. */
export interface Refusals {
  /** Counts a login before it is looked at, as many come at once. False where it is not to be looked at. */
  begin: (network: string, name: string) => boolean;
  /** `not-known`: nobody could look it up, which is not their mistake. */
  end: (network: string, name: string, how: 'let-in' | 'refused' | 'not-known') => void;
}

export function createRefusals(log: Log, now: () => number = Date.now): Refusals {
  // Who signed in rightly from there is not put out by what strangers there get wrong with other names.
  const known = new Set<string>();
  let counts = new Map<string, number>();
  let told = new Set<string>();
  let minute = 0;

  const keyOf = (network: string, name: string) => `${network} ${brief(name)}`;
  const countOf = (key: string) => counts.get(key) ?? 0;

  function turn() {
    const current = Math.floor(now() / MINUTE_MS);
    if (current === minute) return;
    minute = current;
    counts = new Map();
    told = new Set();
  }

  return {
    begin(network, name) {
      turn();
      const own = keyOf(network, name);
      if (countOf(own) < REFUSALS.one && (known.has(own) || countOf(network) < REFUSALS.network)) {
        counts.set(own, countOf(own) + 1);
        return true;
      }
      if (!told.has(network)) {
        told.add(network);
        log.warn({ network, username: brief(name) }, 'more device logins from there are refused unseen for the rest of this minute');
      }
      return false;
    },
    end(network, name, how) {
      turn();
      const own = keyOf(network, name);
      if (how === 'refused') return void counts.set(network, countOf(network) + 1);
      counts.set(own, Math.max(0, countOf(own) - 1));
      if (how !== 'let-in') return;
      // Put in anew, it stands last: who was not there for longest is forgotten first.
      known.delete(own);
      known.add(own);
      for (const oldest of known) {
        if (known.size <= KNOWN_AT_MOST) break;
        known.delete(oldest);
      }
    },
  };
}
