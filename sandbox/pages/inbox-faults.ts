import type { Fault } from '../inbox/faults.ts';
import type { InboxWords } from './inbox-words.ts';
import { el } from './shell.ts';

const KINDS = {
  sms: ['refuse', 'accept-then-fail', 'answer-lost', 'slow'],
  mail: ['temporary', 'permanent', 'answer-lost', 'slow'],
} as const;
const ADDRESS = '/sandbox/inbox/faults';

const option = (value: string, text: string) => el('option', { value }, text);
const field = (control: HTMLElement, text: string) => el('div', {}, el('label', { for: control.id }, text), control);

/** The panel that makes sending fail; `refresh` is called whenever a fault was added, used up or cleared. */
export function faultPanel(words: InboxWords): { node: HTMLElement; refresh(): Promise<void> } {
  const channel = el('select', { id: 'fault-channel' }, option('sms', 'SMS'), option('mail', words.mail));
  const kind = el('select', { id: 'fault-kind' });
  const times = el('select', { id: 'fault-times' }, option('1', words.once), option('3', words.thrice), option('', words.always));
  const to = el('input', { id: 'fault-to', autocomplete: 'off' });
  const list = el('ul', { class: 'list' });
  const clear = el('button', { type: 'button' }, words.clearFaults);

  const fillKinds = () => kind.replaceChildren(...KINDS[channel.value === 'mail' ? 'mail' : 'sms'].map((one) => option(one, words[one])));
  channel.addEventListener('change', fillKinds);
  fillKinds();

  const line = (fault: Fault) =>
    el(
      'li',
      {},
      `${fault.channel === 'sms' ? 'SMS' : words.mail}: ${words[fault.kind]} · ${fault.times === null ? words.always : `× ${fault.times}`}${fault.to === null ? '' : ` · ${fault.to}`}`,
    );
  const refresh = async () => {
    const faults = (await (await fetch(ADDRESS)).json()) as Fault[];
    list.replaceChildren(...faults.map(line));
    clear.hidden = faults.length === 0;
  };
  const form = el(
    'form',
    {},
    field(channel, words.channel),
    field(kind, words.kind),
    field(times, words.times),
    field(to, words.only),
    el('div', { class: 'row' }, el('button', { type: 'submit' }, words.add), clear),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const body = { channel: channel.value, kind: kind.value, times: times.value === '' ? null : Number(times.value), to: to.value.trim() };
    void fetch(ADDRESS, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(refresh);
  });
  clear.addEventListener('click', () => void fetch(ADDRESS, { method: 'DELETE' }).then(refresh));
  void refresh();
  return { node: el('details', { class: 'card faults' }, el('summary', {}, words.faults), form, list), refresh };
}
