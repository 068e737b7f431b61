import { startTransition, useEffect, useState, type RefObject } from 'react';

type Tell = (near: boolean) => void;

const tellers = new WeakMap<Element, Tell>();
let observer: IntersectionObserver | undefined;

/** Half a screen around what is seen, inside scrolling walls too, so that nothing is seen being built. */
function watch(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) tellers.get(entry.target)?.(entry.isIntersecting);
    },
    { rootMargin: '400px', scrollMargin: '400px' },
  );
  return observer;
}

/** Whether an element is seen or soon will be. Where nothing is virtual it always is. */
export function useNear(ref: RefObject<Element | null>, virtual: boolean): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!virtual || element === null) return undefined;
    const watcher = watch();
    // Built in slices between frames: scrolling comes first.
    tellers.set(element, (now) => startTransition(() => setNear(now)));
    watcher.observe(element);
    return () => {
      watcher.unobserve(element);
      tellers.delete(element);
    };
  }, [ref, virtual]);
  return !virtual || near;
}
