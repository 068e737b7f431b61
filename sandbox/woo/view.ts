import type { Note, Order, Webhook } from './store.ts';

/**
 * The bodies of REST v3, as woocommerce/woocommerce-rest-api-docs gives them (wp-api-v3/_orders.md, _order-notes.md, _webhooks.md), as far
 * as a client that picks orders can meet them.
 */

const ZONE = 'Europe/Oslo';
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });

/** Without a zone, as the shop writes UTC. */
export const gmt = (at: number): string => new Date(at).toISOString().slice(0, 19);
/** Without a zone, on the shop's own clock. */
export const local = (at: number): string => clock.format(new Date(at)).replace(' ', 'T');
const money = (value: number): string => value.toFixed(2);
/** The shop tells names of products as its pages hold them. */
const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('–', '&#8211;').replaceAll('"', '&#8243;');

export function orderView(order: Order, address: string): Record<string, unknown> {
  const person = {
    first_name: order.firstName,
    last_name: order.lastName,
    company: '',
    address_1: 'Storgata 1',
    address_2: '',
    city: 'Oslo',
  };
  const place = { ...person, state: '', postcode: '0155', country: 'NO' };
  const total = order.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return {
    id: order.id,
    parent_id: 0,
    number: order.number,
    order_key: `wc_order_${order.id}`,
    created_via: 'checkout',
    version: '9.9.5',
    status: order.status,
    currency: 'NOK',
    date_created: local(order.created),
    date_created_gmt: gmt(order.created),
    date_modified: local(order.modified),
    date_modified_gmt: gmt(order.modified),
    total: money(total),
    prices_include_tax: true,
    customer_id: 0,
    customer_note: '',
    billing: { ...place, email: order.email, phone: order.phone },
    shipping: { ...place, phone: '' },
    payment_method: 'vipps',
    payment_method_title: 'Vipps',
    meta_data: [],
    line_items: order.lines.map(({ name, quantity, price }, at) => ({
      id: order.id * 10 + at,
      name: inHtml(name),
      product_id: 90 + at,
      variation_id: 0,
      quantity,
      tax_class: '',
      subtotal: money(price * quantity),
      total: money(price * quantity),
      sku: '',
      price,
      meta_data: [],
    })),
    shipping_lines: [{ id: order.id * 10 + 9, method_title: 'Local pickup', method_id: 'local_pickup', total: '0.00', meta_data: [] }],
    fee_lines: [],
    coupon_lines: [],
    refunds: order.status === 'refunded' ? [{ id: order.id * 10 + 8, reason: '', total: `-${money(total)}` }] : [],
    _links: { self: [{ href: `${address}/wp-json/wc/v3/orders/${order.id}` }] },
  };
}

export const noteView = ({ id, at, note, customerNote }: Note): Record<string, unknown> => ({
  id,
  author: 'WooCommerce',
  date_created: local(at),
  date_created_gmt: gmt(at),
  note: inHtml(note),
  customer_note: customerNote,
});

/** The secret is never shown. */
export const webhookView = ({ id, name, status, topic, deliveryUrl, created }: Webhook): Record<string, unknown> => {
  const [resource, event] = topic.split('.');
  return {
    id,
    name,
    status,
    topic,
    resource,
    event,
    hooks: [`woocommerce_${topic === 'order.created' ? 'new' : 'update'}_order`],
    delivery_url: deliveryUrl,
    date_created: local(created),
    date_created_gmt: gmt(created),
    date_modified: local(created),
    date_modified_gmt: gmt(created),
  };
};
