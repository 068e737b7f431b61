import type { FastifyInstance } from 'fastify';
import { mountFaults } from '../mount-faults.ts';
import { mountPages } from '../pages.ts';
import { mountAuth } from './auth.ts';
import { FAULTS } from './faults.ts';
import type { Woo } from './shop.ts';
import { STATUSES, type NewOrder, type Status } from './store.ts';
import { mountWire } from './wire.ts';

/** What stands before the shop's own paths beside a server. */
export const WOO_SHOP = '/sandbox/woo/shop';

/** What the page of the shop shows. `address`: of the shop, as a client is told it. `alone`: nothing else of the sandbox is here. */
const booksOf = ({ store, hooks }: Woo, address: string, alone: boolean) => ({
  orders: store.orders(),
  keys: store.keys(),
  webhooks: store.webhooks().map(({ secret: _secret, ...webhook }) => webhook),
  sent: hooks.sent(),
  address,
  alone,
});
export type ShopBooks = ReturnType<typeof booksOf>;

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

  app.get(`${at}/books`, (_request, reply) => reply.header('cache-control', 'no-store').send(booksOf(woo, address, alone)));
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
