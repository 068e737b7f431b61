/** A hand scanner types like a person, only faster than one can: at most this many milliseconds between two keys. */
export const FASTEST_HAND = 50;
/** Door tags such as A04 are the shortest codes there are. */
export const SHORTEST_CODE = 3;

/** Tells a scan from typing. `key` answers true when the key ended a scan (Enter after a fast burst) and was thereby used up. */
export const createWedge = (onScan: (code: string) => void) => {
  let code = '';
  let last = 0;
  return {
    /** A burst is under way: its keys are no commands. */
    within: (at: number): boolean => code !== '' && at - last <= FASTEST_HAND,
    key: (key: string, at: number): boolean => {
      const slow = at - last > FASTEST_HAND;
      last = at;
      if (key === 'Enter') {
        const scanned = code;
        code = '';
        if (slow || scanned.length < SHORTEST_CODE) return false;
        onScan(scanned);
        return true;
      }
      if (key.length !== 1) return false;
      code = slow ? key : code + key;
      return false;
    },
  };
};
