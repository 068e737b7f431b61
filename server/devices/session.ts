import type { BirthMessage, ControllerRef, EventMessage, LwtMessage, StateMessage } from '@hatchway/contract/devices.ts';
import type { Fact } from './fact.ts';

/** One parsed message of one controller. Times are milliseconds. */
export type Heard = { retained: boolean; receivedAt: number } & (
  | { kind: 'lwt'; body: LwtMessage }
  | { kind: 'birth'; body: BirthMessage }
  | { kind: 'state'; compartment: number; body: StateMessage }
  | { kind: 'event'; body: EventMessage }
);

export type Dropped = 'superseded' | 'late-will' | 'doubled' | 'retained-event' | 'session-over';

/** What is known of a controller: which session is the newest, whether it holds, and what was heard of each door in it. */
export interface ControllerMemory {
  readonly ref: ControllerRef;
  session: string | null;
  /** When its session began, by its own clock. */
  born: number | null;
  /** By how many ms its clock is behind ours, as it says live in this session; below 0 it is ahead. */
  behind: number | null;
  online: boolean | null;
  past: string[];
  stateSeq: Map<number, number>;
  events: Set<string>;
  /** Messages of a session whose birth or lwt has not come yet: a broker hands out what it retained in any order. */
  held: Map<string, Heard>;
}

interface Judgement {
  facts: Fact[];
  dropped: Dropped | null;
  /** What the broker keeps is no longer what holds: the controller should be asked to say everything again. */
  ask: boolean;
}

/** How many sessions that are over are remembered, here and in the database. */
export const PAST_SESSIONS = 32;
const REMEMBERED_EVENTS = 512;
const HELD_MESSAGES = 300;
const CLOCK_LEEWAY_MS = 60_000;

export const newMemory = (ref: ControllerRef): ControllerMemory => ({
  ref,
  session: null,
  born: null,
  behind: null,
  online: null,
  past: [],
  stateSeq: new Map(),
  events: new Set(),
  held: new Map(),
});

const nothing = (dropped: Dropped | null, ask = false): Judgement => ({ facts: [], dropped, ask });

/** Changes the memory and says which facts follow. The rules of integrations.md, section 6, and no others. */
export function judge(memory: ControllerMemory, heard: Heard): Judgement {
  // An event may have waited in the controller, and a will was written when its session began.
  const isLive = !heard.retained && heard.kind !== 'event' && !(heard.kind === 'lwt' && !heard.body.online);
  if (isLive && !memory.past.includes(heard.body.session)) measure(memory, Date.parse(heard.body.ts), heard.receivedAt);
  switch (heard.kind) {
    case 'birth':
      return birth(memory, heard);
    case 'lwt':
      return lwt(memory, heard);
    case 'state':
      return state(memory, heard);
    case 'event':
      return event(memory, heard);
  }
}

/** The way here only makes it look more behind than it is: the least that was measured holds, until the clock was set. */
export function measure(memory: ControllerMemory, said: number, receivedAt: number): void {
  const behind = receivedAt - said;
  const wasSet = memory.behind !== null && behind - memory.behind > CLOCK_LEEWAY_MS;
  memory.behind = wasSet ? behind : Math.min(behind, memory.behind ?? behind);
}

/** Less than this a bad line alone makes a clock seem wrong. */
const UNSURE_MS = 10_000;
export const behindOf = (memory: ControllerMemory | undefined): number =>
  Math.abs(memory?.behind ?? 0) < UNSURE_MS ? 0 : (memory?.behind ?? 0);

function birth(memory: ControllerMemory, heard: Heard & { kind: 'birth' }): Judgement {
  const { body } = heard;
  if (memory.past.includes(body.session)) return nothing('superseded');
  if (body.session === memory.session) return nothing('doubled');
  if (memory.session !== null) forget(memory, memory.session);
  memory.session = body.session;
  memory.born = Date.parse(body.ts);
  // Whoever begins anew may have set their clock; what a broker kept tells nothing of it.
  memory.behind = heard.retained ? null : heard.receivedAt - memory.born;
  memory.online = null;
  memory.stateSeq.clear();
  const { session, fw, model, canLock, compartments } = body;
  const sensors = compartments.some((compartment) => compartment.sensors.includes('occupancy'));
  const fact: Fact = {
    kind: 'birth',
    ...common(memory, heard),
    session,
    after: [...memory.past],
    fw,
    model,
    canLock,
    sensors,
    compartments,
  };
  const facts = [fact, ...release(memory, session)];
  // Another session's lwt is what the broker keeps: a late will has overwritten this one's.
  return { facts, dropped: null, ask: memory.online === null && memory.held.has('lwt') };
}

function lwt(memory: ControllerMemory, heard: Heard & { kind: 'lwt' }): Judgement {
  const { body } = heard;
  // A will that comes after its controller is back. It has also overwritten the retained lwt, so the controller is asked to say it again.
  if (memory.past.includes(body.session)) return nothing(body.online ? 'superseded' : 'late-will', !body.online);
  if (body.session !== memory.session) {
    hold(memory, 'lwt', heard);
    return nothing(null, memory.session !== null && !body.online);
  }
  if (body.online === memory.online) return nothing('doubled');
  // A session that ended does not begin again: each connect takes a new one.
  if (memory.online === false) return nothing('session-over');
  memory.online = body.online;
  const facts: Fact[] = [
    // A will was written when the session began: its ts says nothing about the loss.
    {
      kind: 'connection',
      ...common(memory, heard),
      at: iso(heard.receivedAt),
      online: body.online,
      session: body.session,
      reason: body.reason ?? null,
    },
  ];
  return { facts: [...facts, ...release(memory, body.session)], dropped: null, ask: false };
}

function state(memory: ControllerMemory, heard: Heard & { kind: 'state' }): Judgement {
  const { body, compartment } = heard;
  if (memory.past.includes(body.session)) return nothing('superseded');
  if (body.session !== memory.session || memory.online === null) {
    hold(memory, `state/${compartment}`, heard);
    return nothing(null);
  }
  // Nobody knows a door whose cabinet is away, whatever the broker still remembers of it.
  if (!memory.online) return nothing('session-over');
  if (body.seq <= (memory.stateSeq.get(compartment) ?? -1)) return nothing('doubled');
  memory.stateSeq.set(compartment, body.seq);
  const { lock, occupancy, seq, session, cmdId } = body;
  const fact: Fact = {
    kind: 'door',
    ...common(memory, heard),
    compartment,
    door: body.door === 'open' ? 'opened' : body.door,
    lock,
    occupancy,
    session,
    seq,
    ...(cmdId === undefined ? {} : { cmdId }),
  };
  return { facts: [fact], dropped: null, ask: false };
}

/** Events tell of something that happened, so they count in whatever session they reach us; once. */
function event(memory: ControllerMemory, heard: Heard & { kind: 'event' }): Judgement {
  const { type, compartment, session, seq, cmdId } = heard.body;
  if (heard.retained) return nothing('retained-event');
  const key = `${session}/${seq}`;
  if (memory.events.has(key)) return nothing('doubled');
  memory.events.add(key);
  for (const oldest of memory.events) {
    if (memory.events.size <= REMEMBERED_EVENTS) break;
    memory.events.delete(oldest);
  }
  const fact: Fact = {
    kind: 'event',
    ...common(memory, heard),
    type,
    session,
    seq,
    ...(compartment === undefined ? {} : { compartment }),
    ...(cmdId === undefined ? {} : { cmdId }),
  };
  return { facts: [fact], dropped: null, ask: false };
}

function forget(memory: ControllerMemory, session: string) {
  memory.past.push(session);
  if (memory.past.length > PAST_SESSIONS) memory.past.shift();
}

function hold(memory: ControllerMemory, key: string, heard: Heard) {
  if (memory.held.has(key) || memory.held.size < HELD_MESSAGES) memory.held.set(key, heard);
}

/** Judges again what waited for this session: its lwt first, or the doors would wait once more. */
function release(memory: ControllerMemory, session: string): Fact[] {
  const waiting = [...memory.held].filter(([, heard]) => heard.body.session === session);
  for (const [key] of waiting) memory.held.delete(key);
  waiting.sort(([a], [b]) => Number(b === 'lwt') - Number(a === 'lwt'));
  return waiting.flatMap(([, heard]) => judge(memory, heard).facts);
}

const iso = (ms: number) => new Date(ms).toISOString();

/** By our clock: never before the session in which it was said, never after it came. */
function common(memory: ControllerMemory, heard: Heard) {
  const { born, session, ref } = memory;
  const by = (own: number) => own + behindOf(memory);
  const from = born !== null && heard.body.session === session ? Math.min(by(born), heard.receivedAt) : -Infinity;
  const at = Math.min(Math.max(by(Date.parse(heard.body.ts)), from), heard.receivedAt);
  return { ...ref, at: iso(at), retained: heard.retained, ...(memory.behind === null ? {} : { behind: memory.behind }) };
}
