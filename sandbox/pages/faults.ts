import { el } from './shell.ts';

/** A bad day as its server lists it; `to` or `reference` where it hits one alone. */
type Fault = { channel?: string; kind: string; times: number | null; to?: string | null; reference?: string | null };
type PanelWords = Record<'faults' | 'channel' | 'kind' | 'times' | 'only' | 'once' | 'thrice' | 'always' | 'add' | 'clearFaults', string>;
type Panel = {
  /** Where faults are listed, added and cleared. */
  address: string;
  words: PanelWords;
  /** What can fail in which ways, each with its words. */
  channels: Record<string, { text: string; kinds: Record<string, string> }>;
  /** What a fault may be bound to. */
  only: 'to' | 'reference';
};

const option = (value: string, text: string) => el('option', { value }, text);
const field = (control: HTMLElement, text: string) => el('div', {}, el('label', { for: control.id }, text), control);

/** The panel that makes things fail; `refresh` is called whenever a fault was added, used up or cleared. */
export function faultPanel({ address, words, channels, only }: Panel): { node: HTMLElement; refresh(): Promise<void> } {
  const channel = el('select', { id: 'fault-channel' }, ...Object.entries(channels).map(([key, { text }]) => option(key, text)));
  const kind = el('select', { id: 'fault-kind' });
  const times = el('select', { id: 'fault-times' }, option('1', words.once), option('3', words.thrice), option('', words.always));
  const to = el('input', { id: 'fault-to', autocomplete: 'off' });
  const list = el('ul', { class: 'list' });
  const clear = el('button', { type: 'button' }, words.clearFaults);

  const fillKinds = () =>
    kind.replaceChildren(...Object.entries(channels[channel.value]?.kinds ?? {}).map(([key, text]) => option(key, text)));
  channel.addEventListener('change', fillKinds);
  fillKinds();

  const line = (fault: Fault) => {
    const whose = Object.entries(channels).find(([key, { kinds }]) => (fault.channel ?? key) === key && fault.kind in kinds)?.[1];
    const bound = fault.to ?? fault.reference ?? null;
    const often = fault.times === null ? words.always : `× ${fault.times}`;
    return el('li', {}, `${whose?.text}: ${whose?.kinds[fault.kind]} · ${often}${bound === null ? '' : ` · ${bound}`}`);
  };
  const refresh = async () => {
    const faults = (await (await fetch(address)).json()) as Fault[];
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
    const often = times.value === '' ? null : Number(times.value);
    const body = { channel: channel.value, kind: kind.value, times: often, [only]: to.value.trim() };
    void fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(refresh);
  });
  clear.addEventListener('click', () => void fetch(address, { method: 'DELETE' }).then(refresh));
  void refresh();
  return { node: el('details', { class: 'card faults' }, el('summary', {}, words.faults), form, list), refresh };
}
