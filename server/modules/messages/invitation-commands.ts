import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { queueMessage } from './commands.ts';
import { writeBody } from './template-queries.ts';

type Invited = {
  invitation: { id: string; email: string | null; tlf: string | null };
  links: Record<'mail' | 'sms', string | null>;
  version: number;
};

export const invitationCause = (id: string, version: number): string => `invitation:${id}:${version}`;

/** Queues the invitation's messages, by mail and/or SMS, each with the link of its own way: it proves who reads there. Links are kept in the sealed bodies alone. */
export const sendInvitation = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  { invitation, links, version }: Invited,
  company: { name: string; locale: string },
): Promise<void> => {
  const locale = company.locale === 'en' ? 'en' : 'nb';
  const told = { company: company.name, name: '', site: null, cabinet: null, door: null, code: null, until: null, type: null };
  const receiver = { name: '', tlf: invitation.tlf, email: invitation.email };
  for (const channel of ['sms', 'mail'] as const) {
    const link = links[channel];
    if (link === null) continue;
    await queueMessage(tx, deps, scope, {
      occupationId: null,
      kind: 'invitation',
      // Each sending has a link of its own, and so a message of its own.
      cause: invitationCause(invitation.id, version),
      channel,
      receiver,
      locale,
      body: await writeBody(tx, scope.tenantId, { channel, kind: 'invitation', locale }, { ...told, link }),
    });
  }
};
