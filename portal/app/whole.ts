type Cursor = { cursor?: string };

/** The most rows that the server gives at once. */
export const PAGE = 500;

/** A list read to its end, page after page by cursor: for what would be wrong with holes in it. */
export const whole = async <T>(page: (cursor: Cursor) => Promise<{ rows: T[]; next: string | null }>): Promise<T[]> => {
  const rows: T[] = [];
  for (let at: Cursor | null = {}; at !== null;) {
    const { rows: more, next }: { rows: T[]; next: string | null } = await page(at);
    rows.push(...more);
    at = next === null ? null : { cursor: next };
  }
  return rows;
};
