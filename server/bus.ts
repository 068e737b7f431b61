/** Between the nodes: subjects and small JSON. In the process by default, NATS at scale; the tests are the same. */
export type Bus = {
  publish(subject: string, payload: unknown): void;
  subscribe(subject: string, hear: (payload: unknown) => void): () => void;
  close(): Promise<void>;
};

export const processBus = (): Bus => {
  const ears = new Map<string, Set<(payload: unknown) => void>>();
  return {
    publish: (subject, payload) => {
      for (const hear of ears.get(subject) ?? []) hear(payload);
    },
    subscribe: (subject, hear) => {
      const set = ears.get(subject) ?? new Set();
      ears.set(subject, set.add(hear));
      return () => void set.delete(hear);
    },
    close: async () => ears.clear(),
  };
};
