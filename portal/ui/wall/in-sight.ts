import { useEffect, type RefObject } from 'react';

/** Pixels that the bar at the top of the window covers. */
const BAR = 64;

/** A door that was chosen is not left behind the panel that speaks of it, where that stands at the foot of the window. */
export const useInSight = (panel: RefObject<HTMLElement | null>, id: string | undefined): void =>
  useEffect(() => {
    const door = id === undefined ? null : document.querySelector(`[data-door="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    const over = panel.current?.getBoundingClientRect();
    if (!door || !over || over.left >= door.right || over.right <= door.left || over.bottom <= door.top) return;
    // Of a door that is higher than what is left to see, the top stays in sight: its tag stands there.
    const by = Math.min(door.bottom - over.top + 8, door.top - BAR);
    if (by > 0) window.scrollBy({ top: by });
  }, [panel, id]);
