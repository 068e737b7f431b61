import type { LinkOpened, PickupLink } from '@hatchway/contract/pickup.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from './api.ts';
import { newKey, twice } from './line.ts';
import { becomeStand } from './session.ts';
import { troubleOf, type Trouble } from './trouble.ts';

export type Linked = {
  link: PickupLink | null;
  gone: boolean;
  lost: Trouble | null;
  trouble: Trouble | null;
  busy: boolean;
  /** What came of the last press on a link that opens. */
  last: Pick<LinkOpened, 'use' | 'outcome' | 'doorTag'> | null;
};
export type Press = { doorTag?: string; cabinet?: string; use?: string; name?: string };

const SELDOM = 5000;
/** A door that was just opened is watched closely. */
const OFTEN = 1000;

/** Follows one access link. What was begun with it goes on on the page of its occupation. */
export function useLink(token: string): [Linked, { press: (press: Press) => void; look: () => void }] {
  const [linked, setLinked] = useState<Linked>({ link: null, gone: false, lost: null, trouble: null, busy: false, last: null });
  const state = useRef({ rev: '', busy: false, epoch: 0, often: false });
  const look = useCallback(async () => {
    const began = state.current.epoch;
    try {
      const { rev } = state.current;
      const link = await api('POST /pickup/link', { body: rev === '' ? { token } : { token, rev } });
      if (began !== state.current.epoch) return;
      if (link !== undefined) {
        state.current.rev = link.rev;
        if (link.current?.occupation) return becomeStand({ page: 'pickup', key: { link: token, use: link.current.use } });
      }
      setLinked((before) => ({ ...before, lost: null, ...(link === undefined ? {} : { link }) }));
    } catch (error) {
      const trouble = troubleOf(error);
      setLinked((before) => (trouble.kind === 'link' ? { ...before, gone: true } : { ...before, lost: trouble }));
    }
  }, [token]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const round = async () => {
      if (!document.hidden && !state.current.busy) await look();
      if (!stopped) timer = setTimeout(() => void round(), state.current.often ? OFTEN : SELDOM);
    };
    void round();
    const again = () => void look();
    document.addEventListener('visibilitychange', again);
    for (const back of ['online', 'pageshow']) addEventListener(back, again);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
      for (const back of ['online', 'pageshow']) removeEventListener(back, again);
    };
  }, [look]);

  const press = async (more: Press) => {
    if (state.current.busy) return;
    state.current.busy = true;
    state.current.epoch += 1;
    setLinked((before) => ({ ...before, busy: true, trouble: null, last: null }));
    const idempotencyKey = newKey();
    try {
      const answer = await twice(() => api('POST /pickup/link/open', { body: { token, ...more }, idempotencyKey }));
      if (answer.pickup !== null && answer.use !== null) return becomeStand({ page: 'pickup', key: { link: token, use: answer.use } });
      Object.assign(state.current, { rev: answer.link.rev, often: answer.outcome === 'opened' });
      const { use, outcome, doorTag, link } = answer;
      setLinked((before) => ({ ...before, busy: false, link, last: { use, outcome, doorTag } }));
    } catch (error) {
      const trouble = troubleOf(error);
      setLinked((before) => ({ ...before, busy: false, trouble, gone: trouble.kind === 'link' }));
      state.current.rev = '';
    } finally {
      state.current.busy = false;
      state.current.epoch += 1;
    }
    // Where the answer alone was lost, what became of it is asked at once; a look that began before is of no use.
    if (state.current.rev === '') void look();
    return undefined;
  };
  return [linked, { press: (more) => void press(more), look: () => void look() }];
}
