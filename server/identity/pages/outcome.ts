import { problemOf } from '../../http/errors.ts';
import { Html, html } from '../html.ts';
import type { Say, Word } from '../words.ts';
import type { Page } from './layout.ts';

/** Pages that end something: they say what happened and where to go. */
export function messagePage(
  status: number,
  title: (say: Say) => string,
  text: (say: Say) => string,
  link: { href: string; word: Word },
): Page {
  return {
    status,
    title,
    body: ({ say }) =>
      html`<p>${text(say)}</p>
        <a class="button" href="${link.href}">${say(link.word)}</a>`,
  };
}

export const signedOutPage = (portal: string): Page => ({
  status: 200,
  title: (say) => say('signedOut'),
  body: ({ say }) => html`<a class="button" href="${portal}">${say('signIn')}</a>`,
});

const EXPIRED = new Set(['invalid_request', 'session_not_found']);

/** What OAuth calls a failure on our side: its database away, or a defect. */
export const failureCode = (error: unknown) => (problemOf(error).code === 'unavailable' ? 'temporarily_unavailable' : 'server_error');
const STATUS: Readonly<Record<string, number>> = { server_error: 500, temporarily_unavailable: 503 };

export const errorPage = (code: string, portal: string): Page =>
  messagePage(
    STATUS[code] ?? 400,
    (say) => say('errorTitle'),
    (say) => (EXPIRED.has(code) ? say('errorExpired') : STATUS[code] === 503 ? say('errorAway') : say('errorText', { code })),
    { href: portal, word: 'toPortal' },
  );

export const tooManyPage = (minutes: number, portal: string): Page =>
  messagePage(
    429,
    (say) => say('errorTitle'),
    (say) => say('tooMany', { minutes }),
    { href: portal, word: 'toPortal' },
  );

export const notFoundPage = (portal: string): Page =>
  messagePage(
    404,
    (say) => say('notFound'),
    (say) => say('notFoundText'),
    { href: portal, word: 'toPortal' },
  );

/** `form` is the provider's own markup (no outside text in it): the question whether to sign out, sent by itself when it is clear already. */
export function logoutPage(form: string, sure: boolean, formTargets: string[]): Page {
  return {
    status: 200,
    formTargets,
    title: (say) => say(sure ? 'signOut' : 'signOutTitle'),
    body: ({ say, nonce }) => {
      const inside = html`<button name="logout" value="yes" autofocus>${say('signOut')}</button
        >${!sure && html`<button class="quiet">${say('stay')}</button>`}`;
      const sent =
        sure &&
        html`<script nonce="${nonce}">
          document.querySelector('button[name=logout]').click();
        </script>`;
      return html`${new Html(form.replace('</form>', `${inside.text}</form>`))}${sent}`;
    },
  };
}
