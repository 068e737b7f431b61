import { z } from 'zod';
import type { ToolFault } from '@hatchway/domain/integration.ts';
import type { Outside } from '../outside/fetch.ts';
import type { AssetTool, ToolAsset, ToolPage, ToolPerson, ToolRequest, ToolSaid } from './asset-tool.ts';
import { readAsset, readLogged, readUser, requestsOf, statusLabel, type Logged, type SnipeAsset } from './snipe-it-rows.ts';
import { ask, fault, isFault, pageOf, plainLine } from './tool-call.ts';

/**
 * Snipe-IT's own API, by snipe/snipe-it v8.1.4: routes/api.php, app/Http/Controllers/Api, app/Exceptions/Handler.php. It answers 200 to
 * what it refuses, and says so in the body. It knows no Idempotency-Key: what was done already is seen before it is done again.
 */

const LIMIT = 100;
/** Of the newest requests so many are followed, and what became of them through so many pages of each sort of entry. */
const PAGES = 10;
/** Each has its person looked up, of 120 calls a minute. */
const REQUESTS_A_PAGE = 40;
/** By a clock that is put back once a year, and knows seconds alone. */
const OVERLAP_MS = 62 * 60_000;

const listed = z.object({ total: z.int(), rows: z.array(z.unknown()) });
const envelope = z.object({ status: z.literal('success') });
const failure = z.object({ status: z.literal('error'), messages: z.unknown(), payload: z.unknown() });
const refusal = (words: ToolFault) => fault('refused', words, null);

/** Its words: a sentence, sentences by field, or its payload where that is one. */
const wordsOf = (messages: unknown, payload: unknown): string => {
  const texts = (told: unknown): string[] =>
    typeof told === 'string' ? [told] : typeof told === 'object' && told !== null ? Object.values(told).flatMap(texts) : [];
  return plainLine([...texts(messages), ...(typeof payload === 'string' ? [payload] : [])].join(' ').replaceAll(/<[^>]*>/g, ''));
};
const earlier = (since: string): string => new Date(Date.parse(since) - OVERLAP_MS).toISOString();
const toAsset = ({ userId: _user, isDeleted: _deleted, ...asset }: SnipeAsset): ToolAsset => asset;
const toRequest = ({ userId: _user, ...request }: ToolRequest & { userId: number }): ToolRequest => request;

export const openSnipeIt = (outside: Outside, base: string, token: string): AssetTool => {
  const call = async <T>(path: string, schema: z.ZodType<T>, body?: Readonly<Record<string, unknown>>): Promise<ToolSaid<T>> => {
    const url = `${base}/api/v1/${path}`;
    const answer = await ask(outside, { method: body ? 'POST' : 'GET', url, bearer: token, ...(body ? { body } : {}) });
    if (isFault(answer)) return answer;
    const { status } = answer;
    const refused = failure.safeParse(answer.body);
    if (status >= 500) return fault('unknown', `${status}`, status);
    if (status === 404 || (status >= 400 && !refused.success)) return fault('refused', 'not-a-tool', status);
    if (refused.success) return fault('refused', wordsOf(refused.data.messages, refused.data.payload) || `${status}`, status);
    const said = schema.safeParse(answer.body);
    return said.success ? { kind: 'ok', value: said.data } : fault('unknown', 'not-a-tool', status);
  };
  const list = (path: string, query: Readonly<Record<string, string>>) =>
    call(`${path}?${new URLSearchParams({ limit: String(LIMIT), ...query }).toString()}`, listed);

  const assetOf = async (assetId: string): Promise<ToolSaid<SnipeAsset>> => {
    if (!/^\d{1,10}$/.test(assetId)) return refusal('asset-unknown');
    const read = z.unknown().transform((row) => readAsset(base, row));
    const said = await call(`hardware/${assetId}`, read);
    // The one thing that it refuses of a read is an asset that is not there, in whatever language.
    if (said.kind === 'refused' && said.status === 200) return refusal('asset-unknown');
    if (said.kind !== 'ok') return said;
    if (said.value === null) return fault('unknown', 'not-a-tool', 200);
    return said.value.isDeleted ? refusal('asset-unknown') : { kind: 'ok', value: said.value };
  };

  /**
   * All in the order of their ids, since what changes meanwhile would move among the others; each page begins with the last row of the one
   * before, so that a row that was deleted meanwhile is noticed. What changed since, the newest change first.
   */
  const assets: AssetTool['assets'] = async ({ since, cursor, text }) => {
    const [, from = '0', last = ''] = /^(\d+)(?::(\d+))?$/.exec(cursor ?? '0') ?? [];
    const offset = Number(from);
    const order = since === null ? { sort: 'id', order: 'asc' } : { sort: 'updated_at', order: 'desc' };
    const said = await list('hardware', { ...order, offset: from, ...(text === undefined ? {} : { search: text }) });
    if (said.kind !== 'ok') return said;
    const { total, rows } = said.value;
    const page = pageOf(rows, (row) => readAsset(base, row), null);
    const isMoved = last !== '' && page.rows[0]?.id !== last;
    const until = since === null ? null : earlier(since);
    const isOlder = ({ modifiedAt }: SnipeAsset): boolean => until !== null && modifiedAt !== null && modifiedAt < until;
    const isSeen = page.rows.some(isOlder);
    const many = page.rows.length + page.unread;
    const isLast = isSeen || many < 2 || offset + many >= total;
    const next = `${offset + many - 1}:${page.rows.at(-1)?.id ?? ''}`;
    return {
      kind: 'ok',
      value: {
        rows: page.rows.filter((one) => !one.isDeleted && one.id !== last && !isOlder(one)).map(toAsset),
        next: isLast ? null : next.replace(/:$/, ''),
        unread: page.unread + (isMoved ? 1 : 0),
      },
    };
  };

  /** The log's entries of a kind, the newest first, as far back as `from`, and how far back that was; 0: all. */
  const logOf = async (action: string, kind: Logged['kind'], from: number): Promise<ToolSaid<{ log: Logged[]; readTo: number }>> => {
    const log: Logged[] = [];
    let readTo = Number.MAX_SAFE_INTEGER;
    for (let offset = 0, page = 0; page < PAGES; page++) {
      const said = await list('reports/activity', { action_type: action, sort: 'id', order: 'desc', offset: String(offset) });
      if (said.kind !== 'ok') return said;
      const { rows, total } = said.value;
      log.push(...rows.flatMap((row) => readLogged(kind, row) ?? []));
      for (const row of rows) readTo = Math.min(readTo, z.object({ id: z.int() }).safeParse(row).data?.id ?? readTo);
      offset += rows.length;
      if (rows.length === 0 || offset >= total) return { kind: 'ok', value: { log, readTo: 0 } };
      if (readTo < from) break;
    }
    return { kind: 'ok', value: { log, readTo } };
  };

  const requests: AssetTool['requests'] = async ({ since, cursor }) => {
    const asked = await logOf('requested', 'requested', 0);
    if (asked.kind !== 'ok') return asked;
    const oldest = asked.value.log.at(-1)?.id;
    if (oldest === undefined) return { kind: 'ok', value: { rows: [], next: null, unread: 0 } };
    const log = [...asked.value.log];
    let readTo = 0;
    // The two ways to take a request back in it write the same in two ways.
    for (const [action, kind] of [
      ['request canceled', 'canceled'],
      ['request_canceled', 'canceled'],
      ['checkout', 'checkout'],
    ] as const) {
      const said = await logOf(action, kind, oldest);
      if (said.kind !== 'ok') return said;
      log.push(...said.value.log);
      readTo = Math.max(readTo, said.value.readTo);
    }
    const known = requestsOf(log);
    // Of one that is older than what was read of the log nobody knows what became of it.
    const all = known.filter(({ id }) => Number.parseInt(id, 10) >= readTo);
    const until = since === null ? '' : earlier(since);
    const changed = all.filter(({ modifiedAt }) => modifiedAt >= until);
    const offset = Number(cursor ?? 0);
    const page = changed.slice(offset, offset + REQUESTS_A_PAGE);
    const people = new Map<number, ToolPerson>();
    for (const { userId, state } of page) {
      if (state !== 'open' || people.has(userId)) continue;
      const said = await call(`users/${userId}`, z.unknown().transform(readUser));
      // Somebody who is gone keeps the name that the log has.
      if (said.kind !== 'ok' && !(said.kind === 'refused' && said.status === 200)) return said;
      if (said.kind === 'ok' && said.value) people.set(userId, { name: said.value.name, tlf: said.value.tlf, email: said.value.email });
    }
    const rows = page.map((one) => toRequest({ ...one, person: people.get(one.userId) ?? one.person }));
    const next = offset + page.length < changed.length ? String(offset + page.length) : null;
    return { kind: 'ok', value: { rows, next, unread: known.length - all.length } satisfies ToolPage<ToolRequest> };
  };

  const labels = async () => {
    const said = await list('statuslabels', { limit: '500', sort: 'name', order: 'asc' });
    return said.kind === 'ok' ? { ...said, value: said.value.rows.flatMap((row) => statusLabel.safeParse(row).data ?? []) } : said;
  };

  /** It checks out to one of its own users alone: the one with this e-mail address or login, or who asked. */
  const userOf = async ({ email }: ToolPerson, requestId: string | null): Promise<ToolSaid<number>> => {
    const [, whoAsked] = /^\d+\.(\d+)$/.exec(requestId ?? '') ?? [];
    if (email === null) return whoAsked === undefined ? refusal('person-unknown') : { kind: 'ok', value: Number(whoAsked) };
    const isSame = (one: string | null) => one?.toLowerCase() === email.toLowerCase();
    for (const field of ['email', 'username'] as const) {
      const said = await list('users', { [field]: email, limit: '20' });
      if (said.kind !== 'ok') return said;
      // One that does not know the filter lists everybody.
      const found = said.value.rows.flatMap((row) => readUser(row) ?? []).filter((one) => isSame(one[field]));
      const [first] = found;
      if (first === undefined) continue;
      if (found.length === 1) return { kind: 'ok', value: first.id };
      const asked = found.find((one) => String(one.id) === whoAsked);
      return asked ? { kind: 'ok', value: asked.id } : refusal('person-ambiguous');
    }
    return refusal('person-unknown');
  };

  const done = { kind: 'ok', value: null } as const;
  const change = async (path: string, body: Readonly<Record<string, unknown>>): Promise<ToolSaid<null>> => {
    const said = await call(path, envelope, body);
    return said.kind === 'ok' ? done : said;
  };

  return {
    test: async () => {
      for (const path of ['hardware', 'reports/activity', 'users', 'statuslabels']) {
        const said = await list(path, { limit: '1' });
        if (said.kind !== 'ok') return said;
      }
      return done;
    },
    assets,
    asset: async (assetId) => {
      const said = await assetOf(assetId);
      return said.kind === 'ok' ? { kind: 'ok', value: toAsset(said.value) } : said;
    },
    requests,
    conditions: async () => {
      const said = await labels();
      if (said.kind !== 'ok') return said;
      return { kind: 'ok', value: said.value.map(({ name, type }) => ({ name, isLendable: type === 'deployable' })) };
    },
    checkOut: async ({ assetId, requestId, person, until, note }) => {
      const asset = await assetOf(assetId);
      if (asset.kind !== 'ok') return asset;
      if (asset.value.state === 'not-lendable') return refusal('not-lendable');
      const user = await userOf(person, requestId);
      if (user.kind !== 'ok') return user;
      if (asset.value.state === 'out') return asset.value.userId === user.value ? done : refusal('out-already');
      return change(`hardware/${assetId}/checkout`, {
        checkout_to_type: 'user',
        assigned_user: user.value,
        note,
        // It knows days alone, and not whose.
        ...(until === null ? {} : { expected_checkin: until.slice(0, 10) }),
      });
    },
    checkIn: async ({ assetId, from, condition, note }) => {
      const asset = await assetOf(assetId);
      if (asset.kind !== 'ok') return asset;
      if (asset.value.state !== 'out') return done;
      if (from !== null) {
        const user = await userOf(from.person, from.requestId);
        if (user.kind !== 'ok') return user;
        if (asset.value.userId !== user.value) return refusal('out-to-another');
      }
      if (condition === null) return change(`hardware/${assetId}/checkin`, { note });
      const said = await labels();
      if (said.kind !== 'ok') return said;
      const label = said.value.find(({ name }) => name === condition);
      return label ? change(`hardware/${assetId}/checkin`, { note, status_id: label.id }) : refusal('condition-unknown');
    },
  };
};
