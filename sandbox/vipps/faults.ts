/** What can go wrong on the way to the provider and back, to be tried out on purpose. */
export const FAULTS = [
  'error',
  'answer-lost',
  'rate-limit',
  'slow',
  'outage',
  'cut',
  'hook-late',
  'hook-doubled',
  'hook-out-of-order',
  'hook-lying',
  'hook-none',
] as const;
export type FaultKind = (typeof FAULTS)[number];

export type VippsFault = {
  kind: FaultKind;
  /** How many more calls or webhooks it hits; null until cleared. */
  times: number | null;
  /** Only this payment; null hits every one. */
  reference: string | null;
  /** How long a slow answer, or a late webhook, waits. */
  ms: number;
};

/** Reads a fault from untrusted JSON; null where it is none. */
export function readFault(value: unknown): VippsFault | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, times, reference, ms } = value as Record<string, unknown>;
  const known = FAULTS.find((one) => one === kind);
  if (known === undefined) return null;
  return {
    kind: known,
    times: times === undefined ? 1 : typeof times === 'number' && Number.isInteger(times) && times > 0 ? times : null,
    reference: typeof reference === 'string' && reference !== '' ? reference : null,
    ms: typeof ms === 'number' && ms >= 0 ? Math.min(ms, 600_000) : 3000,
  };
}

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  const faults: VippsFault[] = [];
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  return {
    list: (): readonly VippsFault[] => faults,
    set: (fault: VippsFault) => {
      faults.push(fault);
      changed();
    },
    clear: () => {
      faults.length = 0;
      changed();
    },
    /** Takes the first one of these kinds that fits the payment, counting it down. */
    take: (kinds: readonly FaultKind[], reference: string | null): VippsFault | null => {
      const at = faults.findIndex((fault) => kinds.includes(fault.kind) && (fault.reference === null || fault.reference === reference));
      const fault = faults[at];
      if (!fault) return null;
      if (fault.times !== null) {
        fault.times -= 1;
        if (fault.times === 0) faults.splice(at, 1);
        changed();
      }
      return fault;
    },
    on: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
