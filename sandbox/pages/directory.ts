import type { DirectoryBooks } from '../directory/mount.ts';
import { WORDS } from './directory-words.ts';
import { neighbour } from './neighbour.ts';
import { button, fill, keyList, labelled, onSubmit, option, send, textsOf, unfolding } from './parts.ts';
import { el, shell } from './shell.ts';

const words = WORDS[shell('directory')];
document.title = `Hatchway – ${words.title}`;

const at = '/sandbox/directory';
let tid = new URLSearchParams(location.search).get('tid') ?? '';
const opened = new Set<string>();
const people = el('ul', { class: 'list', 'aria-label': words.people });
const nobody = el('p', { class: 'empty' }, words.noPeople);
const consent = el('div', {});
const keys = el('div', { class: 'list' });
const chosen = el('select', { id: 'directory' });
const { head, faults, load } = neighbour<DirectoryBooks, typeof words>(
  'directory',
  words,
  {
    calls: ['outage', 'cut', 'slow', 'error', 'garbage', 'redirect'],
    reading: ['throttled', 'gone', 'expired-token', 'groups-refused', 'shuffled', 'member-first', 'unreadable', 'foreign-link'],
    signing: ['forged-tenant', 'lying-signature'],
  },
  draw,
  () => `?tid=${tid}`,
);

const field = (id: string, text: string) => labelled(el('input', { id, name: id, autocomplete: 'off' }), text);
const isAdmin = el('input', { id: 'isAdmin', type: 'checkbox' });
const missing = el('p', { role: 'alert' });

const newPerson = el(
  'form',
  {},
  field('givenName', words.givenName),
  field('surname', words.surname),
  field('mobilePhone', words.mobilePhone),
  el('div', { class: 'row' }, isAdmin, el('label', { for: 'isAdmin' }, words.isAdmin)),
  missing,
  el('button', { type: 'submit', class: 'primary' }, words.addPerson),
);
onSubmit(newPerson, async () => {
  const answer = await send('POST', `${at}/${tid}/people`, { ...textsOf(newPerson), isAdmin: isAdmin.checked });
  missing.textContent = answer.ok ? '' : words.missing;
  if (answer.ok) newPerson.reset();
});
const named = (id: string, label: string, action: string, done: (name: string) => Promise<unknown>) => {
  const form = el('form', {}, field(id, label), el('button', { type: 'submit' }, action));
  onSubmit(form, async () => {
    await done(textsOf(form)[id] ?? '');
    form.reset();
  });
  return form;
};
const newGroup = named('newGroup', words.newGroup, words.addGroup, (name) => send('POST', `${at}/${tid}/groups`, { name }));
const newDirectory = named('newDirectory', words.newDirectory, words.make, async (name) => {
  const answer = await send('POST', `${at}/tenants`, { name });
  if (answer.ok) tid = ((await answer.json()) as { tid: string }).tid;
  await load();
});
chosen.addEventListener('change', () => {
  tid = chosen.value;
  void load();
});

/** Many rows have a button of the same text. */
const buttonFor = (name: string, text: string, act: () => void) => button(text, act, { 'aria-label': `${text}: ${name}` });

function entry({ groups }: DirectoryBooks, person: DirectoryBooks['people'][number]): HTMLElement {
  const { id, name, userPrincipalName, accountEnabled } = person;
  const mine = groups.filter(({ members }) => members.includes(id));
  const boxes = groups.map((group) => {
    const box = el('input', { type: 'checkbox', id: `${group.id}-${id}`, checked: mine.includes(group) });
    box.addEventListener('change', () => void send(box.checked ? 'PUT' : 'DELETE', `${at}/groups/${group.id}/members/${id}`));
    return el('div', { class: 'row' }, box, el('label', { for: box.id }, group.displayName));
  });
  const details = unfolding(
    opened,
    id,
    {},
    {
      subject: name,
      meta: [
        el('span', {}, userPrincipalName),
        person.isAdmin ? el('span', {}, words.admin) : null,
        accountEnabled ? null : el('span', {}, words.off),
      ],
    },
    el(
      'div',
      { class: 'books' },
      el('fieldset', {}, el('legend', {}, words.memberOf), ...(boxes.length > 0 ? boxes : [el('p', { class: 'dim' }, words.noGroups)])),
      el(
        'div',
        { class: 'row' },
        buttonFor(
          name,
          accountEnabled ? words.disable : words.enable,
          () => void send('PATCH', `${at}/people/${id}`, { accountEnabled: !accountEnabled }),
        ),
        buttonFor(name, words.remove, () => void send('DELETE', `${at}/people/${id}`)),
      ),
    ),
  );
  return el('li', {}, details);
}

function draw(books: DirectoryBooks): void {
  const { tenants, tenant, groups, login, graph, app } = books;
  ({ tid } = tenant);
  chosen.replaceChildren(...tenants.map((one) => option(one.tid, one.name, one.tid === tid)));
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
          isGiven ? buttonFor(tenant.name, words.withdraw, () => void send('DELETE', `${at}/${tid}/consent`)) : null,
        ),
    },
  ]);
  fill(keys, [
    {
      key: tid,
      make: () =>
        keyList({
          tid,
          [words.login]: login,
          [words.graph]: graph,
          client_id: app.clientId,
          client_secret: app.clientSecret,
        }),
    },
  ]);
}

document
  .getElementById('main')
  ?.append(
    head,
    labelled(chosen, words.directory, { class: 'row' }),
    el(
      'div',
      { class: 'sides' },
      el('section', { class: 'card side' }, el('h2', {}, words.newPerson), newPerson, newGroup),
      el('section', { class: 'side' }, el('h2', {}, words.people), nobody, people),
    ),
    el('section', { class: 'card side' }, el('h2', {}, words.consent), consent),
    faults,
    el('section', { class: 'card side' }, el('h2', {}, words.addresses), keys, newDirectory),
  );
