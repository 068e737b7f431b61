import { createListeners } from './listeners.ts';

/** What goes wrong on purpose at a neighbour of the sandbox. */
export type Fault<Kind extends string> = {
  kind: Kind;
  /** How many more calls or webhooks it hits; null until cleared. */
  times: number | null;
  /** Only this payment or order; null hits every one. */
  reference: string | null;
  /** How long a slow answer, or a late webhook, waits. */
  ms: number;
};

/** Reads a fault of one of `kinds` from untrusted JSON; null where it is none. */
export function readFault<Kind extends string>(kinds: readonly Kind[], value: unknown): Fault<Kind> | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, times, reference, ms } = value as Record<string, unknown>;
  const known = kinds.find((one) => one === kind);
  if (known === undefined) return null;
  return {
    kind: known,
    times: times === undefined ? 1 : typeof times === 'number' && Number.isInteger(times) && times > 0 ? times : null,
    reference: typeof reference === 'string' && reference !== '' ? reference : null,
    ms: typeof ms === 'number' && ms >= 0 ? Math.min(ms, 600_000) : 3000,
  };
}

/** Takes the first fault that fits, counting it down. */
export function takeFirst<Fault extends { times: number | null }>(faults: Fault[], fits: (fault: Fault) => boolean): Fault | null {
  const at = faults.findIndex(fits);
  const fault = faults[at];
  if (!fault) return null;
  if (fault.times !== null) {
    fault.times -= 1;
    if (fault.times === 0) faults.splice(at, 1);
  }
  return fault;
}

export type Faults<Kind extends string> = ReturnType<typeof createFaults<Kind>>;

export function createFaults<Kind extends string>() {
  const faults: Fault<Kind>[] = [];
  const { on, tell: changed } = createListeners();
  return {
    list: (): readonly Fault<Kind>[] => faults,
    set: (fault: Fault<Kind>) => {
      faults.push(fault);
      changed();
    },
    clear: () => {
      faults.length = 0;
      changed();
    },
    /** The first one of these kinds that fits the reference. */
    take: (kinds: readonly Kind[], reference: string | null): Fault<Kind> | null => {
      const fault = takeFirst(faults, (one) => kinds.includes(one.kind) && (one.reference === null || one.reference === reference));
      if (fault !== null && fault.times !== null) changed();
      return fault;
    },
    on,
  };
}
