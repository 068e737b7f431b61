import { useState } from 'react';

const PLACE = 'moving';
const read = (): string | null => {
  try {
    return sessionStorage.getItem(PLACE);
  } catch {
    return null;
  }
};

/** Whether this occupation is being taken out to go into another locker. Kept in this tab: a reload in the middle comes back to the move. */
export function useMoving(id: string): [boolean, (moving: boolean) => void] {
  const [moved, setMoved] = useState(read);
  const set = (moving: boolean) => {
    if (!moving && moved !== id) return;
    setMoved(moving ? id : null);
    try {
      if (moving) sessionStorage.setItem(PLACE, id);
      else sessionStorage.removeItem(PLACE);
    } catch {
      // Then a reload forgets that it was to be moved; the rules offer it still.
    }
  };
  return [moved === id, set];
}
