import type { Books, PaymentView } from '../vipps/mount.ts';
import { neighbour } from './neighbour.ts';
import { fill, keyList, unfolding, when } from './parts.ts';
import { el, shell } from './shell.ts';
import { WORDS } from './vipps-words.ts';

const words = WORDS[shell('vipps')];
document.title = `Hatchway – ${words.title}`;

const money = (value: number, currency: string) => new Intl.NumberFormat('nb-NO', { style: 'currency', currency }).format(value / 100);
const columns = (...names: string[]) => el('thead', {}, el('tr', {}, ...names.map((name) => el('th', { scope: 'col' }, name))));

const requests = el('ul', { class: 'list', 'aria-label': words.phone });
const noRequests = el('p', { class: 'empty' }, words.noRequests);
const payments = el('ul', { class: 'list', 'aria-label': words.books });
const noPayments = el('p', { class: 'empty' }, words.noPayments);
const webhooks = el('div', { class: 'list' });
const keys = el('div', { class: 'list' });
const opened = new Set<string>();
const { head, faults } = neighbour<Books, typeof words>(
  'vipps',
  words,
  {
    calls: ['error', 'answer-lost', 'rate-limit', 'slow', 'outage', 'cut'],
    webhooks: ['hook-late', 'hook-doubled', 'hook-out-of-order', 'hook-lying', 'hook-none'],
  },
  draw,
);

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
  const details = unfolding(
    opened,
    payment.token,
    {},
    {
      subject: `${money(payment.value, payment.currency)} · ${payment.description ?? payment.merchant}`,
      meta: [el('span', { class: 'mono' }, payment.reference), el('span', {}, words[payment.state])],
    },
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
        columns(words.when, words.event, words.amount),
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
  return el('li', {}, details);
}

function draw({ payments: all, webhooks: hooks, sent, waiting, merchants, address }: Books): void {
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
  fill(
    keys,
    merchants.map((one) => ({
      key: one.msn,
      make: () =>
        keyList({
          [words.address]: address,
          [words.msn]: one.msn,
          client_id: one.clientId,
          client_secret: one.clientSecret,
          'Ocp-Apim-Subscription-Key': one.subscriptionKey,
        }),
    })),
  );
}

document
  .getElementById('main')
  ?.append(
    head,
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
    faults,
    el('section', { class: 'card side' }, el('h2', {}, words.keys), keys),
  );
