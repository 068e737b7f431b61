import { useEffect, useState } from 'react';
import { beginning, leave } from './session.ts';

/** Long enough to read that it is done; short enough for whoever comes next. */
const UNTOUCHED_FOR = 60_000;
const TOUCHES = ['pointerdown', 'keydown', 'scroll'] as const;

/**
 * On a screen that began at a cabinet's own page the next one is somebody else: what is `idle` there is forgotten when nobody has touched
 * it for a while. Answers when that is; null where it is not.
 */
export function useForgetting(idle: boolean): string | null {
  const [at, setAt] = useState<string | null>(null);
  const forgets = idle && beginning().cabinet !== null;
  useEffect(() => {
    if (!forgets) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      clearTimeout(timer);
      setAt(new Date(Date.now() + UNTOUCHED_FOR).toISOString());
      // Without a line the beginning could not be fetched either.
      timer = setTimeout(() => (navigator.onLine ? leave() : again()), UNTOUCHED_FOR);
    };
    again();
    for (const touch of TOUCHES) addEventListener(touch, again);
    return () => {
      clearTimeout(timer);
      setAt(null);
      for (const touch of TOUCHES) removeEventListener(touch, again);
    };
  }, [forgets]);
  return at;
}
