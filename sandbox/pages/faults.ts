import { button, labelled, option, send } from './parts.ts';
import { el } from './shell.ts';

/** A bad day as its server lists it; `to` or `reference` where it hits one alone. */
type Fault = { channel?: string; kind: string; times: number | null; to?: string | null; reference?: string | null };
export type PanelWords = Record<string, string> &
  Record<'faults' | 'channel' | 'kind' | 'times' | 'only' | 'once' | 'thrice' | 'always' | 'add' | 'clearFaults', string>;
/** What can fail in which ways, each by its word. */
export type Channels<Words extends PanelWords> = { [channel in keyof Words]?: (keyof Words & string)[] };
type Panel<Words extends PanelWords> = {
  /** Where faults are listed, added and cleared. */
  address: string;
  words: Words;
  channels: Channels<Words>;
  /** What a fault may be bound to. */
  only: 'to' | 'reference';
};

/** The panel that makes things fail; `refresh` is called whenever a fault was added, used up or cleared. */
export function faultPanel<Words extends PanelWords>({
  address,
  words,
  channels,
  only,
}: Panel<Words>): {
  node: HTMLElement;
  refresh(): Promise<void>;
} {
  const ways = new Map(Object.entries<readonly string[] | undefined>(channels));
  const options = (names: Iterable<string>) => [...names].map((name) => option(name, words[name] ?? name));
  const channel = el('select', { id: 'fault-channel' }, ...options(ways.keys()));
  const kind = el('select', { id: 'fault-kind' });
  const times = el('select', { id: 'fault-times' }, option('1', words.once), option('3', words.thrice), option('', words.always));
  const to = el('input', { id: 'fault-to', autocomplete: 'off' });
  const list = el('ul', { class: 'list' });

  const fillKinds = () => kind.replaceChildren(...options(ways.get(channel.value) ?? []));
  channel.addEventListener('change', fillKinds);
  fillKinds();

  const line = (fault: Fault) => {
    const whose = [...ways].find(([key, kinds]) => (fault.channel ?? key) === key && kinds?.includes(fault.kind))?.[0];
    const bound = fault.to ?? fault.reference ?? null;
    const often = fault.times === null ? words.always : `× ${fault.times}`;
    return el('li', {}, `${words[whose ?? '']}: ${words[fault.kind]} · ${often}${bound === null ? '' : ` · ${bound}`}`);
  };
  const refresh = async () => {
    const faults = (await (await fetch(address)).json()) as Fault[];
    list.replaceChildren(...faults.map(line));
    clear.hidden = faults.length === 0;
  };
  const clear = button(words.clearFaults, () => void send('DELETE', address).then(refresh));
  const form = el(
    'form',
    {},
    labelled(channel, words.channel),
    labelled(kind, words.kind),
    labelled(times, words.times),
    labelled(to, words.only),
    el('div', { class: 'row' }, el('button', { type: 'submit' }, words.add), clear),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const often = times.value === '' ? null : Number(times.value);
    void send('POST', address, { channel: channel.value, kind: kind.value, times: often, [only]: to.value.trim() }).then(refresh);
  });
  void refresh();
  return { node: el('details', { class: 'card faults' }, el('summary', {}, words.faults), form, list), refresh };
}
