import type { FastifyInstance } from 'fastify';
import { type Identity, formOf } from '../context.ts';
import { acceptInvitation, findInvitation } from '../invitations.ts';
import { BASE } from '../options.ts';
import { deadInvitationPage, invitationPage, welcomePage, type InvitationFaults } from '../pages/invitation.ts';
import { localeOf, replyPage } from '../pages/send.ts';
import { hashPassword, passwordFault } from '../passwords.ts';

type Link = { Params: { token: string } };
const LONGEST_NAME = 100;

/** An invitation's link. Looking changes nothing; pressing the button makes the account, where there is none, and the membership. */
export function invitationRoutes(scope: FastifyInstance, identity: Identity): void {
  const { run, credentials, now, portal, log } = identity;

  scope.get<Link>(`${BASE}/invitations/:token`, async (request, reply) => {
    const { token } = request.params;
    const invitation = await run((tx) => findInvitation(tx, token, now()));
    if (invitation?.state !== 'pending') return replyPage(request, reply, deadInvitationPage(invitation?.state ?? 'unknown', portal));
    return replyPage(request, reply, invitationPage(token, invitation));
  });

  scope.post<Link>(`${BASE}/invitations/:token`, async (request, reply) => {
    const { token } = request.params;
    const field = formOf(request);
    const name = field('name').trim().slice(0, LONGEST_NAME);
    const password = field('password');
    const found = await run((tx) => findInvitation(tx, token, now()));
    if (found?.state !== 'pending') return replyPage(request, reply, deadInvitationPage(found?.state ?? 'unknown', portal));

    if (!found.account) {
      // Demo people are invited like everybody else, with a password that works in the sandbox alone.
      const weak = identity.sandbox && password ? null : passwordFault(password, [found.email, found.tlf]);
      const faults: InvitationFaults = {
        name: name ? undefined : (say) => say('nameMissing'),
        password: weak ? (say) => say(password ? `fault.${weak}` : 'passwordMissing') : undefined,
      };
      if (faults.name || faults.password) return replyPage(request, reply, invitationPage(token, found, { name, faults }));
    }
    const hash = found.account ? null : await hashPassword(password);
    const accountId = await run(async (tx) => {
      // Read again, locked: of two presses one makes the membership, and an account made meanwhile keeps its own password.
      const invitation = await findInvitation(tx, token, now());
      if (invitation?.state !== 'pending' || Boolean(invitation.account) !== Boolean(found.account)) return null;
      const id = await acceptInvitation(tx, invitation, name, localeOf(request.url, request.headers), now());
      if (hash) await credentials.savePassword(tx, id, password, hash);
      return id;
    });
    if (!accountId) return replyPage(request, reply, deadInvitationPage('accepted', portal));
    log.info({ accountId, tenantId: found.tenantId }, 'invitation accepted');
    return replyPage(request, reply, welcomePage(found.company, portal));
  });
}
