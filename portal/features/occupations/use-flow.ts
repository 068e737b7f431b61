import { isActive, type Stage } from '@hatchway/domain/terms.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Occupation } from '../../app/queries.ts';
import { isLeaving } from '../../app/session.ts';
import { obstacleTo, type LockerFacts } from '../lockers/door-view.ts';
import { chosenDoor } from '../lockers/fit.ts';
import { useOccupationCommands } from './api.ts';
import { useDoorChoice } from './choice.ts';
import {
  faultIn,
  firstFault,
  isBegun,
  lacksContent,
  mendedAt,
  registrationOf,
  saidOf,
  settled,
  stepAfter,
  type Draft,
  type Fault,
} from './draft.ts';
import { freshKept, newKey, useKept, type Kept } from './kept.ts';
import { isOrderWritten, useOrderWritten } from './picked-order.ts';
import { before, PLANS, stepsOf, type FillService, type StepId } from './plan.ts';
import type { RunningAct } from './running-panel.tsx';
import { useInUse } from './in-use.tsx';
import { useOffers } from './use-offers.ts';
import { useRegistration, type Said } from './use-registration.ts';
import { givesWay } from './running.ts';
import { useRunning } from './use-running.ts';
import { useRunningActs } from './use-running-acts.ts';
import { useWalked } from './walked.ts';

/** All that the service screen does; the screen itself only draws it. */
export function useFlow(service: FillService) {
  const plan = PLANS[service];
  const { shop, tool } = useOffers(plan);
  const steps = useMemo(() => stepsOf(PLANS[service], { shop, tool }), [service, shop, tool]);
  const first = steps[0] ?? 'summary';
  const commands = useOccupationCommands();

  const [kept, setKept] = useKept(service, first);
  const { draft } = kept;
  const [arrived, setArrived] = useState(kept.occupationId);
  // Left here and come back to: whoever does may not remember what it was, or may be somebody else.
  const [resumedAt, setResumedAt] = useState(kept.occupationId === null ? kept.begunAt : null);
  // What gave way to the next one as somebody came back: it is said in one line.
  const [lastHere, setLastHere] = useState<string | null>(null);
  const [refused, setFault] = useState<Fault | null>(null);
  const [onward, setOnward] = useState(false);
  const [looking, setLooking] = useState(false);
  const [said, setSaid] = useState<Said>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<RunningAct | 'register' | null>(null);
  const step = steps.includes(draft.step) ? draft.step : first;
  const atDoor = step === 'locker' || step === 'summary';
  // While it is being registered, and where the answer to that was lost, a door that is taken may be ours.
  const eyes = kept.occupationId !== null ? 'past' : atDoor && kept.pinned === null ? 'looking' : 'elsewhere';
  const running = useRunning(kept.occupationId, kept.byHand);
  const inUse = useInUse(plan);
  const register = useRegistration({ plan, kept, setKept, running, inUse, setSaid, setError });
  const choice = useDoorChoice(draft, service, eyes, running.occupation.data?.lockerId ?? kept.pinned);
  // Which door is the best is not known yet: that is no lack.
  const seeking = choice.locker === null && choice.walls.pending;
  const fault = refused?.alert === 'locker' && choice.locker !== null ? null : refused;
  const occupation = running.occupation.data ?? null;
  const held = { id: occupation?.lockerId ?? '', size: running.locker?.size ?? null };
  const instead = occupation === null ? null : other();

  function lostTo(locker: LockerFacts): Said {
    return { kind: 'lost', tag: locker.doorTag, by: obstacleTo(locker, service) ?? 'taken' };
  }
  function other(): LockerFacts | null {
    const { cabinetId, near, walls } = choice;
    const asked = { service, size: draft.size, least: held.size, cabinetId, near, tried: [...draft.tried, held.id] };
    return chosenDoor(walls.lockers, null, asked).locker;
  }

  /** What was asked for under this draft, should its answer have been lost, is not meant any more. */
  const letGo = (now: Kept): Pick<Kept, 'pinned' | 'lost'> => {
    if (now.pinned === null) return { pinned: null, lost: now.lost };
    return { pinned: null, lost: { registration: registrationOf(now.draft, plan, now.pinned), key: now.draft.key } };
  };
  /** Something that is registered changed, so that the next registration is a new one. */
  const change = (patch: Partial<Draft>) => {
    setFault(null);
    setError(null);
    if ('lockerId' in patch) {
      setSaid(null);
      choice.askAnew();
    }
    // What was scanned meanwhile is the answer.
    inUse.setAsked(null);
    const anew = 'lockerId' in patch ? { least: null } : {};
    setKept((now) => ({ ...now, ...letGo(now), draft: { ...now.draft, ...anew, ...patch, key: newKey() } }));
  };
  const go = (to: StepId) => {
    setFault(null);
    setOnward(false);
    setError(null);
    setKept((now) => ({ ...now, draft: { ...now.draft, step: to } }));
  };
  /** By the browser's own buttons, which skip what Next would have looked at. */
  const walk = (to: StepId, forward: boolean): StepId => {
    const lack = firstFault(draft, steps, plan, to);
    const at = lack?.step ?? to;
    go(at);
    // Who only came back is told nothing.
    if (lack !== null && forward) setFault(lack.fault);
    return at;
  };
  const runs = kept.occupationId !== null;
  const walked = useWalked({ steps, step, runs, onStep: walk, onReturn: kept.aside === null ? null : () => restart() });
  // Elsewhere in the portal it is kept; with the window it would be gone.
  const unsaved = (!runs && isBegun(draft)) || (kept.aside !== null && isBegun(kept.aside));
  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved]);
  const advance = (patch?: Partial<Draft>) => {
    setOnward(step === 'locker' && seeking);
    if (step === 'locker' && seeking) return undefined;
    const now: Draft = patch === undefined ? draft : { ...draft, ...patch, key: newKey() };
    // Led back to say what lies inside, since no order did: the same Next would only lead there again.
    const told = step === 'asset' && refused?.alert === 'asset' && lacksContent(now) ? refused : null;
    const lack = step === 'locker' && choice.locker === null ? ({ alert: 'locker' } as const) : (told ?? faultIn(now, step, steps, plan));
    setFault(lack);
    // Whoever went on has read the door's tag and may be walking there: from now on it changes only with a word about it.
    const seen = step === 'locker' && choice.locker !== null ? { lockerId: choice.locker.id } : {};
    // Who pressed Next as the door was taken reads of it on the next step.
    if (lack === null && step === 'locker' && choice.lost !== null) setSaid(lostTo(choice.lost));
    const ask = lack === null && step === 'asset' && now.asset !== null;
    const moved: Draft = { ...now, ...seen, step: stepAfter(now, step, steps, plan) };
    setKept((was) => ({
      ...was,
      ...(patch === undefined ? {} : letGo(was)),
      draft: lack !== null ? { ...now, step: mendedAt(lack, step) } : ask ? now : moved,
    }));
    if (!ask) return undefined;
    // Typed on while it was asked, it is another wish.
    const goOn = () => setKept((was) => (was.draft.key === now.key ? { ...was, draft: moved } : was));
    void inUse.isFree(now).then((free) => (free ? goOn() : undefined));
    return undefined;
  };

  const orderWritten = useOrderWritten();
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  /** `patch`: a pick and the wish to go on may come in one press. */
  const next = (patch?: Partial<Draft>) => {
    if (looking) return undefined;
    if (step !== 'order' || patch !== undefined || !isOrderWritten(draft)) return advance(patch);
    setLooking(true);
    void orderWritten(draft).then((brought) => {
      setLooking(false);
      // Typed on while it was asked, it is another number.
      if (latest.current === draft) advance(brought);
    });
    return undefined;
  };

  const begin = async (from = draft) => {
    const lack = firstFault(from, steps, plan);
    if (lack !== null) {
      go(lack.step);
      setFault(lack.fault);
      return;
    }
    const locker = choice.walls.lockers.find((one) => one.id === kept.pinned) ?? choice.locker;
    if (locker === null) return seeking ? undefined : setFault({ alert: 'locker' });
    setBusy('register');
    // One whose answer was lost is sent again word for word.
    await register(kept.pinned === null ? settled(from, Date.now()) : from, locker);
    setBusy(null);
    return undefined;
  };

  const restart = (from?: Draft) => {
    running.setAttempt(null);
    setResumedAt(null);
    setLastHere(null);
    setFault(null);
    setSaid(null);
    setError(null);
    setKept((now) => {
      const fresh = freshKept(first);
      const draft = from ?? now.aside ?? fresh.draft;
      return { ...fresh, lost: letGo(now).lost, draft, aside: from === undefined ? null : now.aside };
    });
  };
  /** Goes on with something under way where its work stopped; what was begun here waits. */
  const goOnWith = (one: Occupation) => {
    const cabinetId = choice.walls.lockers.find(({ id }) => id === one.lockerId)?.cabinetId ?? draft.cabinetId;
    running.setAttempt(null);
    setFault(null);
    setSaid(null);
    setError(null);
    setKept((now) => ({
      ...freshKept(first),
      draft: { ...freshKept(first).draft, ...saidOf(one), cabinetId },
      occupationId: one.id,
      lost: letGo(now).lost,
      aside: { ...now.draft, key: newKey() },
    }));
  };

  /** Who brings it went on behind another door. Else what was there on arrival: what was done by then, behind a door that wants no hand, gives way to the next one. One that is done before somebody's eyes stays. */
  if (occupation?.continuedBy) setKept((now) => ({ ...now, occupationId: occupation.continuedBy }));
  else if (arrived !== null) {
    const { data } = running.occupation;
    const done = data !== undefined && !running.pending && givesWay(running.scene, running.locker, data.id);
    if (arrived !== kept.occupationId) setArrived(null);
    else if (done) {
      setArrived(null);
      restart();
      setLastHere(arrived);
    } else if (data !== undefined && !running.pending) setArrived(null);
  }

  const carryOut = useRunningActs({ first, draft, setKept, running, held, instead, register, setSaid, restart });
  const act = async (what: RunningAct, reason?: string) => {
    setBusy(what);
    await carryOut(what, reason);
    setBusy(null);
  };

  const abort = async () => {
    if (occupation !== null && isActive(occupation.stage as Stage)) await commands.end(occupation);
    walked.letGo();
    restart();
  };

  return {
    plan,
    steps,
    step,
    draft,
    choice,
    fault,
    said,
    error,
    busy,
    running,
    occupation,
    occupationId: kept.occupationId,
    lastHere: runs ? null : lastHere,
    /** When the draft was begun that was found here. */
    resumedAt: runs || !isBegun(draft) ? null : resumedAt,
    /** A registration is on its way, or its answer was lost. */
    pinned: kept.pinned !== null,
    seeking,
    /** Somebody wants to go on as soon as a door is known. */
    onward,
    /** The shop's orders are asked for the number that was written. */
    looking,
    instead,
    change,
    go,
    next,
    inUse: {
      asked: inUse.asked,
      /** Another is picked. */
      forget: () => {
        inUse.setAsked(null);
        if (step !== 'asset') go('asset');
      },
      /** Somebody's word that it is to go on all the same, from where they were asked. */
      goOn: (from: Draft) => {
        inUse.setAsked(null);
        const sure: Draft = { ...from, sureOf: from.asset?.id ?? null, key: newKey() };
        const early = from.step === 'asset';
        const to = early ? stepAfter(sure, 'asset', steps, plan) : from.step;
        setKept((was) => ({ ...was, ...letGo(was), draft: { ...sure, step: to } }));
        // Whoever was asked at the last step had pressed already what opens the door.
        if (!early) void begin({ ...sure, step: to });
      },
    },
    /** Out of what was gone on with from the list it leads back there, and leaves it as it stands. */
    mayGoBack: runs ? kept.aside !== null : step !== first,
    back: () => (runs ? restart() : go(before(steps, step))),
    goOnWith,
    begin: () => begin(),
    act,
    abort,
    restart,
  };
}
export type Flow = ReturnType<typeof useFlow>;
