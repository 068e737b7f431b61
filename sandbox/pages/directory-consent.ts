import { WORDS } from './directory-words.ts';
import { button } from './parts.ts';
import { el, shell } from './shell.ts';

const words = WORDS[shell('directory')];
document.title = `Hatchway – ${words.consentTitle}`;

const answer = (said: 'accept' | 'cancel') => () => {
  const query = new URLSearchParams(location.search);
  query.set('answer', said);
  location.assign(`../consented?${query.toString()}`);
};
document
  .getElementById('main')
  ?.append(
    el(
      'section',
      { class: 'card side payer' },
      el('h1', {}, words.consentTitle),
      el('p', { class: 'dim' }, words.consentLead),
      el('p', {}, words.wants),
      el('div', { class: 'row' }, button(words.accept, answer('accept'), { class: 'primary' }), button(words.cancel, answer('cancel'))),
    ),
  );
