import { Html, html } from '../html.ts';
import { BASE } from '../options.ts';
import type { Say } from '../words.ts';
import { fault, field, note } from './fields.ts';
import type { Page } from './layout.ts';
import { messagePage } from './outcome.ts';
import type { Fault } from './sign-in.ts';

const SECURITY = `${BASE}/account/security`;
/** What a change was refused for: one sentence, or fields that were left empty, by their names. */
export type Refused = { status: number; say: Fault } | { status: number; missing: readonly ('current' | 'password' | 'code')[] };
type Wrong = { form: 'password' | 'factor' } & Refused;

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}" />`;
const saidOf = (wrong: Refused | undefined): Fault | undefined => (wrong && 'say' in wrong ? wrong.say : undefined);
const missingOf = (wrong: Refused | undefined): readonly string[] => (wrong && 'missing' in wrong ? wrong.missing : []);
/** The first field that was left empty has the focus. */
const current = (say: Say, wrong: Refused | undefined) => {
  const empty = missingOf(wrong).includes('current');
  return field(say, {
    name: 'current',
    label: 'currentPassword',
    type: 'password',
    autocomplete: 'current-password',
    invalid: Boolean(saidOf(wrong)),
    wrong: empty ? say('currentMissing') : undefined,
    focus: empty,
  });
};
const onlyMissing = (wrong: Refused | undefined, name: string) => missingOf(wrong)[0] === name;

/** A person's own sign-in: password and second factor. Each change asks for the password, so that an unattended screen gives nothing away. */
export function securityPage(
  portal: string,
  view: { login: string; codesLeft: number | null; changed?: boolean; wrong?: Wrong | undefined },
): Page {
  const { login, codesLeft, changed, wrong } = view;
  const at = (form: Wrong['form']) => (wrong?.form === form ? wrong : undefined);
  return {
    status: wrong?.status ?? 200,
    wide: true,
    title: (say) => say('accountTitle'),
    body: ({ say }) =>
      html`${changed && note(say('changeDone'))}
        <h2>${say('changePassword')}</h2>
        ${fault(saidOf(at('password'))?.(say))}
        <form method="post" action="${SECURITY}" novalidate>
          ${hidden('change', 'password')}<input type="hidden" name="username" autocomplete="username" value="${login}" />
          ${current(say, at('password'))}
          ${field(say, { name: 'password', label: 'newPassword', type: 'password', autocomplete: 'new-password', hint: 'passwordRule', invalid: Boolean(saidOf(at('password'))), wrong: missingOf(at('password')).includes('password') ? say('newMissing') : undefined, focus: onlyMissing(at('password'), 'password') })}
          <button>${say('save')}</button>
        </form>
        <h2>${say('factorTitle')}</h2>
        ${fault(saidOf(at('factor'))?.(say))}
        ${
          codesLeft === null
            ? html`<p>${say('factorOff')}</p>
                <a class="button quiet" href="${BASE}/account/second-factor">${say('factorSetUp')}</a>`
            : html`<p>${say('factorOn', { left: codesLeft })}</p>
                <form method="post" action="${SECURITY}" novalidate>
                  ${current(say, at('factor'))}
                  <button class="quiet" name="change" value="codes">${say('newCodes')}</button>
                  <button class="quiet" name="change" value="off">${say('factorTurnOff')}</button>
                </form>`
        }
        <div class="row"><a href="${portal}">${say('toPortal')}</a></div>`,
  };
}

/** `qr` is an SVG of our own making. */
export function setUpFactorPage(secret: string, qr: string, wrong?: Refused): Page {
  return {
    status: wrong?.status ?? 200,
    title: (say) => say('factorTitle'),
    body: ({ say }) =>
      html`<p>${say('factorScan')}</p>
        <div class="qr" role="img" aria-label="${say('factorQr')}">${new Html(qr)}</div>
        <p>${say('factorKey')}: <span class="key">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</span></p>
        ${fault(saidOf(wrong)?.(say))}
        <form method="post" action="${BASE}/account/second-factor" novalidate>
          ${current(say, wrong)}
          ${field(say, { name: 'code', label: 'code', autocomplete: 'one-time-code', code: true, invalid: Boolean(saidOf(wrong)), wrong: missingOf(wrong).includes('code') ? say('codeMissing') : undefined, focus: onlyMissing(wrong, 'code') })}
          <button>${say('confirm')}</button>
          <a class="button quiet" href="${SECURITY}">${say('cancel')}</a>
        </form>`,
  };
}

export function recoveryCodesPage(codes: string[]): Page {
  return {
    status: 200,
    title: (say) => say('factorDone'),
    body: ({ say }) =>
      html`<p>${say('factorCodes')}</p>
        <ul class="codes">
          ${codes.map((code) => html`<li>${code}</li>`)}
        </ul>
        <a class="button" href="${SECURITY}">${say('done')}</a>`,
  };
}

export const notSignedInPage = (portal: string): Page =>
  messagePage(
    401,
    (say) => say('notSignedIn'),
    () => '',
    { href: portal, word: 'signIn' },
  );
