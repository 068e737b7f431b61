import type { ShopBooks } from '../woo/mount.ts';
import type { Order } from '../woo/store.ts';
import { faultPanel } from './faults.ts';
import { liveLine, oneAtATime } from './live.ts';
import { fill } from './fill.ts';
import { el, shell, standAlone } from './shell.ts';
import { WORDS, type WooWords } from './woo-words.ts';

const words = WORDS[shell('woo')];
document.title = `Hatchway – ${words.title}`;

const STATUSES = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed', 'trash'] as const;
const clock = new Intl.DateTimeFormat('nb-NO', { dateStyle: 'short', timeStyle: 'medium' });
const when = (at: number | string) => el('time', { datetime: new Date(at).toISOString() }, clock.format(new Date(at)));

const state = liveLine('/sandbox/woo/events', words, {
  stands: () => void load(),
  hears: () => {
    void load();
    void faults.refresh();
  },
});
const orders = el('ul', { class: 'list orders', 'aria-label': words.orders });
const noOrders = el('p', { class: 'empty' }, words.noOrders);
const webhooks = el('div', { class: 'list' });
const keys = el('div', { class: 'list' });
const opened = new Set<number>();
const kindsOf = (...names: (keyof WooWords)[]) => Object.fromEntries(names.map((name) => [name, words[name]]));
const faults = faultPanel({
  address: '/sandbox/woo/faults',
  words,
  channels: {
    calls: { text: words.calls, kinds: kindsOf('error', 'answer-lost', 'slow', 'outage', 'cut', 'garbage') },
    webhooks: { text: words.webhooks, kinds: kindsOf('hook-late', 'hook-doubled', 'hook-lying', 'hook-none') },
  },
  only: 'reference',
});

const post = (path: string, body: unknown) =>
  fetch(`/sandbox/woo/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const field = (name: 'firstName' | 'lastName' | 'phone' | 'email') => {
  const control = el('input', { id: name, name, autocomplete: 'off', ...(name === 'firstName' ? { required: true } : {}) });
  return el('div', {}, el('label', { for: name }, words[name]), control);
};
const goods = el('textarea', { id: 'goods', rows: '3', required: true });
const missing = el('p', { role: 'alert' });
const form = el(
  'form',
  {},
  field('firstName'),
  field('lastName'),
  field('phone'),
  field('email'),
  el('div', {}, el('label', { for: 'goods' }, words.goods), goods),
  missing,
  el('button', { type: 'submit', class: 'primary' }, words.order),
);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const said = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
  const lines = goods.value.split('\n').map((line) => {
    const [, many, name] = /^\s*(?:(\d+)\s*[x×]\s*)?(.*)$/.exec(line) ?? [];
    return { name: name ?? '', quantity: Number(many ?? 1) };
  });
  void post('orders', { ...said, lines }).then((answer) => {
    missing.textContent = answer.ok ? '' : words.missing;
    if (answer.ok) form.reset();
  });
});

function entry(order: Order): HTMLElement {
  const { id, number, status, firstName, lastName, phone, email, lines, notes } = order;
  const wish = el(
    'select',
    { id: `status-${id}` },
    ...STATUSES.map((one) => el('option', { value: one, selected: one === status }, words[one])),
  );
  wish.addEventListener('change', () => void post(`orders/${id}`, { status: wish.value }));
  const details = el(
    'details',
    { class: 'mail', open: opened.has(id) },
    el(
      'summary',
      {},
      el('span', { class: 'subject' }, `${firstName} ${lastName} · ${lines.map((line) => `${line.quantity} × ${line.name}`).join(', ')}`),
      el('span', { class: 'meta' }, el('span', { class: 'mono' }, number), el('span', {}, words[status])),
    ),
    el(
      'div',
      { class: 'books' },
      el('p', { class: 'dim' }, [phone, email].filter(Boolean).join(' · '), ' ', when(order.created)),
      el('div', {}, el('label', { for: wish.id }, words.change), wish),
      el('h3', {}, words.notes),
      ...(notes.length === 0
        ? [el('p', { class: 'dim' }, words.noNotes)]
        : notes.map((one) => el('p', {}, when(one.at), ` ${one.note}`, one.customerNote ? ` (${words.toCustomer})` : null))),
    ),
  );
  details.addEventListener('toggle', () => (details.open ? opened.add(id) : opened.delete(id)));
  return el('li', {}, details);
}

function draw({ orders: all, keys: given, webhooks: hooks, sent, address, alone }: ShopBooks): void {
  if (alone) standAlone();
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
  const pair = (name: string, value: string) => [el('dt', {}, name), el('dd', {}, el('code', {}, value))];
  fill(keys, [
    {
      key: JSON.stringify([given, address]),
      make: () =>
        el(
          'div',
          {},
          el('dl', { class: 'keys' }, ...pair(words.address, address)),
          given.length === 0 ? el('p', { class: 'dim' }, words.noKeys) : null,
          ...given.map((one) =>
            el('dl', { class: 'keys' }, ...pair('consumer_key', one.consumerKey), ...pair('consumer_secret', one.consumerSecret)),
          ),
        ),
    },
  ]);
}

const load = oneAtATime(async () => {
  draw((await (await fetch('/sandbox/woo/books')).json()) as ShopBooks);
});

document
  .getElementById('main')
  ?.append(
    el('div', { class: 'head' }, el('div', {}, el('h1', {}, words.title), el('p', { class: 'dim' }, words.lead), state)),
    el(
      'div',
      { class: 'sides' },
      el('section', { class: 'card side' }, el('h2', {}, words.newOrder), form),
      el('section', { class: 'side' }, el('h2', {}, words.orders), noOrders, orders),
    ),
    el('section', { class: 'card side' }, el('h2', {}, words.webhooks), webhooks),
    faults.node,
    el('section', { class: 'card side' }, el('h2', {}, words.keys), keys),
  );
