import type { Client } from '@hatchway/contract/client.ts';
import type { Pickup, PickupKey, ReportKind } from '@hatchway/contract/pickup.ts';
import { newKey, twice } from './line.ts';
import { isBeingPaid, pauseFor, phaseOf } from './phase.ts';
import { troubleOf, type Trouble } from './trouble.ts';

export type Act =
  | { kind: 'open'; quantity?: number }
  | { kind: 'pay' }
  | { kind: 'give-up' }
  | { kind: 'done'; condition?: string }
  | { kind: 'put-back'; condition?: string }
  | { kind: 'report'; report: ReportKind; note?: string };

export type Followed = {
  pickup: Pickup | null;
  /** The server's clock minus this device's, in milliseconds. */
  offset: number;
  /** The link's use has ended, or the link or code is not valid (any more): nothing more is asked. */
  gone: 'ended' | 'gone' | null;
  /** The line, or our side, is away; looks go on by themselves. */
  lost: Trouble | null;
  busy: Act['kind'] | null;
  /** Why the last press did not go through; cleared by the next one. */
  trouble: Trouble | null;
  /** The answer to the last press got lost: the door may have opened or not. */
  unsure: boolean;
  reported: ReportKind | null;
};

export type Follower = ReturnType<typeof createFollower>;

/** What somebody wrote of the thing; nothing where they wrote nothing. */
const said = (condition: string | undefined): { condition?: string } => {
  const text = condition?.trim() ?? '';
  return text === '' ? {} : { condition: text };
};

/** Follows one occupation over a bad line: short looks, and presses that are never sent twice by accident. */
export function createFollower(client: Client, key: PickupKey) {
  let state: Followed = { pickup: null, offset: 0, gone: null, lost: null, busy: null, trouble: null, unsure: false, reported: null };
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** Grows with each press and its answer: a look that began before is older than what is shown, and is thrown away. */
  let epoch = 0;
  let asleep = false;
  let stopped = false;
  let looking = false;

  const set = (changes: Partial<Followed>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };
  const show = (pickup: Pickup): Partial<Followed> => ({ pickup, offset: Date.parse(pickup.now) - Date.now() });
  const plan = (pause?: number) => {
    clearTimeout(timer);
    if (stopped || asleep || state.gone !== null) return;
    const phase = state.pickup === null ? null : phaseOf(state.pickup);
    const doorOpen = state.pickup?.door.state === 'opened';
    timer = setTimeout(
      () => void look(),
      pause ?? pauseFor({ phase, doorOpen, failures, busy: state.busy !== null || isBeingPaid(state.pickup) }),
    );
  };
  const goneBy = (trouble: Trouble): Followed['gone'] => {
    if (trouble.kind === 'refused' && trouble.code === 'gone') return 'ended';
    return trouble.kind === 'link' || trouble.kind === 'code' || trouble.kind === 'cabinet' ? 'gone' : null;
  };

  /** The link is over. What ended well still stands there, without anything left to press; all else is said to be gone. */
  const leave = (gone: Followed['gone']) => {
    const { pickup } = state;
    if (pickup === null || pickup.ended === null) return set({ gone });
    stopped = true;
    return set({ lost: null, pickup: { ...pickup, may: [], openAgainUntil: null } });
  };

  const look = async () => {
    if (looking || stopped) return;
    looking = true;
    clearTimeout(timer);
    const began = epoch;
    let pause: number | undefined;
    try {
      const body = state.pickup === null ? { key } : { key, rev: state.pickup.rev };
      const pickup = await client('POST /pickup/look', { body });
      failures = 0;
      if (began === epoch) set({ lost: null, ...(pickup === undefined ? {} : show(pickup)) });
      else if (state.lost) set({ lost: null });
    } catch (error) {
      const trouble = troubleOf(error);
      failures += 1;
      const gone = goneBy(trouble);
      if (gone !== null) leave(gone);
      else set({ lost: trouble });
      if (trouble.kind === 'wait' && trouble.seconds !== null) pause = trouble.seconds * 1000;
    } finally {
      looking = false;
      plan(pause);
    }
  };

  const send = async (act: Act, idempotencyKey: string): Promise<Pickup> => {
    const input = <B extends object>(body: B) => ({ body: { key, ...body }, idempotencyKey });
    switch (act.kind) {
      case 'open': {
        const doorTag = state.pickup?.door.doorTag ?? '';
        const quantity = act.quantity === undefined ? {} : { quantity: act.quantity };
        return (await client('POST /pickup/open', input({ doorTag, ...quantity }))).pickup;
      }
      case 'pay':
        return client('POST /pickup/pay', input({}));
      case 'give-up':
        return client('POST /pickup/give-up', input({}));
      case 'done':
        return client('POST /pickup/done', input(said(act.condition)));
      case 'put-back':
        return client('POST /pickup/put-back', input(said(act.condition)));
      case 'report': {
        const note = act.note?.trim() ?? '';
        return client('POST /pickup/report', input(note === '' ? { kind: act.report } : { kind: act.report, note }));
      }
    }
  };

  const act = async (act: Act) => {
    if (state.busy !== null || state.pickup === null) return;
    epoch += 1;
    set({ busy: act.kind, trouble: null, unsure: false, reported: null });
    const idempotencyKey = newKey();
    plan();
    try {
      const pickup = await twice(() => send(act, idempotencyKey));
      epoch += 1;
      failures = 0;
      set({ busy: null, lost: null, ...show(pickup), reported: act.kind === 'report' ? act.report : null });
      plan();
    } catch (error) {
      const trouble = troubleOf(error);
      epoch += 1;
      set({ busy: null, trouble, unsure: act.kind === 'open' && trouble.kind === 'line', gone: goneBy(trouble) });
      plan(0);
    }
  };

  return {
    get: (): Followed => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act,
    /** Looks now: the person pressed "Try again", or the device came back. */
    look: () => void look(),
    /** No looks while nobody sees the page. */
    sleep: (wish: boolean) => {
      if (asleep === wish) return;
      asleep = wish;
      if (asleep) clearTimeout(timer);
      else void look();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
