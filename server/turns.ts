/**
 * Lets `most` works run at once, and the others in the order in which they came.
 * @param patienceMs how long one waits for its turn before it runs all the same; none: as long as it takes
 */
export function turns(most: number, patienceMs?: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let running = 0;
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      let late: NodeJS.Timeout | undefined;
      const go = () => {
        clearTimeout(late);
        waiting.delete(go);
        running += 1;
        resolve();
      };
      if (running < most) return go();
      waiting.add(go);
      if (patienceMs !== undefined) late = setTimeout(go, patienceMs).unref();
    });
  return async (work) => {
    await turn();
    try {
      return await work();
    } finally {
      running -= 1;
      const [next] = waiting;
      if (running < most) next?.();
    }
  };
}
