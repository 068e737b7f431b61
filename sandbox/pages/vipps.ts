import type { Books, PaymentView } from '../vipps/mount.ts';
import { faultPanel } from './faults.ts';
import { liveLine, oneAtATime } from './live.ts';
import { fill } from './fill.ts';
import { el, shell, standAlone } from './shell.ts';
import { WORDS, type VippsWords } from './vipps-words.ts';

const lang = shell('vipps');
const words = WORDS[lang];
document.title = `Hatchway – ${words.title}`;

const money = (value: number, currency: string) => new Intl.NumberFormat('nb-NO', { style: 'currency', currency }).format(value / 100);
const clock = new Intl.DateTimeFormat('nb-NO', { dateStyle: 'short', timeStyle: 'medium' });
const when = (at: string) => el('time', { datetime: at }, clock.format(new Date(at)));
const head = (...names: string[]) => el('thead', {}, el('tr', {}, ...names.map((name) => el('th', { scope: 'col' }, name))));

const state = liveLine('/sandbox/vipps/events', words, {
  stands: () => void load(),
  hears: () => {
    void load();
    void faults.refresh();
  },
});
const requests = el('ul', { class: 'list', 'aria-label': words.phone });
const noRequests = el('p', { class: 'empty' }, words.noRequests);
const payments = el('ul', { class: 'list', 'aria-label': words.books });
const noPayments = el('p', { class: 'empty' }, words.noPayments);
const webhooks = el('div', { class: 'list' });
const keys = el('div', { class: 'list' });
const opened = new Set<string>();
const kindsOf = (...names: (keyof VippsWords)[]) => Object.fromEntries(names.map((name) => [name, words[name]]));
const faults = faultPanel({
  address: '/sandbox/vipps/faults',
  words,
  channels: {
    calls: { text: words.calls, kinds: kindsOf('error', 'answer-lost', 'rate-limit', 'slow', 'outage', 'cut') },
    webhooks: {
      text: words.webhooks,
      kinds: kindsOf('hook-late', 'hook-doubled', 'hook-out-of-order', 'hook-lying', 'hook-none'),
    },
  },
  only: 'reference',
});

const request = (payment: PaymentView) =>
  el(
    'li',
    { class: 'card request' },
    el('strong', {}, payment.merchant),
    el('span', { class: 'sum' }, money(payment.value, payment.currency)),
    el('span', {}, payment.description ?? payment.reference),
    payment.phoneNumber === null ? null : el('span', { class: 'dim' }, `${words.asked} +${payment.phoneNumber}`),
    el(
      'a',
      { class: 'button', href: `/sandbox/vipps/pay?token=${payment.token}`, 'aria-label': `${words.open}: ${payment.reference}` },
      words.open,
    ),
  );

/** What the provider has noted of one payment: where its money is, and what happened. */
function entry(payment: PaymentView): HTMLElement {
  const of = (value: number) => el('td', { class: 'number' }, money(value, payment.currency));
  const sums = ['authorized', 'captured', 'refunded', 'cancelled'] as const;
  const details = el(
    'details',
    { class: 'mail', open: opened.has(payment.token) },
    el(
      'summary',
      {},
      el('span', { class: 'subject' }, `${money(payment.value, payment.currency)} · ${payment.description ?? payment.merchant}`),
      el('span', { class: 'meta' }, el('span', { class: 'mono' }, payment.reference), el('span', {}, words[payment.state])),
    ),
    el(
      'div',
      { class: 'books', tabindex: '0', role: 'group', 'aria-label': payment.reference },
      el(
        'table',
        { class: 'figures' },
        el('tbody', {}, ...sums.map((name) => el('tr', {}, el('th', { scope: 'row' }, words[name]), of(payment[name])))),
      ),
      el(
        'table',
        { class: 'figures' },
        head(words.when, words.event, words.amount),
        el(
          'tbody',
          {},
          ...payment.events.map((event) =>
            el(
              'tr',
              {},
              el('td', {}, when(event.timestamp)),
              el('td', {}, event.success ? event.name : `${event.name} (${words.declined})`),
              of(event.amount.value),
            ),
          ),
        ),
      ),
    ),
  );
  details.addEventListener('toggle', () => (details.open ? opened.add(payment.token) : opened.delete(payment.token)));
  return el('li', {}, details);
}

function draw({ payments: all, webhooks: hooks, sent, waiting, merchants, address, alone }: Books): void {
  if (alone) standAlone();
  const asked = all.filter((one) => one.state === 'CREATED');
  fill(
    requests,
    asked.map((one) => ({ key: one.token, make: () => request(one) })),
  );
  fill(
    payments,
    all.map((one) => ({ key: `${one.token} ${one.events.length}`, make: () => entry(one) })),
  );
  noRequests.hidden = asked.length > 0;
  noPayments.hidden = all.length > 0;
  const told = sent.slice(0, 10);
  const fate = (status: number | null) => (status === null ? words.noAnswer : String(status));
  fill(webhooks, [
    {
      key: JSON.stringify([hooks, told, waiting]),
      make: () =>
        el(
          'div',
          {},
          ...(hooks.length === 0
            ? [el('p', { class: 'dim' }, words.noWebhooks)]
            : hooks.map(({ url }) => el('p', {}, el('code', {}, url)))),
          waiting > 0 ? el('p', {}, `${waiting} ${words.waiting}`) : null,
          ...told.map((one) => el('p', { class: 'dim' }, when(one.at), ` ${one.name} ${one.reference} · ${fate(one.status)}`)),
        ),
    },
  ]);
  const pair = (name: string, value: string) => [el('dt', {}, name), el('dd', {}, el('code', {}, value))];
  fill(
    keys,
    merchants.map((one) => ({
      key: one.msn,
      make: () =>
        el(
          'dl',
          { class: 'keys' },
          ...pair(words.address, address),
          ...pair(words.msn, one.msn),
          ...pair('client_id', one.clientId),
          ...pair('client_secret', one.clientSecret),
          ...pair('Ocp-Apim-Subscription-Key', one.subscriptionKey),
        ),
    })),
  );
}

const load = oneAtATime(async () => {
  draw((await (await fetch('/sandbox/vipps/books')).json()) as Books);
});

document
  .getElementById('main')
  ?.append(
    el('div', { class: 'head' }, el('div', {}, el('h1', {}, words.title), el('p', { class: 'dim' }, words.lead), state)),
    el(
      'div',
      { class: 'sides' },
      el(
        'section',
        { class: 'side' },
        el('h2', {}, words.phone),
        el('div', { class: 'phone' }, el('div', { class: 'screen', tabindex: '0' }, noRequests, requests)),
      ),
      el('section', { class: 'side' }, el('h2', {}, words.books), noPayments, payments),
    ),
    el('section', { class: 'card side' }, el('h2', {}, words.webhooks), webhooks),
    faults.node,
    el('section', { class: 'card side' }, el('h2', {}, words.keys), keys),
  );
