import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * One rule for what is fetched. Keys are `[noun, id, params?]`; `id` is the row's id, or a word (`list`, `wall`) for a collection.
 * Live events and the answers of mutations alike come through `applyChange`, so that a screen is right whoever changed the row.
 */
export type Change = { noun: string; method: 'POST' | 'PUT' | 'DELETE'; data: unknown };

type Row = { id?: string; _id?: string; version?: number; updatedAt?: string };

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && ('id' in value || '_id' in value);
const rowId = (row: Row): string | undefined => row.id ?? row._id;

/**
 * An event may come late or twice: what is older than what is shown is dropped. Rows without a version go by their time of change, and so
 * do those whose version stayed while something beside them changed (an asset was lent out).
 */
const isNewer = (incoming: Row, shown: Row): boolean => {
  const versioned = incoming.version !== undefined && shown.version !== undefined;
  if (versioned && incoming.version !== shown.version) return (incoming.version ?? 0) > (shown.version ?? 0);
  if (incoming.updatedAt !== undefined && shown.updatedAt !== undefined) return incoming.updatedAt > shown.updatedAt;
  return !versioned;
};

const isUnlike = (shown: Row, incoming: Row): boolean => JSON.stringify({ ...shown, ...incoming }) !== JSON.stringify(shown);

/** Where each row stands in an array of rows, reckoned once an array: they are never changed in place, and a long list has hundreds of them. */
const places = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();
const placeOf = (rows: readonly unknown[], id: string): number | undefined => {
  let known = places.get(rows);
  if (known === undefined) {
    const found = new Map<string, number>();
    for (const [at, row] of rows.entries()) {
      const one = isRow(row) ? rowId(row) : undefined;
      if (one !== undefined && !found.has(one)) found.set(one, at);
    }
    places.set(rows, (known = found));
  }
  return known.get(id);
};

/** Puts the row where an older one stands, anywhere in a query's data (row, array, page, pages). The same data comes back when nothing changed. */
export const patched = (data: unknown, row: Row): unknown => {
  const id = rowId(row);
  if (id === undefined) return data;
  if (Array.isArray(data)) {
    const at = placeOf(data, id);
    const shown: unknown = at === undefined ? undefined : data[at];
    return at === undefined || !isRow(shown) || !isNewer(row, shown) ? data : data.with(at, { ...shown, ...row });
  }
  if (typeof data !== 'object' || data === null) return data;
  if (isRow(data) && rowId(data) === id) return isNewer(row, data) ? { ...data, ...row } : data;
  return inside(data, (rows) => patched(rows, row));
};

/** Takes the row out of every list. */
export const without = (data: unknown, id: string): unknown => {
  if (Array.isArray(data)) return placeOf(data, id) === undefined ? data : data.filter((one: unknown) => !isRow(one) || rowId(one) !== id);
  if (typeof data !== 'object' || data === null) return data;
  return inside(data, (rows) => without(rows, id));
};

/** Pages whose rows stay are the same pages: of a long list one page is new, not all. */
const inside = (data: object, change: (rows: unknown) => unknown): unknown => {
  if ('pages' in data && Array.isArray(data.pages)) {
    const before: unknown[] = data.pages;
    const pages = before.map((page) => (typeof page === 'object' && page !== null && 'rows' in page ? inside(page, change) : change(page)));
    return pages.every((page, index) => page === before[index]) ? data : { ...data, pages };
  }
  if ('rows' in data) {
    const rows = change(data.rows);
    return rows === data.rows ? data : { ...data, rows };
  }
  return data;
};

/** What is reckoned from other nouns and must be asked again when they change. */
const RECKONED_FROM: Record<string, readonly string[]> = {
  stats: ['lockers', 'occupations', 'cabinets', 'payments'],
  history: ['history'],
  // The directory as its own page shows it.
  entra: ['integrations'],
  // What was sold today is summed from its payments.
  'shop-sales': ['payments'],
  storefront: ['storefront', 'integrations'],
  // An invitation that is accepted makes a member.
  invitations: ['invitations', 'memberships'],
  // A member who leaves leaves their groups.
  groups: ['groups', 'memberships'],
  'group-members': ['groups', 'memberships'],
  // Whoever sees few lockers sees the places of their cabinets.
  sites: ['sites', 'cabinets'],
  // How many things carry each: of the labels themselves an asset changes nothing.
  'label-carriers': ['statuslabels', 'assets'],
  // A group's count is of its assets.
  'asset-groups': ['asset-groups', 'assets'],
  // Who used a link is not in the row that tells that it was used.
  'link-uses': ['links'],
  // When something last arrived is told by the delivery alone.
  webhooks: ['webhooks', 'deliveries'],
  // Switched off, a webhook takes what still waited with it.
  deliveries: ['deliveries', 'webhooks'],
  // Whether somebody was taken over is whether they are a member.
  'directory-people': ['directory-people', 'memberships'],
  // What a group of the directory gives stands in permissions too, and its count is of people.
  'directory-groups': ['directory-groups', 'directory-people', 'permissions'],
  'directory-counts': ['directory-people', 'directory-groups', 'memberships'],
  // A loan has no events of its own: its asset is told of.
  loans: ['assets'],
  // What a tool was told of a thing is told with the thing.
  'asset-requests': ['assets'],
  'tool-differences': ['assets', 'integrations'],
};

/** Nouns whose changes a screen of this noun wants to hear. */
export const sourcesOf = (noun: string): readonly string[] => RECKONED_FROM[noun] ?? [noun];

const narrowed = (key: QueryKey): boolean => {
  const params = key[2];
  return (
    typeof params === 'object' && params !== null && 'q' in params && params.q !== undefined && Object.keys(params.q as object).length > 0
  );
};

/** Of a list that somebody has scrolled this far into, no event may fetch every page again: its rows are patched where they stand. */
export const LONG = 4;
const isLong = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) && data.pages.length > LONG;

const askers = new WeakMap<QueryClient, (query: Query) => void>();
/** Asks anew; what is on its way for the first time may have been read before, and no other question goes out beside it: once it is here. */
export const askAnew = (client: QueryClient): ((query: Query) => void) => {
  const known = askers.get(client);
  if (known) return known;
  const underWay = new Set<Query>();
  client.getQueryCache().subscribe((event) => {
    if (event.type === 'removed') underWay.delete(event.query);
    if (event.type !== 'updated' || !underWay.has(event.query)) return;
    const { action } = event;
    if (action.type === 'error') underWay.delete(event.query);
    if (action.type !== 'success' || action.manual) return;
    underWay.delete(event.query);
    void client.invalidateQueries({ queryKey: event.query.queryKey, exact: true });
  });
  const ask = (query: Query): void => {
    if (query.state.fetchStatus === 'idle' || query.state.data !== undefined)
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    else underWay.add(query);
  };
  askers.set(client, ask);
  return ask;
};

/** Collects what has to be asked again, so that a burst of events costs one request a query. */
export const createCacheRule = (client: QueryClient, wait = 400) => {
  const stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    timer = null;
    const asked = client.getQueryCache().findAll({ predicate: (query) => stale.has(query.queryHash) });
    stale.clear();
    asked.forEach(askAnew(client));
  };
  const later = (hash: string): void => {
    stale.add(hash);
    timer ??= setTimeout(flush, wait);
  };

  /** Shows it in this answer, unless what stands there is newer. */
  const show = (query: Query, { method }: Change, row: Row, id: string): unknown => {
    const before: unknown = query.state.data;
    const after = method === 'DELETE' ? without(before, id) : patched(before, row);
    if (after !== before) client.setQueryData(query.queryKey, after);
    return after;
  };
  /** Heard while an answer was on its way, which may have been read before it: shown once more when that is here. */
  const meanwhile = new Map<Query, (() => void)[]>();
  client.getQueryCache().subscribe((event) => {
    const { query } = event;
    const action = event.type === 'updated' && !(event.action.type === 'success' && event.action.manual) ? event.action.type : null;
    if (event.type !== 'removed' && action !== 'fetch' && action !== 'success' && action !== 'error') return;
    const heard = meanwhile.get(query);
    meanwhile.delete(query);
    if (action === 'success') heard?.forEach((again) => again());
  });

  const applyChange = (change: Change): void => {
    const row = isRow(change.data) ? change.data : null;
    const id = row ? rowId(row) : undefined;
    for (const query of client.getQueryCache().getAll()) {
      const noun = query.queryKey[0];
      if (noun !== change.noun) {
        if (typeof noun === 'string' && RECKONED_FROM[noun]?.includes(change.noun)) later(query.queryHash);
        continue;
      }
      if (!row || !id) {
        later(query.queryHash);
        continue;
      }
      if (change.method === 'DELETE' && query.queryKey[1] === id) {
        later(query.queryHash);
        continue;
      }
      if (query.state.fetchStatus === 'fetching')
        meanwhile.set(query, [...(meanwhile.get(query) ?? []), () => void show(query, change, row, id)]);
      const before: unknown = query.state.data;
      const after = show(query, change, row, id);
      // What is reckoned from beside it (whether it is in doubt, what may be done) changes under the same version: which of the two holds
      // only the server knows.
      if (query.queryKey[1] === id && after === before && isRow(before) && isUnlike(before, row)) later(query.queryHash);
      // A new row may belong to any list, and one that is gone is counted no more; a changed one may have entered or left a list that is
      // narrowed by a filter.
      if (query.queryKey[1] !== id && !isLong(after) && (change.method !== 'PUT' || narrowed(query.queryKey))) later(query.queryHash);
    }
  };
  return { applyChange, stop: () => timer && clearTimeout(timer) };
};
