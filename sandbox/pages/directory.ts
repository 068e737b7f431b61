import type { DirectoryBooks } from '../directory/mount.ts';
import { WORDS, type DirectoryWords } from './directory-words.ts';
import { faultPanel } from './faults.ts';
import { liveLine, oneAtATime } from './live.ts';
import { fill } from './fill.ts';
import { el, shell, standAlone } from './shell.ts';

const words = WORDS[shell('directory')];
document.title = `Hatchway – ${words.title}`;

const at = '/sandbox/directory';
let tid = new URLSearchParams(location.search).get('tid') ?? '';
const opened = new Set<string>();
const state = liveLine(`${at}/events`, words, {
  stands: () => void load(),
  hears: () => {
    void load();
    void faults.refresh();
  },
});
const people = el('ul', { class: 'list', 'aria-label': words.people });
const nobody = el('p', { class: 'empty' }, words.noPeople);
const consent = el('div', {});
const keys = el('div', { class: 'list' });
const chosen = el('select', { id: 'directory' });
const kindsOf = (...names: (keyof DirectoryWords)[]) => Object.fromEntries(names.map((name) => [name, words[name]]));
const faults = faultPanel({
  address: `${at}/faults`,
  words,
  channels: {
    calls: { text: words.calls, kinds: kindsOf('outage', 'cut', 'slow', 'error', 'garbage', 'redirect') },
    reading: {
      text: words.reading,
      kinds: kindsOf('throttled', 'gone', 'expired-token', 'groups-refused', 'shuffled', 'member-first', 'unreadable', 'foreign-link'),
    },
    signing: { text: words.signing, kinds: kindsOf('forged-tenant', 'lying-signature') },
  },
  only: 'reference',
});

const send = (method: string, path: string, body?: unknown) =>
  fetch(`${at}/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const field = (id: string, text: string) => {
  const control = el('input', { id, name: id, autocomplete: 'off' });
  return el('div', {}, el('label', { for: id }, text), control);
};
const isAdmin = el('input', { id: 'isAdmin', type: 'checkbox' });
const missing = el('p', { role: 'alert' });
const form = (...inside: (Node | null)[]) => el('form', {}, ...inside);
const valuesOf = (one: HTMLFormElement) =>
  Object.fromEntries([...new FormData(one)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));

const newPerson = form(
  field('givenName', words.givenName),
  field('surname', words.surname),
  field('mobilePhone', words.mobilePhone),
  el('div', { class: 'row' }, isAdmin, el('label', { for: 'isAdmin' }, words.isAdmin)),
  missing,
  el('button', { type: 'submit', class: 'primary' }, words.addPerson),
);
newPerson.addEventListener('submit', (event) => {
  event.preventDefault();
  void send('POST', `${tid}/people`, { ...valuesOf(newPerson), isAdmin: isAdmin.checked }).then((answer) => {
    missing.textContent = answer.ok ? '' : words.missing;
    if (answer.ok) newPerson.reset();
  });
});
const named = (id: string, label: string, action: string, done: (name: string) => Promise<unknown>) => {
  const node = form(field(id, label), el('button', { type: 'submit' }, action));
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    void done(valuesOf(node)[id] ?? '').then(() => node.reset());
  });
  return node;
};
const newGroup = named('newGroup', words.newGroup, words.addGroup, (name) => send('POST', `${tid}/groups`, { name }));
const newDirectory = named('newDirectory', words.newDirectory, words.make, async (name) => {
  const answer = await send('POST', 'tenants', { name });
  if (answer.ok) tid = ((await answer.json()) as { tid: string }).tid;
  await load();
});
chosen.addEventListener('change', () => {
  tid = chosen.value;
  void load();
});

const button = (text: string, name: string, act: () => void) => {
  const node = el('button', { type: 'button', 'aria-label': `${text}: ${name}` }, text);
  node.addEventListener('click', act);
  return node;
};

function entry({ groups }: DirectoryBooks, person: DirectoryBooks['people'][number]): HTMLElement {
  const { id, name, userPrincipalName, accountEnabled } = person;
  const mine = groups.filter(({ members }) => members.includes(id));
  const boxes = groups.map((group) => {
    const box = el('input', { type: 'checkbox', id: `${group.id}-${id}`, checked: mine.includes(group) });
    box.addEventListener('change', () => void send(box.checked ? 'PUT' : 'DELETE', `groups/${group.id}/members/${id}`));
    return el('div', { class: 'row' }, box, el('label', { for: box.id }, group.displayName));
  });
  const details = el(
    'details',
    { class: 'mail', open: opened.has(id) },
    el(
      'summary',
      {},
      el('span', { class: 'subject' }, name),
      el(
        'span',
        { class: 'meta' },
        el('span', {}, userPrincipalName),
        person.isAdmin ? el('span', {}, words.admin) : null,
        accountEnabled ? null : el('span', {}, words.off),
      ),
    ),
    el(
      'div',
      { class: 'books' },
      el('fieldset', {}, el('legend', {}, words.memberOf), ...(boxes.length > 0 ? boxes : [el('p', { class: 'dim' }, words.noGroups)])),
      el(
        'div',
        { class: 'row' },
        button(
          accountEnabled ? words.disable : words.enable,
          name,
          () => void send('PATCH', `people/${id}`, { accountEnabled: !accountEnabled }),
        ),
        button(words.remove, name, () => void send('DELETE', `people/${id}`)),
      ),
    ),
  );
  details.addEventListener('toggle', () => (details.open ? opened.add(id) : opened.delete(id)));
  return el('li', {}, details);
}

function draw(books: DirectoryBooks): void {
  const { tenants, tenant, groups, login, graph, app } = books;
  ({ tid } = tenant);
  if (books.alone) standAlone();
  chosen.replaceChildren(...tenants.map((one) => el('option', { value: one.tid, selected: one.tid === tid }, one.name)));
  const ofGroups = groups.map(({ id, displayName }) => [id, displayName]);
  fill(
    people,
    books.people.map((one) => ({
      key: JSON.stringify([one, ofGroups, groups.filter(({ members }) => members.includes(one.id)).map(({ id }) => id)]),
      make: () => entry(books, one),
    })),
  );
  nobody.hidden = books.people.length > 0;
  const isGiven = tenant.consented.includes(app.clientId);
  fill(consent, [
    {
      key: `${tid} ${isGiven}`,
      make: () =>
        el(
          'div',
          {},
          el('p', {}, isGiven ? words.given : words.notGiven),
          isGiven ? button(words.withdraw, tenant.name, () => void send('DELETE', `${tid}/consent`)) : null,
        ),
    },
  ]);
  const pair = (name: string, value: string) => [el('dt', {}, name), el('dd', {}, el('code', {}, value))];
  fill(keys, [
    {
      key: tid,
      make: () =>
        el(
          'dl',
          { class: 'keys' },
          ...pair('tid', tid),
          ...pair(words.login, login),
          ...pair(words.graph, graph),
          ...pair('client_id', app.clientId),
          ...pair('client_secret', app.clientSecret),
        ),
    },
  ]);
}

const load = oneAtATime(async () => {
  const answer = await fetch(`${at}/books?tid=${tid}`);
  if (answer.ok) draw((await answer.json()) as DirectoryBooks);
});

document
  .getElementById('main')
  ?.append(
    el('div', { class: 'head' }, el('div', {}, el('h1', {}, words.title), el('p', { class: 'dim' }, words.lead), state)),
    el('div', { class: 'row' }, el('label', { for: 'directory' }, words.directory), chosen),
    el(
      'div',
      { class: 'sides' },
      el('section', { class: 'card side' }, el('h2', {}, words.newPerson), newPerson, newGroup),
      el('section', { class: 'side' }, el('h2', {}, words.people), nobody, people),
    ),
    el('section', { class: 'card side' }, el('h2', {}, words.consent), consent),
    faults.node,
    el('section', { class: 'card side' }, el('h2', {}, words.addresses), keys, newDirectory),
  );
