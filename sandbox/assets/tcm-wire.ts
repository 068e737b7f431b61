import type { FastifyInstance } from 'fastify';
import { createGate, listedBy, readBodies, sendAnswer, type Answer, type Body, type Call } from './gate.ts';
import { CONDITIONS, isLendable, type Asset, type Person, type Request } from './store.ts';
import type { Tool } from './tool.ts';

/** Our own contract for outside asset tools below `prefix`: docs/integrators/asset-tool.md. */

const problem = (status: number, title: string, code?: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { type: 'about:blank', title, status, ...(code === undefined ? {} : { code }) },
  headers: { 'content-type': 'application/problem+json', ...headers },
});
const unknownAsset = problem(404, 'There is no such asset', 'asset-unknown');
const malformed = problem(400, 'Not understood');
const iso = (at: number): string => new Date(at).toISOString();
const conditionOf = (name: unknown) => CONDITIONS.find((one) => one.name === name);
const person = ({ name, tlf, email }: Person): Body => ({ name, tlf, email });
const textOr = (value: unknown, most: number): string | null | undefined =>
  value === null ? null : typeof value === 'string' && value.length <= most ? value : undefined;

export function mountTcm(app: FastifyInstance, tool: Tool, { prefix, address }: { prefix: string; address: string }): void {
  const { store } = tool;
  const gate = createGate(tool, {
    noKey: problem(401, 'The key is not taken'),
    throttled: problem(429, 'Too many calls', undefined, { 'retry-after': '60' }),
    error: problem(500, 'The tool broke down'),
    refused: problem(409, 'The tool does not want to'),
    outage: problem(503, 'Closed for a while', undefined, { 'retry-after': '300' }),
    malformed,
  });
  const doubled = listedBy(tool);

  const assetView = (asset: Asset): Body => {
    const holder = store.person(asset.holderId);
    return {
      id: String(asset.id),
      name: asset.name,
      identifier: asset.tag,
      condition: CONDITIONS.find(({ id }) => id === asset.condition)?.name ?? null,
      state: holder ? 'out' : isLendable(asset.condition) ? 'available' : 'not-lendable',
      holder: holder && person(holder),
      until: asset.until,
      url: `${address}/hardware/${asset.id}`,
      modifiedAt: iso(asset.modified),
    };
  };
  const requestView = (request: Request): Body[] => {
    const who = store.person(request.personId);
    if (!who) return [];
    const { id, what, assetId, until, state, modified } = request;
    const at = assetId === null ? null : String(assetId);
    return [{ id: String(id), what, assetId: at, person: person(who), until, state, modifiedAt: iso(modified) }];
  };

  /** By id, each page after the last one of the page before. */
  const list = <T extends { id: number; modified: number }>(
    rows: readonly T[],
    query: URLSearchParams,
    view: (row: T) => Body[],
  ): Answer => {
    const limit = Number(query.get('limit') ?? 100);
    const since = query.get('modifiedSince');
    const after = Number(query.get('cursor') ?? 0);
    const wrong = !Number.isInteger(limit) || limit < 1 || limit > 200 || (since !== null && Number.isNaN(Date.parse(since)));
    if (wrong || !Number.isInteger(after)) return malformed;
    const found = rows
      .filter((row) => row.id > after && (since === null || row.modified >= Date.parse(since)))
      .toSorted((a, b) => a.id - b.id);
    const page = found.slice(0, limit);
    const next = found.length > limit ? String(page.at(-1)?.id) : null;
    return { status: 200, body: { items: doubled(page.flatMap(view)), next } };
  };
  const one = (run: (asset: Asset, call: Call) => Answer) => gate((call) => (call.asset ? run(call.asset, call) : unknownAsset));
  /** Once a key: sent again, it is answered as it was. */
  const once = (run: (asset: Asset, call: Call) => Answer) =>
    one((asset, call) => {
      const key = call.headers['idempotency-key'];
      if (typeof key !== 'string' || key === '' || key.length > 255) return malformed;
      const of = JSON.stringify([call.url, call.body]);
      const done = store.done(key);
      if (done) return done.of === of ? done.answer : problem(409, 'The key was another change’s', 'key-reused');
      const answer = run(asset, call);
      if (answer.status === 200) store.addDone({ key, of, answer: { status: answer.status, body: answer.body } });
      return answer;
    });

  const known = (email: string | null, name: string) =>
    store.people().find((who) => (email ? who.email?.toLowerCase() === email.toLowerCase() : who.name === name));
  const checkOut = (asset: Asset, { body }: Call): Answer => {
    const { name, tlf, email } = (body['person'] ?? {}) as Body;
    const [called, phone, address_] = [textOr(name, 200), textOr(tlf, 40), textOr(email, 254)];
    const [note, until, requestId] = [textOr(body['note'], 500), textOr(body['until'], 40), textOr(body['requestId'], 100)];
    const isWrong = !called || phone === undefined || address_ === undefined || typeof note !== 'string' || requestId === undefined;
    if (isWrong || until === undefined || (until !== null && Number.isNaN(Date.parse(until)))) return malformed;
    const request = requestId === null ? null : store.request(Number(requestId));
    if (requestId !== null && !request) return problem(422, 'There is no such request', 'request-unknown');
    if (asset.holderId !== null) return problem(409, 'Somebody has it', 'out-already');
    if (!isLendable(asset.condition)) return problem(409, 'It is not to be handed out', 'not-lendable');
    const who = known(address_, called) ?? store.addPerson({ name: called, tlf: phone, email: address_ });
    const out = { until: until === null ? null : new Date(until).toISOString(), note, by: 'client' as const };
    return { status: 200, body: assetView(store.checkOut(asset, who, { ...out, ...(request ? { request } : {}) })) };
  };
  const checkIn = (asset: Asset, { body }: Call): Answer => {
    const [name, note] = [textOr(body['condition'], 100), textOr(body['note'], 500)];
    const holder = body['holder'] === null ? null : ((body['holder'] ?? {}) as Body);
    const [called, address_] = [textOr(holder && holder['name'], 200), textOr(holder && holder['email'], 254)];
    if (name === undefined || typeof note !== 'string' || called === undefined || address_ === undefined) return malformed;
    const condition = name === null ? null : conditionOf(name)?.id;
    if (condition === undefined) return problem(422, 'There is no such condition', 'condition-unknown');
    const isAnother = asset.holderId !== null && called !== null && known(address_ ?? null, called)?.id !== asset.holderId;
    if (isAnother) return problem(409, 'Somebody else has it', 'out-to-another');
    return { status: 200, body: assetView(asset.holderId === null ? asset : store.checkIn(asset, { condition, note, by: 'client' })) };
  };

  void app.register((api, _options, done) => {
    readBodies(api);
    const base = `${prefix}/v1`;
    api.get(
      `${base}/assets`,
      gate(({ query }) => {
        const text = (query.get('q') ?? '').toLowerCase();
        const found = store.assets().filter(({ name, tag }) => `${name}\n${tag}`.toLowerCase().includes(text));
        return list(found, query, (asset) => [assetView(asset)]);
      }),
    );
    api.get(
      `${base}/assets/:id`,
      one((asset) => ({ status: 200, body: assetView(asset) })),
    );
    api.post(`${base}/assets/:id/check-out`, once(checkOut));
    api.post(`${base}/assets/:id/check-in`, once(checkIn));
    api.get(
      `${base}/requests`,
      gate(({ query }) => list(store.requests(), query, requestView)),
    );
    api.get(
      `${base}/conditions`,
      gate(() => ({ status: 200, body: { items: CONDITIONS.map(({ id, name }) => ({ name, isLendable: isLendable(id) })) } })),
    );
    api.all(`${base}/*`, (_request, reply) => sendAnswer(reply, problem(404, 'There is no such call')));
    done();
  });
}
