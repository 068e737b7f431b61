import { randomBytes } from 'node:crypto';
import { openJournal } from '../journal.ts';
import { createListeners } from '../listeners.ts';

export type Person = { id: number; name: string; tlf: string | null; email: string | null; created: number };
export const TYPES = ['deployable', 'pending', 'undeployable', 'archived'] as const;
/** The conditions of the tool are the same in every one: nobody edits them here. */
export const CONDITIONS = [
  { id: 1, name: 'Good', type: 'deployable' },
  { id: 2, name: 'Worn', type: 'deployable' },
  { id: 3, name: 'To be cleaned', type: 'pending' },
  { id: 4, name: 'Broken', type: 'undeployable' },
  { id: 5, name: 'Retired', type: 'archived' },
] as const satisfies { id: number; name: string; type: (typeof TYPES)[number] }[];
export type ConditionId = (typeof CONDITIONS)[number]['id'];
export const isLendable = (condition: ConditionId): boolean => CONDITIONS.find(({ id }) => id === condition)?.type === 'deployable';

export type Asset = {
  id: number;
  name: string;
  tag: string;
  condition: ConditionId;
  holderId: number | null;
  until: string | null;
  created: number;
  modified: number;
};
export type Request = {
  id: number;
  what: string;
  assetId: number | null;
  personId: number;
  until: string | null;
  state: 'open' | 'handed-out' | 'closed';
  created: number;
  modified: number;
};
export type Action = 'requested' | 'request canceled' | 'checkout' | 'checkin from' | 'update';
/** `by`: a client by its key, or somebody on the tool's own page. */
export type Entry = {
  id: number;
  at: number;
  action: Action;
  assetId: number | null;
  personId: number | null;
  note: string;
  by: 'client' | 'page';
};
/** What a key of a change was used for, and what was answered. */
export type Done = { key: string; of: string; answer: { status: number; body: unknown } };
type Saved =
  | { asset: Asset }
  | { assetGone: number }
  | { person: Person }
  | { request: Request }
  | { entry: Entry }
  | { done: Done }
  | { apiKey: string };

/** A demo has no use for more of the log; older entries fall out at the next start. */
const KEPT = 500;
const randomKey = () => `tool_${randomBytes(24).toString('hex')}`;

export type Store = ReturnType<typeof createStore>;

/** The tool's own database: in memory, and as JSON lines in `folder` where one is given. `now` is its only clock. */
export function createStore({ folder, now = Date.now }: { folder?: string; now?: () => number } = {}) {
  const assets = new Map<number, Asset>();
  const people = new Map<number, Person>();
  const requests = new Map<number, Request>();
  const entries = new Map<number, Entry>();
  const dones = new Map<string, Done>();
  const { on, tell } = createListeners();
  let apiKey = randomKey();
  let last = 0;

  const place = (saved: Saved) => {
    if ('asset' in saved) assets.set(saved.asset.id, saved.asset);
    else if ('assetGone' in saved) assets.delete(saved.assetGone);
    else if ('person' in saved) people.set(saved.person.id, saved.person);
    else if ('request' in saved) requests.set(saved.request.id, saved.request);
    else if ('entry' in saved) entries.set(saved.entry.id, saved.entry);
    else if ('done' in saved) dones.set(saved.done.key, saved.done);
    else ({ apiKey } = saved);
    const id = Object.values(saved).map((one: unknown) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : one));
    for (const one of id) if (typeof one === 'number') last = Math.max(last, one);
  };
  const write = openJournal(folder, 'assets.jsonl', place, () => [
    { apiKey },
    ...[...assets.values()].map((asset) => ({ asset })),
    ...[...people.values()].map((person) => ({ person })),
    ...[...requests.values()].slice(-KEPT).map((request) => ({ request })),
    ...[...entries.values()].slice(-KEPT).map((entry) => ({ entry })),
    ...[...dones.values()].slice(-KEPT).map((done) => ({ done })),
  ]);
  const keep = (saved: Saved) => {
    write(saved);
    tell();
  };

  const nextId = () => (last += 1);
  const log = (action: Action, assetId: number | null, personId: number | null, by: Entry['by'], note = '') =>
    keep({ entry: { id: nextId(), at: now(), action, assetId, personId, note, by } });
  const change = (asset: Asset, more: Partial<Asset>): Asset => {
    const next = { ...asset, ...more, modified: now() };
    keep({ asset: next });
    return next;
  };
  const setRequest = (request: Request, state: Request['state']) => keep({ request: { ...request, state, modified: now() } });

  return {
    now,
    on,
    apiKey: (): string => apiKey,
    /** The one before is taken no more. */
    newKey: () => keep({ apiKey: randomKey() }),
    assets: (): Asset[] => [...assets.values()],
    asset: (id: number): Asset | null => assets.get(id) ?? null,
    people: (): Person[] => [...people.values()],
    person: (id: number | null): Person | null => (id === null ? null : (people.get(id) ?? null)),
    requests: (): Request[] => [...requests.values()],
    request: (id: number): Request | null => requests.get(id) ?? null,
    entries: (): Entry[] => [...entries.values()],
    addPerson: (person: Omit<Person, 'id' | 'created'>): Person => {
      const made = { id: nextId(), created: now(), ...person };
      keep({ person: made });
      return made;
    },
    addAsset: (name: string, tag: string, condition: ConditionId = 1): Asset => {
      const asset = { id: nextId(), name, tag, condition, holderId: null, until: null, created: now(), modified: now() };
      keep({ asset });
      return asset;
    },
    removeAsset: (id: number) => keep({ assetGone: id }),
    setCondition: (asset: Asset, condition: ConditionId, by: Entry['by']): Asset => {
      log('update', asset.id, null, by);
      return change(asset, { condition });
    },
    ask: (request: Pick<Request, 'what' | 'assetId' | 'personId' | 'until'>): Request => {
      const made: Request = { id: nextId(), state: 'open', created: now(), modified: now(), ...request };
      keep({ request: made });
      log('requested', made.assetId, made.personId, 'page');
      return made;
    },
    withdraw: (request: Request) => {
      setRequest(request, 'closed');
      log('request canceled', request.assetId, request.personId, 'page');
    },
    /** The request that it meets: the one that is named, or this person's own for this asset. */
    checkOut: (
      asset: Asset,
      person: Person,
      { until, note, by, request }: { until: string | null; note: string; by: Entry['by']; request?: Request },
    ): Asset => {
      const met =
        request ?? [...requests.values()].find((one) => one.state === 'open' && one.assetId === asset.id && one.personId === person.id);
      if (met?.state === 'open') setRequest(met, 'handed-out');
      log('checkout', asset.id, person.id, by, note);
      return change(asset, { holderId: person.id, until });
    },
    checkIn: (asset: Asset, { condition, note, by }: { condition: ConditionId | null; note: string; by: Entry['by'] }): Asset => {
      log('checkin from', asset.id, asset.holderId, by, note);
      return change(asset, { holderId: null, until: null, ...(condition === null ? {} : { condition }) });
    },
    done: (key: string): Done | null => dones.get(key) ?? null,
    addDone: (done: Done) => keep({ done }),
  };
}
