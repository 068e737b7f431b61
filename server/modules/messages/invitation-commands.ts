import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { queueMessage } from './commands.ts';
import { writeBody } from './template-queries.ts';

type Invited = { invitation: { id: string; email: string | null; tlf: string | null }; url: string; version: number };

export const invitationCause = (id: string, version: number): string => `invitation:${id}:${version}`;

/** Queues the invitation's message by mail and/or SMS. Its link is kept in the sealed body alone. */
export const sendInvitation = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  { invitation, url, version }: Invited,
  company: { name: string; locale: string },
): Promise<void> => {
  const locale = company.locale === 'en' ? 'en' : 'nb';
  const told = { company: company.name, name: '', site: null, cabinet: null, door: null, link: url, code: null, until: null, type: null };
  const receiver = { name: '', tlf: invitation.tlf, email: invitation.email };
  for (const channel of ['sms', 'mail'] as const) {
    await queueMessage(tx, deps, scope, {
      occupationId: null,
      kind: 'invitation',
      // Each sending has a link of its own, and so a message of its own.
      cause: invitationCause(invitation.id, version),
      channel,
      receiver,
      locale,
      body: await writeBody(tx, scope.tenantId, { channel, kind: 'invitation', locale }, told),
    });
  }
};
