import { factsFrom, keyFacts, whyOnLocker, whyOpenDoor, type Facts, type Named, type Reason } from './access.ts';
import { doorMayOpen } from './doors.ts';
import { mayBeTakenOut } from './lifecycle.ts';

/** A permission that reaches somebody, and the groups that it reaches them through. */
export interface Held {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly lockers: readonly string[];
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

export interface Holder {
  readonly roles: readonly string[];
  readonly licenses: readonly string[];
  readonly permissions: readonly Held[];
}

/** A reason with where it comes from: of a person's scope the permissions that give it on this locker; of a role and a key's scope none. */
export type Explained = Reason & { readonly permissions: readonly Pick<Held, 'id' | 'name' | 'groups'>[] };

export interface Door {
  readonly lockerId: string;
  /** Its use that has not ended. */
  readonly occupation: Named | null;
}

/** By itself, for what its use calls for now, or to take out what lies in it: all ways that POST /lockers/{id}/open has. */
const whyNow = ({ lockerId, occupation }: Door, facts: Facts): readonly Reason[] => {
  const reasons = whyOpenDoor(lockerId, occupation, facts);
  if (occupation === null || doorMayOpen(occupation) || !mayBeTakenOut(occupation)) return reasons;
  return [...reasons, ...whyOnLocker(occupation.type, lockerId, facts)];
};

/**
 * Why a person may open this door now; empty: they may not. The reasons are those that POST /lockers/{id}/open decides by, with the
 * same facts; only where each comes from is added.
 */
export function explainPerson(door: Door, holder: Holder): readonly Explained[] {
  return whyNow(door, factsFrom(holder)).flatMap((reason): Explained[] => {
    if (reason.by === 'role') return [{ ...reason, permissions: [] }];
    const permissions = holder.permissions
      .filter((one) => one.lockers.includes(door.lockerId) && factsFrom({ ...holder, permissions: [one] }).scopes.includes(reason.scope))
      .map(({ id, name, groups }) => ({ id, name, groups }));
    // Whoever reaches every locker by a role holds the scopes that permissions give them elsewhere too: the role is the reason then.
    return permissions.length === 0 ? [] : [{ ...reason, permissions }];
  });
}

/** Why an API key may open this door now: by what its maker may have keys for, and the scopes that it names. */
export function explainKey(door: Door, maker: Facts, scopes: readonly string[]): readonly Explained[] {
  return whyNow(door, keyFacts(maker, scopes)).map((reason) => ({ ...reason, permissions: [] }));
}
