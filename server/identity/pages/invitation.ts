import { html } from '../html.ts';
import type { Invitation } from '../invitations.ts';
import { BASE } from '../options.ts';
import type { Word } from '../words.ts';
import { field } from './fields.ts';
import type { Page } from './layout.ts';
import { messagePage } from './outcome.ts';
import type { Fault } from './sign-in.ts';

export type InvitationFaults = { name?: Fault | undefined; password?: Fault | undefined };

export function invitationPage(
  token: string,
  invitation: Invitation,
  { name = '', faults = {} }: { name?: string; faults?: InvitationFaults } = {},
): Page {
  const { company, account } = invitation;
  const who = account?.name || invitation.email || invitation.tlf || '';
  return {
    status: faults.name || faults.password ? 422 : 200,
    title: (say) => say('inviteTitle', { company }),
    body: ({ say }) =>
      html`<p>${account ? say('inviteKnown', { who, company }) : say('inviteNew')}</p>
        <form method="post" action="${BASE}/invitations/${token}" novalidate>
          ${
            !account && [
              html`<input type="hidden" name="username" autocomplete="username" value="${invitation.email ?? invitation.tlf}" />`,
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
