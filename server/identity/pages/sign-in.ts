import { html } from '../html.ts';
import { BASE } from '../options.ts';
import type { DemoPerson } from '../options.ts';
import type { Company } from '../people.ts';
import type { Say } from '../words.ts';
import { ahead } from './ahead.ts';
import { fault, field } from './fields.ts';
import type { Page } from './layout.ts';

export type Fault = (say: Say) => string;
/** Left empty, by the names of the fields. */
export type Missing = readonly ('login' | 'password' | 'code')[];
type Shown = {
  uid: string;
  formTargets: string[];
  hasDirectory?: boolean;
  demo?: readonly DemoPerson[];
  status?: number;
  fault?: Fault | undefined;
  missing?: Missing | undefined;
};

const action = (uid: string) => `${BASE}/login/${uid}`;

export function signInPage({
  uid,
  formTargets,
  hasDirectory,
  demo = [],
  status = 200,
  fault: wrong,
  missing = [],
  login = '',
}: Shown & { login?: string }): Page {
  return {
    status,
    formTargets,
    ahead: ahead(),
    title: (say) => say('signInTo'),
    body: ({ say, locale }) =>
      html`${fault(wrong?.(say))}
        <form method="post" action="${action(uid)}" novalidate>
          <input type="hidden" name="step" value="password" />
          ${field(say, { name: 'login', label: 'email', autocomplete: 'username', value: login, invalid: Boolean(wrong), wrong: missing.includes('login') ? say('loginMissing') : undefined, focus: !login.trim() })}
          ${field(say, { name: 'password', label: 'password', type: 'password', autocomplete: 'current-password', invalid: Boolean(wrong), wrong: missing.includes('password') ? say('passwordMissing') : undefined, focus: Boolean(login.trim()) })}
          <button>${say('signIn')}</button>
          ${hasDirectory && html`<button class="quiet" name="by" value="directory">${say('byDirectory')}</button>`}
        </form>
        <div class="row"><a href="${BASE}/forgotten?lang=${locale}">${say('forgot')}</a></div>
        ${
          demo.length > 0 &&
          html`<h2>${say('demoTitle')}</h2>
            <p>${say('demoText')}</p>
            ${demo.map(
              ({ login: theirs, password, name, what }) =>
                html`<form method="post" action="${action(uid)}">
                  <input type="hidden" name="step" value="password" /><input type="hidden" name="login" value="${theirs}" />
                  <input type="hidden" name="password" value="${password}" />
                  <button class="quiet choice"><span>${name}</span><small>${what[locale]}</small></button>
                </form>`,
            )}`
        }`,
  };
}

export function codePage({ uid, formTargets, status = 200, fault: wrong, missing = [] }: Shown): Page {
  return {
    status,
    formTargets,
    title: (say) => say('codeTitle'),
    body: ({ say }) =>
      html`<p>${say('codeIntro')}</p>
        ${fault(wrong?.(say))}
        <form method="post" action="${action(uid)}" novalidate>
          <input type="hidden" name="step" value="code" />
          ${field(say, { name: 'code', label: 'code', autocomplete: 'one-time-code', code: true, invalid: Boolean(wrong), wrong: missing.includes('code') ? say('codeMissing') : undefined, focus: true })}
          <button>${say('confirm')}</button>
        </form>
        ${restart(say, uid)}`,
  };
}

export function companyPage({ uid, formTargets, companies }: Shown & { companies: Company[] }): Page {
  return {
    status: 200,
    formTargets,
    title: (say) => say('companyTitle'),
    body: ({ say }) =>
      html`<p>${say('companyIntro')}</p>
        <form method="post" action="${action(uid)}">
          <input type="hidden" name="step" value="company" />
          ${companies.map((company) => html`<button class="quiet choice" name="tenant" value="${company.tenantId}">${company.name}${company.suspended && html`<small>${say('suspended')}</small>`}</button>`)}
        </form>
        ${restart(say, uid)}`,
  };
}

const restart = (say: Say, uid: string) =>
  html`<form method="post" action="${action(uid)}">
    <input type="hidden" name="step" value="restart" /><button class="link">${say('startOver')}</button>
  </form>`;
