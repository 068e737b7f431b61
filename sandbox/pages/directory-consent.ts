import { WORDS } from './directory-words.ts';
import { el, shell } from './shell.ts';

const words = WORDS[shell('directory')];
document.title = `Hatchway – ${words.consentTitle}`;

const answer = (said: 'accept' | 'cancel', text: string, primary: boolean) => {
  const button = el('button', { type: 'button', ...(primary ? { class: 'primary' } : {}) }, text);
  button.addEventListener('click', () => {
    const query = new URLSearchParams(location.search);
    query.set('answer', said);
    location.assign(`../consented?${query.toString()}`);
  });
  return button;
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
      el('div', { class: 'row' }, answer('accept', words.accept, true), answer('cancel', words.cancel, false)),
    ),
  );
