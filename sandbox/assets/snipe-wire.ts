import type { FastifyInstance } from 'fastify';
import { createGate, listedBy, readBodies, sendAnswer, type Answer, type Body, type Call } from './gate.ts';
import { assetView, entryView, inHtml, labelView, userView } from './snipe-view.ts';
import { CONDITIONS, isLendable, type Asset } from './store.ts';
import type { Tool } from './tool.ts';

/**
 * Snipe-IT's API below `prefix`, by snipe/snipe-it v8.1.4 (routes/api.php, app/Http/Controllers/Api, app/Exceptions/Handler.php), as far as
 * a client that lends assets can meet it.
 */

const said = (status: 'success' | 'error', messages: unknown, payload: unknown = null): Answer => ({
  status: 200,
  body: { status, messages, payload },
});
const failed = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({ status, body, headers });
const NOT_THERE = said('error', 'Asset does not exist.');
const LIMIT = { 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '119' };
/** MAX_RESULTS of a real one. */
const MOST = 500;
const isDay = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

export function mountSnipe(app: FastifyInstance, tool: Tool, { prefix, address }: { prefix: string; address: string }): void {
  const { store } = tool;
  const gate = createGate(tool, {
    noKey: failed(401, { error: 'Unauthorized or unauthenticated.' }),
    // Its handler answers by itself, without the headers that the limiter gave.
    throttled: failed(429, { status: 'error', messages: 'Too many requests', payload: null }),
    error: failed(500, { message: 'Server Error' }),
    refused: said('error', 'The tool does not want to'),
    outage: failed(503, { message: 'Service Unavailable' }),
    malformed: failed(422, { status: 'error', messages: 'Invalid JSON', payload: null }),
  });
  const doubled = listedBy(tool);

  const list = <T>(rows: readonly T[], query: URLSearchParams, view: (row: T) => Body): Answer => {
    const asked = Math.abs(Number.parseInt(query.get('limit') ?? '', 10) || MOST);
    const limit = asked <= MOST ? asked : MOST;
    const offset = Math.min(Number.parseInt(query.get('offset') ?? '', 10) || 0, rows.length);
    const page = doubled(rows.slice(offset, offset + limit).map(view));
    return { status: 200, body: { total: rows.length, rows: page }, headers: LIMIT };
  };
  /** Whatever is not asked for by name is sorted as it was made; descending where it is not said otherwise. */
  const sorted = <T>(rows: readonly T[], query: URLSearchParams, of: (row: T) => number | string): T[] => {
    const up = query.get('order') === 'asc' ? 1 : -1;
    return rows.toSorted((a, b) => (of(a) < of(b) ? -up : of(a) > of(b) ? up : 0));
  };

  const hardware = ({ query }: Call): Answer => {
    const search = (query.get('search') ?? '').toLowerCase();
    const statusId = query.get('status_id');
    const found = store
      .assets()
      .filter(({ condition }) => (statusId === null ? condition !== 5 : String(condition) === statusId))
      .filter(({ name, tag }) => `${name}\n${tag}`.toLowerCase().includes(search));
    const sort = query.get('sort');
    const by = (one: Asset) => (sort === 'id' ? one.id : sort === 'updated_at' ? Math.floor(one.modified / 1000) : one.created);
    return list(sorted(found, query, by), query, (one) => assetView(one, store, address));
  };
  const checkout = ({ asset, body }: Call): Answer => {
    if (!['asset', 'location', 'user'].includes(String(body['checkout_to_type'])))
      return said('error', { checkout_to_type: ['The selected checkout to type is invalid.'] });
    const expected = body['expected_checkin'] ?? null;
    if (expected !== null && !isDay(expected))
      return said('error', { expected_checkin: ['The expected checkin field must be a valid date.'] });
    if (!asset) return said('error', 'Asset not found');
    if (asset.holderId !== null || !isLendable(asset.condition))
      return said('error', 'That asset is not available for checkout!', { asset: inHtml(asset.tag) });
    const person = store.person(Number(body['assigned_user'] ?? 0));
    if (!person) {
      const target = { asset: { id: asset.id, asset_tag: asset.tag }, target_id: body['assigned_user'], target_type: 'user' };
      return said('error', `Checkout target for asset ${inHtml(asset.tag)} is invalid - user does not exist.`, target);
    }
    const note = typeof body['note'] === 'string' ? body['note'] : '';
    store.checkOut(asset, person, { until: expected === null ? null : new Date(expected).toISOString(), note, by: 'client' });
    return said('success', 'Asset checked out successfully.', { asset: inHtml(asset.tag) });
  };
  const checkin = ({ asset, body }: Call): Answer => {
    if (!asset) return said('error', 'Asset not found');
    const told = { asset_tag: inHtml(asset.tag), model: 'Tool', model_number: null };
    if (asset.holderId === null) return said('error', 'That asset is already checked in.', told);
    const condition = CONDITIONS.find(({ id }) => id === Number(body['status_id'] ?? asset.condition))?.id;
    if (condition === undefined) return said('error', 'Asset was not checked in, please try again', { asset: inHtml(asset.tag) });
    store.checkIn(asset, { condition, note: typeof body['note'] === 'string' ? body['note'] : '', by: 'client' });
    return said('success', 'Asset checked in successfully.', told);
  };
  const users = ({ query }: Call): Answer => {
    const [email, username] = [query.get('email'), query.get('username')].map((one) => one?.toLowerCase());
    const found = store
      .people()
      .filter((one) => email === undefined || one.email?.toLowerCase() === email)
      .filter((one) => username === undefined || (one.email ?? `user-${one.id}`).toLowerCase() === username);
    return list(found, query, (one) => userView(one, store));
  };
  const activity = ({ query }: Call): Answer => {
    const action = query.get('action_type');
    const found = store.entries().filter((one) => action === null || one.action === action);
    return list(
      sorted(found, query, ({ id }) => id),
      query,
      (one) => entryView(one, store),
    );
  };

  void app.register((api, _options, done) => {
    readBodies(api);
    const base = `${prefix}/api/v1`;
    api.get(`${base}/hardware`, gate(hardware));
    api.get(
      `${base}/hardware/:id`,
      gate(({ asset }) => (asset ? { status: 200, body: assetView(asset, store, address), headers: LIMIT } : NOT_THERE)),
    );
    api.post(`${base}/hardware/:id/checkout`, gate(checkout));
    api.post(`${base}/hardware/:id/checkin`, gate(checkin));
    api.get(
      `${base}/statuslabels`,
      gate(({ query }) =>
        list(
          sorted(CONDITIONS, query, ({ name }) => name),
          query,
          (one) => labelView(one, store),
        ),
      ),
    );
    api.get(`${base}/users`, gate(users));
    api.get<{ Params: { user: string } }>(`${base}/users/:user`, (request, reply) =>
      gate(() => {
        const person = store.person(Number(request.params.user));
        return person ? { status: 200, body: userView(person, store), headers: LIMIT } : said('error', 'User not found');
      })(request, reply),
    );
    api.get(`${base}/reports/activity`, gate(activity));
    api.all(`${base}/*`, (_request, reply) =>
      sendAnswer(reply, failed(404, { status: 'error', messages: '404 endpoint not found', payload: null })),
    );
    done();
  });
}
