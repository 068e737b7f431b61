/**
 * What a row of a list reads as on the wire, by a key that names each of the versions that it is made of: a row that changed has another
 * key, so nothing here is ever wrong, and nothing need be taken out. As many as fit are kept; of those that nobody asked for lately the
 * older half goes.
 */
export type KeptRows = { get: (key: string) => string | undefined; keep: (key: string, text: string) => void };

const AT_MOST = 8_192;

export const keptRows = (atMost = AT_MOST): KeptRows => {
  let young = new Map<string, string>();
  let old: ReadonlyMap<string, string> = new Map();
  const keep = (key: string, text: string) => {
    if (young.size >= atMost / 2) [old, young] = [young, new Map()];
    young.set(key, text);
  };
  return {
    get: (key) => {
      const text = young.get(key);
      if (text !== undefined) return text;
      const again = old.get(key);
      if (again !== undefined) keep(key, again);
      return again;
    },
    keep,
  };
};

/** A row that is kept as text, or the row itself and the key to keep it under once it has been checked and written. */
export type KeptRow<T> = { text: string } | { row: T; key: string };
/** A page of a list of which some rows need not be read, checked and written again. */
export type KeptPage<T> = { kept: readonly KeptRow<T>[]; in: KeptRows; next: string | null; total: number | null };

/** The page as JSON. `outgoing` checks the rows that are new. */
export const written = <T>({ kept, in: rows }: KeptPage<T>, outgoing: (rows: T[]) => unknown): string => {
  const fresh = outgoing(kept.flatMap((one) => ('row' in one ? [one.row] : []))) as T[];
  let at = 0;
  const texts = kept.map((one) => {
    if ('text' in one) return one.text;
    const text = JSON.stringify(fresh[at++]);
    rows.keep(one.key, text);
    return text;
  });
  return `[${texts.join(',')}]`;
};
