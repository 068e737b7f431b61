/**
 * Runs at most `most` works at once; the others wait, first come, first served. A work's own error reaches its caller.
 * @param patienceMs after which a work runs without its turn; undefined: it waits as long as it takes
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
