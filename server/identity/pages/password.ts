import { html } from '../html.ts';
import { BASE } from '../options.ts';
import { fault, field, note } from './fields.ts';
import type { Page } from './layout.ts';
import { messagePage } from './outcome.ts';
import type { Fault } from './sign-in.ts';

export function forgottenPage(
  portal: string,
  {
    status = 200,
    fault: wrong,
    missing = false,
    sent = false,
  }: { status?: number; fault?: Fault; missing?: boolean; sent?: boolean | 'number' } = {},
): Page {
  return {
    status,
    title: (say) => say('forgotTitle'),
    body: ({ say }) =>
      html`${
          sent
            ? note(sent === 'number' ? `${say('forgotSent')} ${say('numberNeedsCode')}` : say('forgotSent'))
            : html`<p>${say('forgotIntro')}</p>
                ${fault(wrong?.(say))}
                <form method="post" action="${BASE}/forgotten" novalidate>
                  ${field(say, { name: 'login', label: 'email', autocomplete: 'username', invalid: Boolean(wrong), wrong: missing ? say('loginMissing') : undefined, focus: true })}
                  <button>${say('sendLink')}</button>
                </form>`
        }
        <div class="row"><a href="${portal}">${say('back')}</a></div>`,
  };
}

export function newPasswordPage(token: string, login: string, wrong?: Fault): Page {
  return {
    status: wrong ? 422 : 200,
    title: (say) => say('setTitle'),
    body: ({ say }) =>
      html`${fault(wrong?.(say))}
        <form method="post" action="${BASE}/password/${token}" novalidate>
          <input type="hidden" name="username" autocomplete="username" value="${login}" />
          ${field(say, { name: 'password', label: 'newPassword', type: 'password', autocomplete: 'new-password', hint: 'passwordRule', invalid: Boolean(wrong), focus: true })}
          <button>${say('save')}</button>
        </form>`,
  };
}

export const passwordSetPage = (portal: string): Page =>
  messagePage(
    200,
    (say) => say('setTitle'),
    (say) => say('setDone'),
    { href: portal, word: 'signIn' },
  );

export const deadLinkPage = (): Page =>
  messagePage(
    410,
    (say) => say('linkDead'),
    (say) => say('linkDeadText'),
    { href: `${BASE}/forgotten`, word: 'askAgain' },
  );
