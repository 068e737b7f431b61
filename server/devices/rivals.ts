import type { ControllerRef } from '@hatchway/contract/devices.ts';

/** So often within the calm, a login threw out another one of the same credential that was still there: two controllers have it. */
const TAKEOVERS = 5;

/** Two controllers with one credential throw each other out, and which wall a word or a command is of nobody knows. */
export interface Rivals {
  tookOver: (ref: ControllerRef) => void;
  have: (ref: ControllerRef) => boolean;
  /** Paired anew: its old credential lets nobody in any more. */
  forget: (controllerId: string) => void;
  stop: () => void;
}

interface RivalsOptions {
  /** So long without one throwing out the other, and one of them is gone. Asked each time. */
  calmMs: () => number;
  onBegin: (ref: ControllerRef) => void;
  onEnd: (ref: ControllerRef) => void;
  now?: () => number;
}

export function createRivals({ calmMs, onBegin, onEnd, now = Date.now }: RivalsOptions): Rivals {
  const latest = new Map<string, number[]>();
  const until = new Map<string, NodeJS.Timeout>();

  function end(ref: ControllerRef) {
    const timer = until.get(ref.controllerId);
    if (timer === undefined) return;
    clearTimeout(timer);
    until.delete(ref.controllerId);
    latest.delete(ref.controllerId);
    onEnd(ref);
  }

  return {
    tookOver(ref) {
      const { controllerId } = ref;
      const recent = [...(latest.get(controllerId) ?? []).filter((at) => at > now() - calmMs()), now()].slice(-TAKEOVERS);
      latest.set(controllerId, recent);
      const timer = until.get(controllerId);
      if (timer === undefined && recent.length < TAKEOVERS) return;
      clearTimeout(timer);
      until.set(controllerId, setTimeout(() => end(ref), calmMs()).unref());
      if (timer === undefined) onBegin(ref);
    },
    have: ({ controllerId }) => until.has(controllerId),
    forget(controllerId) {
      latest.delete(controllerId);
      clearTimeout(until.get(controllerId));
      until.delete(controllerId);
    },
    stop() {
      for (const timer of until.values()) clearTimeout(timer);
    },
  };
}
