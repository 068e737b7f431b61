import { html } from '../html.ts';
import type { Invitation } from '../invitations.ts';
import { BASE } from '../options.ts';
import type { Word } from '../words.ts';
import { fault, field } from './fields.ts';
import type { Page } from './layout.ts';
import { messagePage } from './outcome.ts';
import type { Fault } from './sign-in.ts';

export function invitationPage(
  token: string,
  invitation: Invitation,
  { name = '', fault: wrong }: { name?: string; fault?: Fault } = {},
): Page {
  const { company, account } = invitation;
  const who = account?.name || invitation.email || invitation.tlf || '';
  return {
    status: wrong ? 422 : 200,
    title: (say) => say('inviteTitle', { company }),
    body: ({ say }) =>
      html`<p>${account ? say('inviteKnown', { who, company }) : say('inviteNew')}</p>
        ${fault(wrong?.(say))}
        <form method="post" action="${BASE}/invitations/${token}">
          ${
            !account && [
              html`<input type="hidden" name="username" autocomplete="username" value="${invitation.email ?? invitation.tlf}" />`,
              field(say, { name: 'name', label: 'name', autocomplete: 'name', value: name, focus: true }),
              field(say, {
                name: 'password',
                label: 'newPassword',
                type: 'password',
                autocomplete: 'new-password',
                hint: 'passwordRule',
                invalid: Boolean(wrong),
              }),
            ]
          }
          <button>${say('accept')}</button>
        </form>`,
  };
}

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
