import type { PaymentView } from '../vipps/mount.ts';
import { button, send } from './parts.ts';
import { el, shell, standAlone } from './shell.ts';
import { WORDS } from './vipps-words.ts';

const words = WORDS[shell('vipps')];
document.title = `Hatchway – ${words.pay}`;
const address = `/sandbox/vipps/payments/${encodeURIComponent(new URLSearchParams(location.search).get('token') ?? '')}`;

const money = (value: number, currency: string) => new Intl.NumberFormat('nb-NO', { style: 'currency', currency }).format(value / 100);
const screen = el('div', { class: 'screen' });
const state = el('p', { role: 'status' });
let shown = '';

/** As the provider's app: whatever the payer decides, the shop's page is next. */
async function act(what: string): Promise<void> {
  const answer = await send('POST', address, { act: what });
  const payment = (await answer.json()) as PaymentView;
  if (answer.ok && payment.state !== 'CREATED' && payment.returnUrl !== null) location.assign(payment.returnUrl);
  else draw(payment);
}

const choice = (what: 'approve' | 'refuse' | 'decline' | 'expire', kind?: string): HTMLElement =>
  button(words[what], () => void act(what), { class: kind });

function draw(payment: PaymentView): void {
  if (payment.alone) standAlone();
  const isDeclined = payment.events.at(-1)?.success === false;
  const says = payment.state === 'CREATED' && isDeclined ? words.again : words[payment.state];
  if (says !== state.textContent) state.textContent = says;
  // what stands there already would lose the focus
  if (shown === payment.state) return;
  shown = payment.state;
  const until = el(
    'time',
    { datetime: new Date(payment.expiresAt).toISOString() },
    new Date(payment.expiresAt).toLocaleTimeString('nb-NO'),
  );
  screen.replaceChildren(
    el('h1', {}, payment.merchant),
    el('p', { class: 'sum' }, money(payment.value, payment.currency)),
    el('p', {}, payment.description ?? payment.reference),
    state,
    ...(payment.state === 'CREATED'
      ? [
          el('p', { class: 'dim' }, `${words.until} `, until),
          el(
            'div',
            { class: 'acts' },
            choice('approve', 'primary'),
            choice('refuse'),
            choice('decline', 'quiet'),
            choice('expire', 'quiet'),
          ),
        ]
      : payment.returnUrl === null
        ? []
        : [el('a', { class: 'button primary', href: payment.returnUrl }, words.back)]),
  );
}

async function load(): Promise<void> {
  const answer = await fetch(address);
  if (answer.ok) draw((await answer.json()) as PaymentView);
  else screen.replaceChildren(el('h1', {}, words.pay), el('p', { class: 'empty' }, words.unknown));
}

document
  .getElementById('main')
  ?.append(
    el('p', { class: 'dim payer' }, words.payLead),
    el('section', { class: 'payer', 'aria-label': words.phone }, el('div', { class: 'phone' }, screen)),
  );
const events = new EventSource('/sandbox/vipps/events');
events.addEventListener('open', () => void load());
events.addEventListener('message', () => void load());
