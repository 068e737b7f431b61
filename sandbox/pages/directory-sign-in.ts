import { WORDS } from './directory-words.ts';
import { button } from './parts.ts';
import { el, shell } from './shell.ts';

const words = WORDS[shell('directory')];
document.title = `Hatchway – ${words.signInTitle}`;

type Choice = { id: string; name: string; userPrincipalName: string; accountEnabled: boolean; isAdmin: boolean };

const query = new URLSearchParams(location.search);
const hint = (query.get('login_hint') ?? '').toLowerCase();
const choose = (oid: string) => () => {
  query.set('oid', oid);
  location.assign(`../../signed-in?${query.toString()}`);
};
const people = el('ul', { class: 'list', 'aria-label': words.people });
document
  .getElementById('main')
  ?.append(
    el(
      'section',
      { class: 'card side payer' },
      el('h1', {}, words.signInTitle),
      el('p', { class: 'dim' }, words.signInLead),
      people,
      el('div', { class: 'row' }, button(words.cancel, choose(''))),
    ),
  );
const all = (await (await fetch('../../people')).json()) as Choice[];
/** Whom the hint means comes first. */
const isMeant = ({ userPrincipalName }: Choice): boolean => hint !== '' && userPrincipalName.toLowerCase().includes(hint);
people.append(
  ...all
    .toSorted((a, b) => Number(isMeant(b)) - Number(isMeant(a)))
    .map((one) =>
      el(
        'li',
        { class: 'acts' },
        button(
          [one.name, one.userPrincipalName, one.isAdmin ? words.admin : '', one.accountEnabled ? '' : words.off]
            .filter(Boolean)
            .join(' · '),
          choose(one.id),
        ),
      ),
    ),
);
