import type { FastifyInstance } from 'fastify';
import { mountFaults } from '../mount-faults.ts';
import { mountPages } from '../pages.ts';
import { FAULTS } from './faults.ts';
import { mountSnipe } from './snipe-wire.ts';
import { CONDITIONS, isLendable, type Store } from './store.ts';
import { mountTcm } from './tcm-wire.ts';
import type { Tool } from './tool.ts';

/** What stands before the tool's own paths beside a server. */
export const TOOL_API = '/sandbox/assets/tool';
const SHOWN = 30;

/** What the page of the tool shows, the newest first. `address`: of both wires, as a client is told it. `alone`: nothing else of the sandbox is here. */
const booksOf = (store: Store, address: string, alone: boolean) => ({
  assets: store.assets(),
  people: store.people(),
  requests: store.requests().toReversed(),
  entries: store.entries().slice(-SHOWN).toReversed(),
  conditions: CONDITIONS.map(({ id, name }) => ({ id, name, isLendable: isLendable(id) })),
  apiKey: store.apiKey(),
  address,
  alone,
});
export type ToolBooks = ReturnType<typeof booksOf>;

const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.trim().slice(0, most) : '');
const day = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : null;
const fields = (body: unknown): Record<string, unknown> => (typeof body === 'object' && body !== null ? { ...body } : {});

type Options = {
  /** How the browser reaches this app. */
  origin: string;
  /** Another than TOOL_API; '' for none. */
  api?: string;
  alone?: boolean;
};

/** Both wires of the tool, and at `/sandbox/assets` what its own people see. For a demo on loopback; never mounted in production. */
export function mountTool(app: FastifyInstance, tool: Tool, { origin, api = TOOL_API, alone = false }: Options): void {
  const { store, faults } = tool;
  const at = '/sandbox/assets';
  const address = origin + api;
  mountTcm(app, tool, { prefix: api, address });
  mountSnipe(app, tool, { prefix: api, address });
  mountPages(app, { '/assets': 'assets' });
  app.get(`${at}/`, (_request, reply) => reply.redirect(at, 308));
  // Where both wires say that an asset has its page.
  app.get<{ Params: { id: string } }>(`${api}/hardware/:id`, (request, reply) =>
    reply.redirect(`${at}#asset-${encodeURIComponent(request.params.id)}`),
  );

  app.get(`${at}/books`, (_request, reply) => reply.header('cache-control', 'no-store').send(booksOf(store, address, alone)));

  const missing = { error: 'something that is needed is missing, or is not there' };
  app.post(`${at}/requests`, (request, reply) => {
    const said = fields(request.body);
    const asset = store.asset(Number(said['assetId'] ?? 0));
    const what = text(said['what'], 500) || asset?.name;
    const email = text(said['email'], 254) || null;
    const name = text(said['name'], 200);
    const known = store.person(Number(said['personId'] ?? 0));
    if (!what || (!known && name === '')) return reply.code(400).send(missing);
    const person = known ?? store.addPerson({ name, tlf: text(said['tlf'], 40) || null, email });
    return reply.code(201).send(store.ask({ what, assetId: asset?.id ?? null, personId: person.id, until: day(said['until']) }));
  });
  app.post<{ Params: { id: string } }>(`${at}/requests/:id/withdraw`, (request, reply) => {
    const asked = store.request(Number(request.params.id));
    if (asked?.state !== 'open') return reply.code(404).send(missing);
    store.withdraw(asked);
    return reply.code(204).send();
  });

  app.post(`${at}/assets`, (request, reply) => {
    const { name, tag } = fields(request.body);
    if (text(name, 200) === '' || text(tag, 200) === '') return reply.code(400).send(missing);
    return reply.code(201).send(store.addAsset(text(name, 200), text(tag, 200)));
  });
  /** `condition`, `holderId` (null: it came back) or nothing, which is a mistake. */
  app.post<{ Params: { id: string } }>(`${at}/assets/:id`, (request, reply) => {
    const asset = store.asset(Number(request.params.id));
    const { condition: wanted, holderId } = fields(request.body);
    const condition = CONDITIONS.find(({ id }) => id === wanted);
    const person = store.person(Number(holderId ?? 0));
    if (!asset || (!condition && !person && holderId !== null)) return reply.code(400).send(missing);
    if (condition) store.setCondition(asset, condition.id, 'page');
    else if (asset.holderId !== null) store.checkIn(asset, { condition: null, note: '', by: 'page' });
    const now = store.asset(asset.id);
    if (person && now) store.checkOut(now, person, { until: null, note: '', by: 'page' });
    return reply.send(store.asset(asset.id));
  });
  app.delete<{ Params: { id: string } }>(`${at}/assets/:id`, (request, reply) => {
    store.removeAsset(Number(request.params.id));
    return reply.code(204).send();
  });
  app.post(`${at}/key`, (_request, reply) => {
    store.newKey();
    return reply.code(204).send();
  });

  mountFaults(app, at, FAULTS, faults, [store]);
}
