import { el } from './shell.ts';

/** The small parts that several pages are made of. */

type Attributes = Parameters<typeof el>[1];

const clock = new Intl.DateTimeFormat('nb-NO', { dateStyle: 'short', timeStyle: 'medium' });
export const when = (at: number | string) => el('time', { datetime: new Date(at).toISOString() }, clock.format(new Date(at)));

export function button(text: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const node = el('button', { type: 'button', ...attributes }, text);
  node.addEventListener('click', act);
  return node;
}

export const labelled = (control: HTMLElement, text: string, attributes: Attributes = {}) =>
  el('div', attributes, el('label', { for: control.id }, text), control);

export const option = (value: number | string, text: string, selected = false) => el('option', { value: String(value), selected }, text);

/** Names with what they stand for, to be copied. */
export const keyList = (pairs: Record<string, string>) =>
  el(
    'dl',
    { class: 'keys' },
    ...Object.entries(pairs).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, el('code', {}, value))]),
  );

/** A row that unfolds. `opened` knows the open ones, so that one stays open when it is drawn anew. */
export function unfolding<Key>(
  opened: Set<Key>,
  key: Key,
  attributes: Attributes,
  { subject, meta }: { subject: string; meta: (HTMLElement | null)[] },
  ...inside: HTMLElement[]
): HTMLElement {
  const summary = el('summary', {}, el('span', { class: 'subject' }, subject), el('span', { class: 'meta' }, ...meta));
  const details = el('details', { class: 'mail', ...attributes, open: opened.has(key) }, summary, ...inside);
  details.addEventListener('toggle', () => (details.open ? opened.add(key) : opened.delete(key)));
  return details;
}

export const textsOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));

export const send = (method: string, address: string, body?: unknown): Promise<Response> =>
  fetch(address, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

export function onSubmit(form: HTMLFormElement, act: () => unknown): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });
}

/** Rows that say the same stay the same nodes, so that what is open, and where the focus is, stay too. */
export function fill(list: HTMLElement, rows: readonly { key: string; make: () => HTMLElement }[]): void {
  const old = new Map([...list.children].map((node) => [(node as HTMLElement).dataset['key'], node as HTMLElement]));
  const nodes = rows.map(({ key, make }) => {
    const node = old.get(key) ?? make();
    node.dataset['key'] = key;
    return node;
  });
  if (nodes.length === list.children.length && nodes.every((node, at) => node === list.children[at])) return;
  list.replaceChildren(...nodes);
}
