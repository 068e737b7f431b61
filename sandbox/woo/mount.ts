import type { FastifyInstance } from 'fastify';
import { mountFaults } from '../mount-faults.ts';
import { mountPages } from '../pages.ts';
import { mountAuth } from './auth.ts';
import { FAULTS } from './faults.ts';
import type { Sent } from './hooks.ts';
import type { Woo } from './shop.ts';
import { STATUSES, type Key, type NewOrder, type Order, type Status, type Webhook } from './store.ts';
import { mountWire } from './wire.ts';

/** What the page of the shop shows. */
export type ShopBooks = {
  orders: Order[];
  keys: Key[];
  webhooks: Omit<Webhook, 'secret'>[];
  sent: readonly Sent[];
  /** Of the shop, as a client is told it. */
  address: string;
  /** Nothing else of the sandbox is here. */
  alone: boolean;
};

/** What stands before the shop's own paths beside a server. */
export const WOO_SHOP = '/sandbox/woo/shop';

const text = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 200) : '');

/** An order as the page's form sends it; null without a name or lines. */
function readOrder(body: unknown): NewOrder | null {
  const { firstName, lastName, phone, email, lines } = (body ?? {}) as Record<string, unknown>;
  if (text(firstName) === '' || !Array.isArray(lines)) return null;
  const read = (lines as unknown[]).flatMap((line) => {
    const { name, quantity } = (line ?? {}) as Record<string, unknown>;
    const many = Number(quantity ?? 1);
    return text(name) === '' || !Number.isInteger(many) || many < 1 ? [] : [{ name: text(name), quantity: many, price: 199 }];
  });
  return read.length === 0
    ? null
    : { firstName: text(firstName), lastName: text(lastName), phone: text(phone), email: text(email), lines: read };
}

/** The shop's wire, the page on which its owner approves, and at `/sandbox/woo` its orders. For a demo on loopback; never mounted in production. */
export function mountWoo(app: FastifyInstance, woo: Woo, { origin, alone = false }: { origin: string; alone?: boolean }): void {
  const { store, hooks, faults } = woo;
  const at = '/sandbox/woo';
  const address = origin + WOO_SHOP;
  mountWire(app, woo, { prefix: WOO_SHOP, address });
  mountAuth(app, woo, WOO_SHOP);
  mountPages(app, { '/woo': 'woo' });
  app.get(`${at}/`, (_request, reply) => reply.redirect(at, 308));
  app.get(WOO_SHOP, (_request, reply) => reply.redirect(at));

  app.get(`${at}/books`, (_request, reply) => {
    const books: ShopBooks = {
      orders: store.orders(),
      keys: store.keys(),
      webhooks: store.webhooks().map(({ secret: _secret, ...webhook }) => webhook),
      sent: hooks.sent(),
      address,
      alone,
    };
    return reply.header('cache-control', 'no-store').send(books);
  });
  app.post(`${at}/orders`, (request, reply) => {
    const input = readOrder(request.body);
    if (!input) return reply.code(400).send({ error: 'a name and at least one line are needed' });
    return reply.code(201).send(store.addOrder(input));
  });
  app.post<{ Params: { id: string } }>(`${at}/orders/:id`, (request, reply) => {
    const order = store.order(Number(request.params.id));
    if (!order) return reply.code(404).send({ error: 'not found' });
    const wanted = (request.body as { status?: unknown } | null)?.status;
    const status = [...STATUSES, 'trash' as const].find((one): one is Status => one === wanted);
    if (!status) return reply.code(400).send({ error: `status: one of ${STATUSES.join(', ')}, trash is needed` });
    return reply.send(store.setStatus(order, status));
  });

  mountFaults(app, at, FAULTS, faults, [store, hooks]);
  app.addHook('onClose', () => hooks.stop());
}
