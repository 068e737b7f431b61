import type { ShopBooks } from '../woo/mount.ts';
import type { Order } from '../woo/store.ts';
import { neighbour } from './neighbour.ts';
import { fill, keyList, labelled, onSubmit, option, send, textsOf, unfolding, when } from './parts.ts';
import { el, shell } from './shell.ts';
import { WORDS } from './woo-words.ts';

const words = WORDS[shell('woo')];
document.title = `Hatchway – ${words.title}`;

const STATUSES = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed', 'trash'] as const;
const orders = el('ul', { class: 'list orders', 'aria-label': words.orders });
const noOrders = el('p', { class: 'empty' }, words.noOrders);
const webhooks = el('div', { class: 'list' });
const keys = el('div', { class: 'list' });
const opened = new Set<number>();
const { head, faults } = neighbour<ShopBooks, typeof words>(
  'woo',
  words,
  {
    calls: ['error', 'answer-lost', 'slow', 'outage', 'cut', 'garbage'],
    webhooks: ['hook-late', 'hook-doubled', 'hook-lying', 'hook-none'],
  },
  draw,
);

const field = (name: 'firstName' | 'lastName' | 'phone' | 'email') =>
  labelled(el('input', { id: name, name, autocomplete: 'off', required: name === 'firstName' }), words[name]);
const goods = el('textarea', { id: 'goods', rows: '3', required: true });
const missing = el('p', { role: 'alert' });
const form = el(
  'form',
  {},
  field('firstName'),
  field('lastName'),
  field('phone'),
  field('email'),
  labelled(goods, words.goods),
  missing,
  el('button', { type: 'submit', class: 'primary' }, words.order),
);
onSubmit(form, async () => {
  const lines = goods.value.split('\n').map((line) => {
    const [, many, name] = /^\s*(?:(\d+)\s*[x×]\s*)?(.*)$/.exec(line) ?? [];
    return { name: name ?? '', quantity: Number(many ?? 1) };
  });
  const answer = await send('POST', '/sandbox/woo/orders', { ...textsOf(form), lines });
  missing.textContent = answer.ok ? '' : words.missing;
  if (answer.ok) form.reset();
});

function entry(order: Order): HTMLElement {
  const { id, number, status, firstName, lastName, phone, email, lines, notes } = order;
  const wish = el('select', { id: `status-${id}` }, ...STATUSES.map((one) => option(one, words[one], one === status)));
  wish.addEventListener('change', () => void send('POST', `/sandbox/woo/orders/${id}`, { status: wish.value }));
  const details = unfolding(
    opened,
    id,
    {},
    {
      subject: `${firstName} ${lastName} · ${lines.map((line) => `${line.quantity} × ${line.name}`).join(', ')}`,
      meta: [el('span', { class: 'mono' }, number), el('span', {}, words[status])],
    },
    el(
      'div',
      { class: 'books' },
      el('p', { class: 'dim' }, [phone, email].filter(Boolean).join(' · '), ' ', when(order.created)),
      labelled(wish, words.change),
      el('h3', {}, words.notes),
      ...(notes.length === 0
        ? [el('p', { class: 'dim' }, words.noNotes)]
        : notes.map((one) => el('p', {}, when(one.at), ` ${one.note}`, one.customerNote ? ` (${words.toCustomer})` : null))),
    ),
  );
  return el('li', {}, details);
}

function draw({ orders: all, keys: given, webhooks: hooks, sent, address }: ShopBooks): void {
  fill(
    orders,
    all.map((one) => ({ key: `${one.id} ${one.modified} ${one.status} ${one.notes.length}`, make: () => entry(one) })),
  );
  noOrders.hidden = all.length > 0;
  const told = sent.slice(0, 10);
  fill(webhooks, [
    {
      key: JSON.stringify([hooks, told]),
      make: () =>
        el(
          'div',
          {},
          ...(hooks.length === 0
            ? [el('p', { class: 'dim' }, words.noWebhooks)]
            : hooks.map((one) => el('p', {}, el('code', {}, one.topic), ` ${one.status}`))),
          ...told.map((one) => el('p', { class: 'dim' }, when(one.at), ` ${one.topic} ${one.number} · ${one.status ?? words.noAnswer}`)),
        ),
    },
  ]);
  fill(keys, [
    {
      key: JSON.stringify([given, address]),
      make: () =>
        el(
          'div',
          {},
          keyList({ [words.address]: address }),
          given.length === 0 ? el('p', { class: 'dim' }, words.noKeys) : null,
          ...given.map((one) => keyList({ consumer_key: one.consumerKey, consumer_secret: one.consumerSecret })),
        ),
    },
  ]);
}

document
  .getElementById('main')
  ?.append(
    head,
    el(
      'div',
      { class: 'sides' },
      el('section', { class: 'card side' }, el('h2', {}, words.newOrder), form),
      el('section', { class: 'side' }, el('h2', {}, words.orders), noOrders, orders),
    ),
    el('section', { class: 'card side' }, el('h2', {}, words.webhooks), webhooks),
    faults,
    el('section', { class: 'card side' }, el('h2', {}, words.keys), keys),
  );
