import type { ZodType } from 'zod';
import {
  ackMessage,
  birthMessage,
  eventMessage,
  lwtMessage,
  readDeviceTopic,
  stateMessage,
  type ControllerRef,
} from '@hatchway/contract/devices.ts';
import { behindOf, judge, measure, newMemory, type ControllerMemory, type Dropped, type Heard } from './session.ts';
import { NOT_HEARD, TWO_CONTROLLERS, type Fact } from './fact.ts';
import type { Log } from './log.ts';

export interface FactsOptions {
  /** Awaited; facts of one controller come one after the other, in their order. Must bear being called again with the same fact. */
  onFact: (fact: Fact) => Promise<void>;
  /** Told at once, before anything is stored: a waiting command must not wait for the database. */
  onHeard?: (fact: Fact) => void;
  /** Ask this controller to say everything again. */
  ask?: (ref: ControllerRef) => void;
  /** Two controllers speak as this one: what they say of its doors is told to nobody. */
  contested?: (ref: ControllerRef) => boolean;
  log: Log;
  /** Pauses before a failed handler is tried again. */
  retryMs?: readonly number[];
  now?: () => number;
}

type DropReason = Dropped | 'garbage' | 'handler';

export interface Facts {
  hear(topic: string, payload: Uint8Array, retained: boolean): void;
  /** Resolves once what was heard from that topic's controller is stored, or given up for good; where we stop before that, never. */
  stored(topic: string): Promise<void>;
  /** true, false, or null for a controller that was not heard of. */
  online(ref: ControllerRef): boolean | null;
  /** By how many ms its clock is behind ours; 0 where nobody knows, or it may be the line. */
  behind(ref: ControllerRef): number;
  /** We hear nothing any more, so we know of nobody that they are there or away. Sessions and numbers stay: the broker says the same again. */
  deafen(): void;
  /** Says offline for one that two controllers speak as. */
  contest(ref: ControllerRef): void;
  /** One of the two is gone: the other is asked to say everything again. */
  calm(ref: ControllerRef): void;
  /** Says offline for those of `expected` that were not heard of since a start or `deafen`: the store may still believe them online. */
  settle(expected: readonly ControllerRef[]): void;
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Takes nothing more, and waits until what was taken is handled; what waits behind a fact that cannot be is lost. */
  drain(): Promise<void>;
}

const RETRY_MS = [50, 250, 1_000, 3_000];
/** A controller whose facts nobody can store is asked again later rather than queued without end. */
const MAX_QUEUE = 2_000;
/** Events are said once and by nobody again: a break-in waits for the database, so many rounds of tries, before it is lost. */
const EVENT_ROUNDS = 500;
const EVENTS_KEPT = 200;

interface Line extends ControllerMemory {
  queue: Fact[];
  /** Rounds that an event was tried in vain. */
  tried: WeakMap<Fact, number>;
  working: Promise<void> | null;
}

export function createFacts(options: FactsOptions): Facts {
  const { log, now = Date.now, retryMs = RETRY_MS } = options;
  const lines = new Map<string, Line>();
  const dropped: Record<DropReason, number> = {
    superseded: 0,
    'late-will': 0,
    doubled: 0,
    'retained-event': 0,
    'session-over': 0,
    garbage: 0,
    handler: 0,
  };
  let closed = false;

  function lineOf({ tenantId, controllerId }: ControllerRef): Line {
    const key = `${tenantId}/${controllerId}`;
    const line = lines.get(key) ?? { ...newMemory({ tenantId, controllerId }), queue: [], tried: new WeakMap(), working: null };
    lines.set(key, line);
    return line;
  }

  function drop(ref: ControllerRef | null, reason: DropReason, more: object = {}) {
    dropped[reason] += 1;
    log[reason === 'garbage' ? 'warn' : 'debug']({ ...ref, reason, ...more }, 'device message dropped');
  }

  function push(line: Line, facts: readonly Fact[]) {
    for (const fact of facts) {
      options.onHeard?.(fact);
      line.queue.push(fact);
    }
    if (line.queue.length > MAX_QUEUE) giveUp(line);
    start(line);
  }

  function sayOffline(line: Line, session: string | null, reason: string) {
    const at = new Date(now()).toISOString();
    push(line, [{ kind: 'connection', ...line.ref, online: false, session, reason, at, retained: false }]);
  }

  function start(line: Line) {
    line.working ??= work(line).finally(() => {
      line.working = null;
      if (line.queue.length > 0) start(line);
    });
  }

  async function work(line: Line) {
    for (let fact = line.queue.shift(); fact !== undefined; fact = line.queue.shift()) {
      if (!(await handled(fact)) && (closed || !again(line, fact))) giveUp(line);
    }
  }

  /** Whether an event that could not be stored is tried once more, behind what else was said. */
  function again(line: Line, fact: Fact): boolean {
    if (fact.kind !== 'event') return false;
    const tried = (line.tried.get(fact) ?? 0) + 1;
    line.tried.set(fact, tried);
    if (tried >= EVENT_ROUNDS) dropped.handler += 1;
    else line.queue.push(fact);
    return true;
  }

  async function handled(fact: Fact): Promise<boolean> {
    for (const pause of [...retryMs, null]) {
      try {
        await options.onFact(fact);
        return true;
      } catch (error) {
        log.error({ err: error, fact }, pause === null ? 'fact given up' : 'fact not handled, trying again');
        if (pause !== null) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return false;
  }

  /**
   * What was lost cannot be told from what follows, so all is forgotten and the controller says it anew. Events wait on, but not while we
   * stop: with the database away, a round of tries for each of them would hold the stop up for minutes.
   */
  function giveUp(line: Line) {
    const events = closed ? [] : line.queue.filter(({ kind }) => kind === 'event').slice(-EVENTS_KEPT);
    dropped.handler += line.queue.length + 1 - events.length;
    line.queue = events;
    Object.assign(line, newMemory(line.ref));
    if (!closed) options.ask?.(line.ref);
  }

  /** Of an answer its time alone: it is said at once. */
  function hearAckTime(ref: ControllerRef, payload: Uint8Array, retained: boolean) {
    const ack = parsed(ackMessage, payload);
    if (ack !== undefined && !retained) measure(lineOf(ref), Date.parse(ack.ts), now());
  }

  return {
    dropped,
    hear(name, payload, retained) {
      if (closed) return;
      // The tenant is that of the topic, which the broker let this credential write to; payloads are never asked.
      const topic = readDeviceTopic(name);
      if (topic === null || topic.kind === 'cmd') return;
      const { tenantId, controllerId } = topic;
      const ref = { tenantId, controllerId };
      if (topic.kind === 'ack') return hearAckTime(ref, payload, retained);
      // An empty retained payload takes a retained message away; it says nothing.
      if (payload.length === 0) return;
      const heard = read(topic, payload, { retained, receivedAt: now() });
      if (heard === null) return drop(ref, 'garbage', { topic: name, bytes: payload.length });
      const line = lineOf(ref);
      const judgement = judge(line, heard);
      if (judgement.dropped !== null) drop(ref, judgement.dropped, { kind: heard.kind, session: heard.body.session });
      // Which session is the newest has to be known afterwards, and a break-in is told in any case.
      const isTold = ({ kind }: Fact) => kind === 'birth' || kind === 'event';
      const told = options.contested?.(ref) ? judgement.facts.filter(isTold) : judgement.facts;
      if (told.length > 0) push(line, told);
      if (judgement.ask) options.ask?.(ref);
    },
    async stored(name) {
      const topic = readDeviceTopic(name);
      const line = topic === null ? undefined : lines.get(`${topic.tenantId}/${topic.controllerId}`);
      if (line) while (line.working !== null) await line.working;
      if (closed) await new Promise<never>(() => {});
    },
    online: ({ tenantId, controllerId }) => lines.get(`${tenantId}/${controllerId}`)?.online ?? null,
    behind: ({ tenantId, controllerId }) => behindOf(lines.get(`${tenantId}/${controllerId}`)),
    deafen() {
      for (const line of lines.values()) line.online = null;
    },
    contest: (ref) => sayOffline(lineOf(ref), null, TWO_CONTROLLERS),
    calm(ref) {
      const line = lineOf(ref);
      line.online = null;
      line.stateSeq.clear();
      options.ask?.(line.ref);
    },
    settle(expected) {
      if (closed) return;
      for (const ref of expected) {
        const line = lineOf(ref);
        if (line.online === null) sayOffline(line, line.session, NOT_HEARD);
      }
    },
    async drain() {
      closed = true;
      for (const line of lines.values()) {
        while (line.working !== null) await line.working;
      }
    },
  };
}

function parsed<T>(schema: ZodType<T>, payload: Uint8Array): T | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(payload).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function read(
  topic: NonNullable<ReturnType<typeof readDeviceTopic>>,
  payload: Uint8Array,
  common: { retained: boolean; receivedAt: number },
): Heard | null {
  const body = <T>(schema: ZodType<T>) => parsed(schema, payload);
  switch (topic.kind) {
    case 'lwt': {
      const lwt = body(lwtMessage);
      return lwt ? { kind: 'lwt', body: lwt, ...common } : null;
    }
    case 'birth': {
      const birth = body(birthMessage);
      return birth ? { kind: 'birth', body: birth, ...common } : null;
    }
    case 'state': {
      const state = body(stateMessage);
      return state ? { kind: 'state', compartment: topic.compartment, body: state, ...common } : null;
    }
    case 'event': {
      const event = body(eventMessage);
      return event ? { kind: 'event', body: event, ...common } : null;
    }
    default:
      return null;
  }
}
