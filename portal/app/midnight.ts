const MINUTE = 60_000;
const heard = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

const dayNow = (): number => new Date().setHours(0, 0, 0, 0);
const midnight = (): number => new Date().setHours(24, 0, 0, 0);

/** Once a minute at least: the timer of a computer that slept over midnight would come hours late. */
const wait = (day: number): void => {
  timer = setTimeout(
    () => {
      const today = dayNow();
      if (today !== day) for (const tell of heard) tell();
      wait(today);
    },
    Math.min(MINUTE, Math.max(1, midnight() - Date.now())),
  );
};

/** Tells when another day begins in the browser's time zone. One timer for all who listen, and none where nobody does. */
export const onMidnight = (tell: () => void): (() => void) => {
  heard.add(tell);
  if (timer === undefined) wait(dayNow());
  return () => {
    heard.delete(tell);
    if (heard.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
};
