import { startTransition, useEffect, useState, type RefObject } from 'react';

type Tell = () => void;

const tellers = new WeakMap<Element, Tell>();
/** Columns that are near and not built yet; one that scrolls away again before its turn leaves. */
const waiting = new Set<Element>();
let observer: IntersectionObserver | undefined;
let frame = 0;

/** One column a frame, so that a wall that comes into sight never costs one; the margin gives it the time. */
function build(): void {
  frame = 0;
  const [element] = waiting;
  if (element === undefined) return;
  waiting.delete(element);
  tellers.get(element)?.();
  next();
}
function next(): void {
  if (waiting.size > 0 && frame === 0) frame = requestAnimationFrame(build);
}

/** A screen around what is seen, inside scrolling walls too, so that little is seen being built. */
function watch(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) waiting.add(entry.target);
        else waiting.delete(entry.target);
      }
      next();
    },
    { rootMargin: '900px 200px', scrollMargin: '200px' },
  );
  return observer;
}

/**
 * Whether an element has been seen or was about to be. Where nothing is virtual it always is. What was built stays: doors contain
 * themselves, so out of sight they cost nothing, and building them again would cost frames each time.
 */
export function useNear(ref: RefObject<Element | null>, virtual: boolean): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!virtual || near || element === null) return undefined;
    const watcher = watch();
    tellers.set(element, () => startTransition(() => setNear(true)));
    watcher.observe(element);
    return () => {
      watcher.unobserve(element);
      waiting.delete(element);
      tellers.delete(element);
    };
  }, [ref, virtual, near]);
  return !virtual || near;
}
