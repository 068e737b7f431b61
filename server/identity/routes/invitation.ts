import { name as nameOf } from '@hatchway/contract/common.ts';
import { oneLine } from '@hatchway/domain/text.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Identity, formOf } from '../context.ts';
import { acceptInvitation, findInvitation, type Invitation } from '../invitations.ts';
import { networkOf } from '../../http/network.ts';
import { countAttempt, LIMITS } from '../limits.ts';
import { BASE } from '../options.ts';
import { deadInvitationPage, invitationPage, welcomePage, type InvitationFaults } from '../pages/invitation.ts';
import type { Page } from '../pages/layout.ts';
import { tooManyPage } from '../pages/outcome.ts';
import { localeOf, replyPage } from '../pages/send.ts';
import { passwordFault } from '../passwords.ts';

export type Link = { Params: { token: string } };
const nameRule = nameOf(100);

/** What was one and is over is told as that; what never was counts against the address that tries. */
export const refuserOf =
  ({ run, now, portal }: Pick<Identity, 'run' | 'now' | 'portal'>) =>
  async (request: FastifyRequest, reply: FastifyReply, state: Invitation['state'] | undefined): Promise<FastifyReply> => {
    const wait = state ? null : await countAttempt(run, now(), [[LIMITS.linkMiss, networkOf(request.ip)]]);
    if (wait === null) return replyPage(request, reply, deadInvitationPage(state ?? 'unknown', portal));
    reply.header('retry-after', wait * 60);
    return replyPage(request, reply, tooManyPage(wait, portal));
  };

/** What is wrong with the name and password of somebody new; null where nothing is. Demo people's passwords work in the sandbox alone. */
export const faultsOf = (name: string, password: string, login: string, sandbox: boolean): InvitationFaults | null => {
  const weak = sandbox && password ? null : passwordFault(password, [login]);
  const faults: InvitationFaults = {
    name: nameRule.safeParse(name).success ? undefined : (say) => say(name ? 'nameWrong' : 'nameMissing'),
    password: weak ? (say) => say(password ? `fault.${weak}` : 'passwordMissing') : undefined,
  };
  return faults.name || faults.password ? faults : null;
};

/**
 * An invitation's link. Looking changes nothing. Accepting makes the account under the address that the link came to, where there is
 * none, and the membership; an account that is there takes part only once its own password was typed, so that nobody is made a
 * member under a password that somebody else chose.
 */
export function invitationRoutes(scope: FastifyInstance, identity: Identity): void {
  const { run, credentials, tries, now, portal, log } = identity;

  const refuse = refuserOf(identity);

  scope.get<Link>(`${BASE}/invitations/:token`, async (request, reply) => {
    const { token } = request.params;
    const invitation = await run((tx) => findInvitation(tx, token, now()));
    if (invitation?.state !== 'pending') return refuse(request, reply, invitation?.state);
    return replyPage(request, reply, invitationPage(token, invitation));
  });

  /** What keeps this person from accepting, as the page that says so; null where nothing does. */
  async function objection(
    request: FastifyRequest<Link>,
    reply: FastifyReply,
    invitation: Invitation,
    { name, password }: { name: string; password: string },
  ): Promise<Page | null> {
    const { token } = request.params;
    if (!invitation.account) {
      const faults = faultsOf(name, password, invitation.login, identity.sandbox);
      return faults && invitationPage(token, invitation, { name, faults });
    }
    if (!password) return invitationPage(token, invitation, { faults: { password: (say) => say('passwordMissing') } });
    // A try at a password, wherever it is made: counted with those at sign-in.
    const wait = await tries.password(request, invitation.login);
    if (wait !== null) {
      reply.header('retry-after', wait * 60);
      return invitationPage(token, invitation, { status: 429, fault: (say) => say('tooMany', { minutes: wait }) });
    }
    const signedIn = await credentials.signIn(invitation.login, password.slice(0, 1000));
    if (signedIn?.id !== invitation.account.id)
      return invitationPage(token, invitation, { status: 401, fault: (say) => say('inviteWrong') });
    await tries.right(request, reply, invitation.login);
    return null;
  }

  scope.post<Link>(`${BASE}/invitations/:token`, async (request, reply) => {
    const { token } = request.params;
    const field = formOf(request);
    const name = oneLine(field('name'));
    const password = field('password');
    const found = await run((tx) => findInvitation(tx, token, now()));
    if (found?.state !== 'pending') return refuse(request, reply, found?.state);
    const objected = await objection(request, reply, found, { name, password });
    if (objected) return replyPage(request, reply, objected);

    const hash = found.account ? null : await credentials.hash(password);
    const accountId = await run(async (tx) => {
      // Read again, locked: of two presses one makes the membership, and an account made meanwhile keeps its own password.
      const invitation = await findInvitation(tx, token, now());
      if (invitation?.state !== 'pending' || invitation.account?.id !== found.account?.id) return null;
      const id = await acceptInvitation(tx, invitation, name, localeOf(request.url, request.headers), now());
      if (id !== null && hash) await credentials.savePassword(tx, id, password, hash);
      return id;
    });
    if (!accountId) {
      const left = await run((tx) => findInvitation(tx, token, now()));
      if (left?.state !== 'pending') return refuse(request, reply, left?.state);
      return replyPage(request, reply, invitationPage(token, left, { status: 409, fault: (say) => say('inviteMeanwhile') }));
    }
    log.info({ accountId, tenantId: found.tenantId }, 'invitation accepted');
    return replyPage(request, reply, welcomePage(found.company, portal));
  });
}
