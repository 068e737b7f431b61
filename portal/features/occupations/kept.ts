import { useCallback, useEffect, useState } from 'react';
import { tabStorage } from '../../app/tab-storage.ts';
import { useToken } from '../../app/who.ts';
import { emptyDraft, isBegun, type Draft, type Registration } from './draft.ts';
import type { FillService, StepId } from './plan.ts';

/** What a reload must bring back: what was typed, and the occupation that runs. */
export type Kept = {
  draft: Draft;
  occupationId: string | null;
  byHand: boolean;
  /** A registration whose answer was lost: it is asked for again with the same key and door before anything else is tried. */
  pinned: string | null;
  /** One whose answer was lost and that is not meant any more: whether it was made is asked, and ended, before the next is made. */
  lost: { registration: Registration; key: string } | null;
  /** Since when something stands in the draft; null while nothing does. */
  begunAt: string | null;
  /** What was begun here when somebody went on with what is under way: they come back to it. */
  aside: Draft | null;
};

export const newKey = (): string => crypto.randomUUID();

const fresh = (step: StepId): Kept => ({
  draft: { ...emptyDraft(step, newKey()), cabinetId: lastCabinet() },
  occupationId: null,
  byHand: false,
  pinned: null,
  lost: null,
  begunAt: null,
  aside: null,
});

const placeOf = (tenantId: string, service: FillService) => tabStorage(`service.${tenantId}.${service}`);

const CABINET = 'cabinet';
/** A counter stands beside one cabinet: the one used last is the one meant next. */
const lastCabinet = (): string | null => {
  try {
    return localStorage.getItem(CABINET);
  } catch {
    return null;
  }
};
export const rememberCabinet = (id: string): void => {
  try {
    localStorage.setItem(CABINET, id);
  } catch {
    // Where storage is forbidden the first cabinet is meant.
  }
};

const restored = (stored: unknown, step: StepId): Kept => {
  const start = fresh(step);
  if (typeof stored !== 'object' || stored === null || !('draft' in stored)) return start;
  // An older build may have stored less: what is missing comes from a fresh start.
  const kept = stored as Partial<Kept>;
  return { ...start, ...kept, draft: { ...start.draft, ...kept.draft } };
};

/** The moment of its first word goes with a draft as long as there is one. */
export const dated = (kept: Kept, now: string): Kept => {
  const begunAt = isBegun(kept.draft) ? (kept.begunAt ?? now) : null;
  return begunAt === kept.begunAt ? kept : { ...kept, begunAt };
};

/** Per company and service, in this tab. */
export function useKept(service: FillService, first: StepId) {
  const tenantId = useToken().tenant?.tenant_id ?? '';
  const [kept, setKept] = useState(() => restored(placeOf(tenantId, service).read(), first));
  const change = useCallback((to: (now: Kept) => Kept) => setKept((now) => dated(to(now), new Date().toISOString())), []);
  useEffect(() => placeOf(tenantId, service).write(kept), [tenantId, service, kept]);
  return [kept, change] as const;
}
export const freshKept = fresh;

/** Lays a draft ready for the service screen, which finds it as if it had been left there. */
export const layReady = (tenantId: string, service: FillService, draft: Draft): void =>
  placeOf(tenantId, service).write({
    draft,
    occupationId: null,
    byHand: false,
    pinned: null,
    lost: null,
    begunAt: null,
    aside: null,
  } satisfies Kept);
