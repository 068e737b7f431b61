/** Since when this person is walked through a first parcel in this browser, or that it is over; null: not begun. */
type Walk = { since: string } | 'over' | null;

const keyOf = (tenantId: string, accountId: string): string => `first-parcel.${tenantId}.${accountId}`;

export const keptWalk = (tenantId: string, accountId: string): Walk => {
  try {
    const kept = localStorage.getItem(keyOf(tenantId, accountId));
    return kept === null || kept === 'over' ? kept : { since: kept };
  } catch {
    // Where nothing can be kept, nobody is asked to walk anew at each look.
    return 'over';
  }
};

export const keepWalk = (tenantId: string, accountId: string, walk: Exclude<Walk, null>): void => {
  try {
    localStorage.setItem(keyOf(tenantId, accountId), walk === 'over' ? walk : walk.since);
  } catch {
    // It is over for this look alone.
  }
};
