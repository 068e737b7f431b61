/** Who wants to hear of something. `on` returns how to stop listening. */
export function createListeners<Heard extends unknown[] = []>() {
  const listeners = new Set<(...heard: Heard) => void>();
  return {
    tell: (...heard: Heard) => listeners.forEach((listener) => listener(...heard)),
    on: (listener: (...heard: Heard) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
