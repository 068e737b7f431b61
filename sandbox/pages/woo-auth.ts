import { button } from './parts.ts';
import { el, shell } from './shell.ts';
import { WORDS } from './woo-words.ts';

const words = WORDS[shell('woo')];
document.title = `Hatchway – ${words.approveTitle}`;

const query = new URLSearchParams(location.search);
const app = query.get('app_name') ?? '';
const back = new URL(query.get('return_url') ?? '/', location.href);
back.searchParams.set('success', '0');
back.searchParams.set('user_id', query.get('user_id') ?? '');

async function answer(): Promise<void> {
  approve.disabled = true;
  const { nonce } = (await (await fetch('nonce')).json()) as { nonce: string };
  query.set('wc_auth_nonce', nonce);
  location.assign(`access_granted?${query.toString()}`);
}
const approve = button(words.approve, () => void answer(), { class: 'primary' });
document
  .getElementById('main')
  ?.append(
    el(
      'section',
      { class: 'card side payer' },
      el('h1', {}, words.approveTitle),
      el('p', { class: 'dim' }, words.approveLead),
      el('p', {}, (query.get('scope') === 'read' ? words.wantsRead : words.wants).replace('{app}', app)),
      el('div', { class: 'row' }, approve, el('a', { class: 'button', href: back.href }, words.deny)),
    ),
  );
