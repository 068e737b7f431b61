import { randomBytes } from 'node:crypto';
import { openJournal } from '../journal.ts';
import { createListeners } from '../listeners.ts';

export const STATUSES = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'] as const;
export type Status = (typeof STATUSES)[number] | 'trash';
export type Scope = 'read' | 'write' | 'read_write';
export const SCOPES: readonly Scope[] = ['read', 'write', 'read_write'];
export const TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;
export type Topic = (typeof TOPICS)[number];

type Line = { name: string; quantity: number; price: number };
export type Note = { id: number; at: number; note: string; customerNote: boolean };
export type Order = {
  id: number;
  /** What its customer sees. A plugin may number orders by itself, and this shop has one. */
  number: string;
  status: Status;
  created: number;
  /** Told to the second, as the shop does. */
  modified: number;
  firstName: string;
  lastName: string;
  phone: string;
  email: string;
  lines: Line[];
  notes: Note[];
};
export type Key = { id: number; consumerKey: string; consumerSecret: string; permissions: Scope; description: string };
export type Webhook = {
  id: number;
  name: string;
  topic: Topic;
  deliveryUrl: string;
  secret: string;
  status: 'active' | 'paused' | 'disabled';
  failures: number;
  created: number;
};
export type NewOrder = { firstName: string; lastName: string; phone: string; email: string; lines: Line[] };
type Saved = { order: Order } | { key: Key } | { keyGone: number } | { webhook: Webhook } | { webhookGone: number };

/** A demo has no use for more; older orders fall out at the next start. */
const KEPT = 500;
const FIRST_ID = 731;
const FIRST_NUMBER = 10_001;

export type Store = ReturnType<typeof createStore>;

/** The shop's own database: in memory, and as JSON lines in `folder` where one is given. `now` is its only clock. */
export function createStore({ folder, now = Date.now }: { folder?: string; now?: () => number } = {}) {
  const orders = new Map<number, Order>();
  const keys = new Map<number, Key>();
  const webhooks = new Map<number, Webhook>();
  const { on, tell: changed } = createListeners<[topic: Topic | null, order: Order | null]>();
  let last = FIRST_ID;

  const place = (saved: Saved) => {
    if ('order' in saved) orders.set(saved.order.id, saved.order);
    else if ('key' in saved) keys.set(saved.key.id, saved.key);
    else if ('keyGone' in saved) keys.delete(saved.keyGone);
    else if ('webhook' in saved) webhooks.set(saved.webhook.id, saved.webhook);
    else webhooks.delete(saved.webhookGone);
    for (const one of [...orders.keys(), ...keys.keys(), ...webhooks.keys()]) last = Math.max(last, one);
  };
  const keep = openJournal(folder, 'woo.jsonl', place, () => [
    ...[...orders.values()].slice(-KEPT).map((order) => ({ order })),
    ...[...keys.values()].map((key) => ({ key })),
    ...[...webhooks.values()].map((webhook) => ({ webhook })),
  ]);

  const seconds = () => Math.floor(now() / 1000) * 1000;
  const nextId = () => (last += 1);
  /** What no webhook is told. */
  const keepQuietly = (saved: Saved) => {
    keep(saved);
    changed(null, null);
  };
  const saveOrder = (order: Order, topic: Topic) => {
    keep({ order });
    changed(topic, order);
  };

  return {
    now,
    on,
    orders: (): Order[] => [...orders.values()].toReversed(),
    order: (id: number): Order | null => orders.get(id) ?? null,
    addOrder: (input: NewOrder, at: number = seconds()): Order => {
      const id = nextId();
      const number = String(FIRST_NUMBER + orders.size);
      const order: Order = { id, number, status: 'processing', created: at, modified: at, notes: [], ...input };
      saveOrder(order, 'order.created');
      return order;
    },
    /** As the shop's staff or a client change it; put where it is already, it counts as changed too. */
    setStatus: (order: Order, status: Status): Order => {
      const restored = order.status === 'trash';
      const next = { ...order, status, modified: seconds() };
      saveOrder(next, status === 'trash' ? 'order.deleted' : restored ? 'order.restored' : 'order.updated');
      return next;
    },
    /** A note changes nothing of the order itself, not even when it was changed. */
    addNote: (order: Order, note: string, customerNote: boolean): Note => {
      const made = { id: nextId(), at: seconds(), note, customerNote };
      keepQuietly({ order: { ...order, notes: [...order.notes, made] } });
      return made;
    },
    keys: (): Key[] => [...keys.values()],
    addKey: (description: string, permissions: Scope): Key => {
      const hash = () => randomBytes(20).toString('hex');
      const key = { id: nextId(), consumerKey: `ck_${hash()}`, consumerSecret: `cs_${hash()}`, permissions, description };
      keepQuietly({ key });
      return key;
    },
    removeKey: (id: number) => keepQuietly({ keyGone: id }),
    webhooks: (): Webhook[] => [...webhooks.values()],
    addWebhook: (input: Pick<Webhook, 'name' | 'topic' | 'deliveryUrl' | 'secret' | 'status'>): Webhook => {
      const webhook = { id: nextId(), ...input, failures: 0, created: seconds() };
      keepQuietly({ webhook });
      return webhook;
    },
    setWebhook: (webhook: Webhook) => {
      if (!webhooks.has(webhook.id)) return;
      keepQuietly({ webhook });
    },
    removeWebhook: (id: number) => keepQuietly({ webhookGone: id }),
  };
}
