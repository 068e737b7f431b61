/** Rows that answer together. `waits`: for what is typed now, they have not come. */
type Group = { waits: boolean; actions: readonly { label?: string; keywords?: string | string[] }[] };

/**
 * The row that Enter takes, counted over all groups (-1: none): the first that is just what was typed, else the first of all. It `waits`
 * until its group and all above it have answered, since what comes then may stand first; what comes below changes nothing.
 */
export const markedRow = (groups: readonly Group[], typed: string): { at: number; waits: boolean } => {
  const rows = groups.flatMap(({ actions, waits }, group) => actions.map((row) => ({ row, waits, group })));
  const exact = rows.findIndex(({ row }) => isExactly(row, typed.trim().toLowerCase()));
  const at = Math.min(Math.max(0, exact), rows.length - 1);
  const marked = rows[at];
  return { at, waits: groups.slice(0, (marked?.group ?? groups.length) + 1).some(({ waits }) => waits) };
};

/** A row's first word is its door, its name or its screen; what else it is called stands in its keywords. */
const isExactly = ({ label, keywords }: Group['actions'][number], typed: string): boolean =>
  [label?.split(' · ')[0], ...[keywords].flat()].some((word) => word?.toLowerCase() === typed);
