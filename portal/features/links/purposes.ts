import { handsOn, LINK_PURPOSES, type LinkPurpose } from '@hatchway/domain/access-link.ts';
import type { Facts } from '@hatchway/domain/access.ts';

/** What somebody can make a link for at all: on every locker by a role, or on one that a permission names. */
export const purposesOf = (facts: Facts): LinkPurpose[] => {
  const lockers = facts.lockers === 'all' ? [] : Object.keys(facts.lockers);
  // A role reaches every locker, whatever its id.
  return LINK_PURPOSES.filter((purpose) => ['', ...lockers].some((id) => handsOn(purpose, id, facts).length > 0));
};
