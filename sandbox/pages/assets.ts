import type { ToolBooks } from '../assets/mount.ts';
import type { Asset, Entry, Request } from '../assets/store.ts';
import { WORDS } from './assets-words.ts';
import { neighbour } from './neighbour.ts';
import { button, fill, keyList, labelled, onSubmit, option, send as sendTo, textsOf, unfolding, when } from './parts.ts';
import { el, shell } from './shell.ts';

const words = WORDS[shell('assets')];
document.title = `Hatchway – ${words.title}`;

const days = new Intl.DateTimeFormat('nb-NO', { dateStyle: 'short' });
const untilWords = (until: string | null) => (until === null ? '' : ` · ${words.until2.replace('{day}', days.format(new Date(until)))}`);

const send = (method: 'POST' | 'DELETE', path: string, body: unknown = {}) => sendTo(method, `/sandbox/assets/${path}`, body);

const requests = el('ul', { class: 'list', 'aria-label': words.requests });
const noRequests = el('p', { class: 'empty' }, words.noRequests);
const assets = el('ul', { class: 'list', 'aria-label': words.assets });
const noAssets = el('p', { class: 'empty' }, words.noAssets);
const log = el('div', { class: 'list' });
const keys = el('div', { class: 'list' });
const opened = new Set<number>();
const { head, faults } = neighbour<ToolBooks, typeof words>(
  'assets',
  words,
  {
    calls: ['slow', 'outage', 'throttled', 'cut', 'garbage', 'redirect'],
    changes: ['error', 'answer-lost', 'refused'],
    lists: ['doubled'],
  },
  draw,
);

const who = el('select', { id: 'personId', name: 'personId' });
const what = el('select', { id: 'assetId', name: 'assetId' });
const field = (name: 'name' | 'tlf' | 'email' | 'what' | 'until') =>
  labelled(el('input', { id: name, name, autocomplete: 'off', type: name === 'until' ? 'date' : 'text' }), words[name]);
const stranger = [field('name'), field('tlf'), field('email')];
const showStranger = () => stranger.forEach((node) => (node.hidden = who.value !== ''));
who.addEventListener('change', showStranger);
const missing = el('p', { role: 'alert' });
const form = el(
  'form',
  {},
  labelled(who, words.who),
  ...stranger,
  labelled(what, words.asset),
  field('what'),
  field('until'),
  missing,
  el('button', { type: 'submit', class: 'primary' }, words.send),
);
onSubmit(form, async () => {
  const answer = await send('POST', 'requests', textsOf(form));
  missing.textContent = answer.ok ? '' : words.missing;
  if (answer.ok) form.reset();
  showStranger();
});
const more = el(
  'form',
  {},
  labelled(el('input', { id: 'new-name', name: 'name', autocomplete: 'off', required: true }), words.name),
  labelled(el('input', { id: 'new-tag', name: 'tag', autocomplete: 'off', required: true }), words.tag),
  el('button', { type: 'submit' }, words.add),
);
onSubmit(more, async () => {
  const answer = await send('POST', 'assets', textsOf(more));
  if (answer.ok) more.reset();
});

type Names = { person: (id: number | null) => string; asset: (id: number | null) => string };

const requestEntry = ({ id, what: text, assetId, personId, until, state: stands }: Request, { person, asset }: Names): HTMLElement =>
  el(
    'li',
    { class: 'card side' },
    el('p', {}, el('strong', {}, person(personId)), ` · ${text}`),
    el('p', { class: 'dim' }, `${words[stands]}${assetId === null ? '' : ` · ${asset(assetId)}`}${untilWords(until)}`),
    stands === 'open' ? button(words.withdraw, () => void send('POST', `requests/${id}/withdraw`)) : null,
  );

function assetEntry(asset: Asset, { person }: Names, { conditions, people }: ToolBooks): HTMLElement {
  const { id, name, tag, condition, holderId, until } = asset;
  const lendable = conditions.find((one) => one.id === condition)?.isLendable;
  const stands = holderId !== null ? words.out : lendable ? words.available : words['not-lendable'];
  const set = (body: unknown) => void send('POST', `assets/${id}`, body);
  const wear = el('select', { id: `condition-${id}` }, ...conditions.map((one) => option(one.id, one.name, one.id === condition)));
  wear.addEventListener('change', () => set({ condition: Number(wear.value) }));
  const holder = el(
    'select',
    { id: `holder-${id}` },
    option('', words.nobody),
    ...people.map((one) => option(one.id, one.name, one.id === holderId)),
  );
  holder.addEventListener('change', () => set({ holderId: holder.value === '' ? null : Number(holder.value) }));
  const details = unfolding(
    opened,
    id,
    { id: `asset-${id}` },
    {
      subject: name,
      meta: [
        el('span', { class: 'mono' }, tag),
        el('span', {}, `${stands}${holderId === null ? '' : ` · ${person(holderId)}`}${untilWords(until)}`),
      ],
    },
    el(
      'div',
      { class: 'books' },
      labelled(wear, words.condition),
      labelled(holder, words.handTo),
      el(
        'div',
        { class: 'row' },
        holderId === null ? null : button(words.returned, () => set({ holderId: null })),
        button(words.remove, () => void send('DELETE', `assets/${id}`)),
      ),
    ),
  );
  return el('li', {}, details);
}

const logEntry = ({ at, action, assetId, personId, note, by }: Entry, { person, asset }: Names): HTMLElement =>
  el(
    'p',
    {},
    when(at),
    ` ${[asset(assetId), words[action], person(personId), action === 'requested' ? '' : words[by], note].filter(Boolean).join(' · ')}`,
  );

/** What is chosen stays chosen. */
const choices = (select: HTMLSelectElement, first: string, rows: readonly { id: number; name: string }[]) => {
  const chosen = select.value;
  const key = JSON.stringify(rows);
  if (select.dataset['rows'] === key) return;
  select.dataset['rows'] = key;
  select.replaceChildren(option('', first), ...rows.map((one) => option(one.id, one.name)));
  if (rows.some((one) => String(one.id) === chosen)) select.value = chosen;
};

function draw(books: ToolBooks): void {
  const { assets: things, people, requests: asked, entries, apiKey, address } = books;
  const nameIn = (rows: readonly { id: number; name: string }[]) => (id: number | null) => rows.find((one) => one.id === id)?.name ?? '';
  const names: Names = { person: nameIn(people), asset: nameIn(things) };
  choices(who, words.somebodyElse, people);
  choices(what, words.noneInParticular, things);
  showStranger();
  fill(
    requests,
    asked.map((one) => ({ key: JSON.stringify([one, names.asset(one.assetId)]), make: () => requestEntry(one, names) })),
  );
  noRequests.hidden = asked.length > 0;
  fill(
    assets,
    things.map((one) => ({ key: JSON.stringify([one, people.length]), make: () => assetEntry(one, names, books) })),
  );
  noAssets.hidden = things.length > 0;
  fill(log, [
    {
      key: JSON.stringify(entries),
      make: () =>
        el('div', {}, ...(entries.length === 0 ? [el('p', { class: 'dim' }, words.noLog)] : entries.map((one) => logEntry(one, names)))),
    },
  ]);
  fill(keys, [
    {
      key: apiKey + address,
      make: () =>
        el(
          'div',
          {},
          keyList({ [words.address]: address, [words.key]: apiKey }),
          button(words.newKey, () => void send('POST', 'key')),
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
      el('section', { class: 'card side' }, el('h2', {}, words.ask), form),
      el('section', { class: 'side' }, el('h2', {}, words.requests), noRequests, requests),
    ),
    el(
      'div',
      { class: 'sides' },
      el('section', { class: 'card side' }, el('h2', {}, words.newAsset), more),
      el('section', { class: 'side' }, el('h2', {}, words.assets), noAssets, assets),
    ),
    el('section', { class: 'card side' }, el('h2', {}, words.log), log),
    faults,
    el('section', { class: 'card side' }, el('h2', {}, words.connect), keys),
  );
