import { html, type Html } from '../html.ts';
import type { Invitation } from '../invitations.ts';
import { BASE } from '../options.ts';
import type { Say, Word } from '../words.ts';
import { fault, field } from './fields.ts';
import type { Page } from './layout.ts';
import { messagePage } from './outcome.ts';
import type { Fault } from './sign-in.ts';

export type InvitationFaults = { name?: Fault | undefined; password?: Fault | undefined };
type Shown = { status?: number; name?: string; faults?: InvitationFaults; /** Said above the form. */ fault?: Fault };

/** Somebody new chooses a name and a password; whoever has an account shows that it is theirs. */
export function invitationPage(token: string, invitation: Invitation, shown: Shown = {}): Page {
  const { company, account, login } = invitation;
  const { status = shown.faults ? 422 : 200, fault: wrong } = shown;
  return {
    status,
    title: (say) => say('inviteTitle', { company }),
    body: ({ say, locale }) =>
      html`<p>${account ? say('inviteKnown', { who: account.name || login, company }) : say('inviteNew', { login })}</p>
        ${!account && invitation.mailedToo && html`<p>${say('inviteMailedToo')}</p>`} ${fault(wrong?.(say))}
        <form method="post" action="${BASE}/invitations/${token}" novalidate>
          <input type="hidden" name="username" autocomplete="username" value="${login}" />
          ${account ? passwordOf(say, shown) : newPerson(say, shown)}
          <button>${say('accept')}</button>
        </form>
        ${account && html`<div class="row"><a href="${BASE}/forgotten?lang=${locale}">${say('inviteForgot')}</a></div>`}`,
  };
}

const passwordOf = (say: Say, { faults = {}, fault: wrong }: Shown): Html =>
  field(say, {
    name: 'password',
    label: 'password',
    type: 'password',
    autocomplete: 'current-password',
    wrong: faults.password?.(say),
    invalid: Boolean(wrong),
    focus: true,
  });

const newPerson = (say: Say, { name = '', faults = {} }: Shown): Html[] => [
  field(say, {
    name: 'name',
    label: 'name',
    autocomplete: 'name',
    value: name,
    wrong: faults.name?.(say),
    focus: !faults.password || Boolean(faults.name),
  }),
  field(say, {
    name: 'password',
    label: 'newPassword',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'passwordRule',
    wrong: faults.password?.(say),
    focus: Boolean(faults.password) && !faults.name,
  }),
];

/** Who has an account shows that it is theirs by signing in where its password is. `other`: somebody else did. */
export const invitationToSignIn = (token: string, { company, account, login }: Invitation, other: boolean): Page => ({
  status: other ? 409 : 200,
  title: (say) => say('inviteTitle', { company }),
  body: ({ say }) => {
    const who = account?.name || login;
    return html`${fault(other ? say('inviteOther', { who }) : undefined)}
      <p>${say('inviteSignIn', { who, company })}</p>
      <a class="button" href="${BASE}/invitations/${token}/sign-in${other ? '?again=1' : ''}">${say('signIn')}</a>`;
  },
});

/** A provider outside wants more of a password than was asked here. */
export const passwordRefusedPage = (company: string, portal: string): Page =>
  messagePage(
    200,
    (say) => say('inviteDone', { company }),
    (say) => say('invitePasswordRefused'),
    { href: portal, word: 'signIn' },
  );

/** Where the provider could not be told yet. */
export const welcomeSoonPage = (company: string, portal: string): Page =>
  messagePage(
    200,
    (say) => say('inviteDone', { company }),
    (say) => say('inviteDoneSoon'),
    { href: portal, word: 'signIn' },
  );

export const welcomePage = (company: string, portal: string): Page =>
  messagePage(
    200,
    (say) => say('inviteDone', { company }),
    (say) => say('inviteDoneText'),
    { href: portal, word: 'signIn' },
  );

const DEAD = {
  expired: 'inviteExpired',
  withdrawn: 'inviteWithdrawn',
  accepted: 'inviteAccepted',
  unknown: 'inviteUnknown',
  pending: 'inviteUnknown',
} as const satisfies Record<Invitation['state'] | 'unknown', Word>;

export const deadInvitationPage = (state: keyof typeof DEAD, portal: string): Page =>
  messagePage(
    state === 'unknown' ? 404 : 410,
    (say) => say(DEAD[state]),
    (say) => say(state === 'accepted' ? 'inviteAcceptedText' : 'inviteAskAgain'),
    { href: portal, word: 'toPortal' },
  );
