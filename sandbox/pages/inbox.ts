import type { InboxEvent } from '../inbox/inbox.ts';
import type { Message } from '../inbox/message.ts';
import { faultPanel } from './faults.ts';
import { WORDS } from './inbox-words.ts';
import { liveLine } from './live.ts';
import { button, fill, labelled, send, unfolding } from './parts.ts';
import { el, shell } from './shell.ts';

const words = WORDS[shell('inbox')];
document.title = `Hatchway – ${words.title}`;
const MESSAGES = '/sandbox/inbox/messages';

/** Kept newest first, as the server lists them. */
let messages: Message[] = [];
const opened = new Set<string>();
let fresh: string | null = null;
/** The one that the address names, by its sender's own id: looked for until it is there, and come to once. */
let wanted = new URLSearchParams(location.hash.slice(1)).get('message');

const clock = new Intl.DateTimeFormat('nb-NO', { timeStyle: 'medium' });
const calendar = new Intl.DateTimeFormat('nb-NO', { day: '2-digit', month: '2-digit', year: 'numeric' });
/** As in the portal: the time of what came today, the day of what came before. */
const when = (at: string) => {
  const day = new Date(at);
  const today = calendar.format(day) === calendar.format(new Date());
  return el('time', { datetime: at, title: `${calendar.format(day)} ${clock.format(day)}` }, (today ? clock : calendar).format(day));
};
const link = (href: string, text = href, kind = '') => el('a', { href, class: kind, target: '_blank', rel: 'noopener noreferrer' }, text);

/** The text with its web addresses made into links; everything else stays text. */
function withLinks(text: string, links: string[]): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let rest = text;
  for (const href of links) {
    const index = rest.indexOf(href);
    if (index < 0) continue;
    parts.push(rest.slice(0, index), link(href));
    rest = rest.slice(index + href.length);
  }
  return [...parts, rest];
}

const removeButton = (message: Message): HTMLElement =>
  button(words.remove, () => void send('DELETE', `${MESSAGES}/${message.id}`), {
    class: 'quiet',
    'aria-label': `${words.remove}: ${message.subject ?? message.text.slice(0, 40)}`,
  });

function sms(message: Message): HTMLElement {
  const parts = (message.segments ?? 1) > 1 ? ` · ${message.segments} ${words.parts}` : '';
  return el(
    'li',
    { class: 'sms', 'data-id': message.id },
    el('div', { class: 'meta' }, el('span', {}, message.from), el('span', {}, `${words.to} ${message.to.join(', ')}`)),
    el('div', { class: message.id === fresh ? 'bubble fresh' : 'bubble' }, ...withLinks(message.text, message.links)),
    el(
      'div',
      { class: 'foot' },
      el('span', {}, when(message.at), parts, message.state === 'failed' ? el('span', { class: 'failed' }, ` · ${words.failed}`) : null),
      removeButton(message),
    ),
  );
}

function mail(message: Message): HTMLElement {
  const body =
    message.html === null
      ? el('div', { class: 'plain' }, ...withLinks(message.text, message.links))
      : el('iframe', {
          src: `${MESSAGES}/${message.id}/mail`,
          title: `${words.letter}: ${message.subject ?? ''}`,
          referrerpolicy: 'no-referrer',
        });
  const details = unfolding(
    opened,
    message.id,
    { class: 'mail' + (message.id === fresh ? ' fresh' : '') },
    {
      subject: message.subject ?? '–',
      meta: [el('span', {}, `${words.to} ${message.to.join(', ')} ${words.from} ${message.from}`), when(message.at)],
    },
    body,
    el('div', { class: 'links' }, ...message.links.map((href) => link(href, `${words.open} ${new URL(href).pathname}`, 'button'))),
    el('div', { class: 'foot' }, el('span', { class: 'mono' }, message.messageId ?? ''), removeButton(message)),
  );
  return el('li', { 'data-id': message.id }, details);
}

const find = el('input', { id: 'find', type: 'search', autocomplete: 'off', value: new URLSearchParams(location.search).get('to') ?? '' });
const state = liveLine('/sandbox/inbox/events', words, {
  stands: () => void load(),
  hears: (data) => apply(JSON.parse(data) as InboxEvent),
});
const clear = button(words.clear, () => {
  if (confirm(words.clearSure)) void send('DELETE', MESSAGES);
});
const phone = el('ul', { class: 'list', 'aria-label': words.phone });
const letters = el('ul', { class: 'list', 'aria-label': words.mail });
const noSms = el('p', { class: 'empty' }, words.noSms);
const noMail = el('p', { class: 'empty' }, words.noMail);
const faults = faultPanel({
  address: '/sandbox/inbox/faults',
  words,
  channels: {
    sms: ['refuse', 'accept-then-fail', 'answer-lost', 'slow', 'away', 'busy', 'broken', 'malformed', 'forged'],
    mail: ['temporary', 'permanent', 'answer-lost', 'slow'],
  },
  only: 'to',
});

/** A row stays the same node while its message does, so that an open mail is not loaded again when another one arrives. */
const rowsOf = (shown: Message[], make: (message: Message) => HTMLElement) =>
  shown.map((message) => ({ key: `${message.id} ${message.state}`, make: () => make(message) }));

function draw(): void {
  const wish = find.value.toLowerCase().replaceAll(/\s/g, '');
  const shown = messages.filter((message) => message.to.some((to) => to.toLowerCase().includes(wish)));
  const texts = shown.filter((message) => message.channel === 'sms');
  const mails = shown.filter((message) => message.channel === 'mail');
  fill(phone, rowsOf(texts, sms));
  fill(letters, rowsOf(mails, mail));
  noSms.hidden = texts.length > 0;
  noMail.hidden = mails.length > 0;
  clear.disabled = messages.length === 0;
  if (wanted !== null) comeTo(wanted);
}

/** An SMS bears the sender's id as its reference, a mail in its Message-ID. */
function comeTo(id: string): void {
  const message = messages.find((one) => one.ref === id || one.messageId?.startsWith(`<${id}@`) === true);
  if (message === undefined) return;
  wanted = null;
  fresh = message.id;
  const row = document.querySelector<HTMLElement>(`[data-id="${message.id}"]`);
  if (row === null) return;
  const details = row.querySelector('details');
  if (details !== null) details.open = true;
  (row.querySelector('.bubble') ?? details)?.classList.add('fresh', 'named');
  row.scrollIntoView({ block: 'center' });
  (row.querySelector<HTMLElement>('.bubble a') ?? row.querySelector<HTMLElement>('summary'))?.focus({ preventScroll: true });
}

async function load(): Promise<void> {
  messages = (await (await fetch(MESSAGES)).json()) as Message[];
  const newest = messages.find((message) => message.channel === 'mail');
  if (newest && opened.size === 0) opened.add(newest.id);
  draw();
}

function apply(event: InboxEvent): void {
  if (event.kind === 'faults') return void faults.refresh();
  if (event.kind === 'cleared') messages = [];
  if (event.kind === 'removed') messages = messages.filter((message) => message.id !== event.id);
  if (event.kind === 'changed') messages = messages.map((message) => (message.id === event.message.id ? event.message : message));
  if (event.kind === 'added') {
    fresh = event.message.id;
    if (event.message.channel === 'mail') opened.add(event.message.id);
    messages = [event.message, ...messages.filter((message) => message.id !== event.message.id)];
  }
  return draw();
}

find.addEventListener('input', draw);

document
  .getElementById('main')
  ?.append(
    el(
      'div',
      { class: 'head' },
      el('div', {}, el('h1', {}, words.title), el('p', { class: 'dim' }, words.lead), state),
      labelled(find, words.find, { class: 'find' }),
      clear,
    ),
    el(
      'div',
      { class: 'sides' },
      el(
        'section',
        { class: 'side' },
        el('h2', {}, words.phone),
        el('div', { class: 'phone' }, el('div', { class: 'screen', tabindex: '0' }, noSms, phone)),
      ),
      el('section', { class: 'side' }, el('h2', {}, words.mail), noMail, letters),
    ),
    faults.node,
  );
