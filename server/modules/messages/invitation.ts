import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';

type Invited = { invitation: { id: string; email: string | null; tlf: string | null }; url: string };

/** Queues the invitation's message by mail and/or SMS. */
export const sendInvitation = async (
  _tx: Tx,
  _deps: Deps,
  _scope: Scope,
  _invited: Invited,
  _company: { name: string; locale: string },
): Promise<void> => {};
