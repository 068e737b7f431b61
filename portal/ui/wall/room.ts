import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';

const follow = (told: () => void) => {
  globalThis.addEventListener('resize', told);
  return () => globalThis.removeEventListener('resize', told);
};
const height = () => globalThis.innerHeight;
/** A wall lower than this is scrolled rather than squeezed further. */
const LEAST = 320;

/** How tall a wall may be to be seen whole beside what else stands on its screen; fingers get large doors instead. */
export function useRoom(beside: number | undefined): number | undefined {
  const window = useSyncExternalStore(follow, height);
  const fingers = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  return beside === undefined || fingers ? undefined : Math.max(LEAST, window - beside);
}
