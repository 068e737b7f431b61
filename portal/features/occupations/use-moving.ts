import { useState } from 'react';
import { tabStorage } from '../../app/tab-storage.ts';

/** The id of what is being moved; null while nothing is. */
const place = tabStorage('moving');

/** Whether this occupation is being taken out to go into another locker. Kept in this tab: a reload in the middle comes back to the move. */
export function useMoving(id: string): [boolean, (moving: boolean) => void] {
  const [moved, setMoved] = useState(place.read);
  const set = (moving: boolean) => {
    if (!moving && moved !== id) return;
    const next = moving ? id : null;
    setMoved(next);
    place.write(next);
  };
  return [moved === id, set];
}
