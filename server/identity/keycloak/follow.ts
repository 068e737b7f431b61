import type { LiveKind } from '@hatchway/contract/live.ts';
import type { Db } from '../../db/database.ts';
import type { Follower, OutboxMessage } from '../../events/outbox.ts';
import { asIdentity, type InIdentity } from '../tables.ts';
import { ask, concerned } from './people.ts';

/** What changes what tokens say, of whomever in the company; a membership changes what one person's says. */
const FOR_ALL: readonly LiveKind[] = ['permissions', 'groups', 'companies'];

/** Of each company the memberships that changed; null: whoever belongs to it may hold something else now. */
const touched = (messages: readonly OutboxMessage[]): Map<string, Set<string> | null> => {
  const companies = new Map<string, Set<string> | null>();
  for (const { tenantId, changes } of messages)
    for (const { kind, id } of changes) {
      if (FOR_ALL.includes(kind)) companies.set(tenantId, null);
      else if (kind === 'memberships' && companies.get(tenantId) !== null)
        companies.set(tenantId, (companies.get(tenantId) ?? new Set()).add(id));
    }
  return companies;
};

/** Asks for whoever is touched, in the transaction that takes the changes from the outbox: both or neither. */
export const followChanges = (now: () => Date, wake: () => void): Follower => {
  let asked = false;
  return {
    write: async (given, messages) => {
      const companies = touched(messages);
      if (companies.size === 0) return;
      const tx = await asIdentity(given);
      for (const [tenantId, only] of companies) await ask(tx, await concerned(tx, tenantId, only && [...only]), now());
      asked = true;
    },
    after: () => {
      if (asked) wake();
      asked = false;
    },
  };
};

/**
 * At a start everybody is told of anew: what changed while nobody was there to follow it, with another provider or by a restored backup, of
 * Hatchway or of Keycloak.
 */
export const lookAtAll = async (db: Db, run: InIdentity, now: () => Date): Promise<void> => {
  const companies = await db.operator((tx) => tx.selectFrom('companies').select('id').execute());
  for (const { id } of companies)
    await run(async (tx) => {
      const people = await concerned(tx, id, null);
      if (people.length === 0) return;
      await ask(tx, people, now());
      await tx.updateTable('identity_people').set({ told: null }).where('account_id', 'in', people).execute();
    });
};
