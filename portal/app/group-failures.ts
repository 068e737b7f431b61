/** Calls about groups, and the people who can be put in. */
const GROUP_CALLS = /^[A-Z]+ \/(groups(\/|$)|accounts$)/;
const MOST = 20;

type GroupFailure = { call: string; message: string };

/**
 * The specification wants the message of a group call's error recorded and logged. It reaches the caller all the same: a form says what
 * is wrong, and a list that could not be fetched offers to try again instead of claiming that there are no groups.
 */
export const keepGroupFailures = (log: (line: string) => void = (line) => console.error(line)) => {
  const kept: GroupFailure[] = [];
  return {
    kept: (): readonly GroupFailure[] => kept,
    note: (call: string, error: Error): void => {
      if (!GROUP_CALLS.test(call)) return;
      kept.push({ call, message: error.message });
      if (kept.length > MOST) kept.shift();
      log(`${call}: ${error.message}`);
    },
  };
};
