import { randomUUID } from 'node:crypto';
import type { ControllerRef } from '@hatchway/contract/devices.ts';
import { startBroker, type Broker, type BrokerOptions } from './broker.ts';
import { createDoors, type Doors, type DoorsOptions } from './doors.ts';
import { createFacts, type Facts, type FactsOptions } from './facts.ts';
import { keepEvents } from './kept-events.ts';
import { openLink } from './link.ts';
import type { Log } from './log.ts';
import { createRivals } from './rivals.ts';
import { PACE, type Pace } from '../pace.ts';

export interface DevicesOptions {
  /** A broker outside; without it one runs in the process. */
  url?: string;
  /** A client id that no other process uses, under which a broker outside keeps events while this one is away. */
  keepAs?: string;
  /** What controllers are told at pairing, where they reach the broker by another address than we: `mqtts://broker.example.com:8883`. */
  publicUrl?: string;
  embedded?: Omit<BrokerOptions, 'log' | 'credentials'>;
  credentials: BrokerOptions['credentials'];
  onFact: FactsOptions['onFact'];
  /**
   * Controllers that the store believes online. Asked `settleMs` after each time that we began to hear the broker: those not heard of by
   * then are said to be offline.
   */
  believedOnline?: () => Promise<readonly ControllerRef[]>;
  settleMs?: number;
  doors?: Pick<DoorsOptions, 'repeatMs'>;
  pace?: Readonly<Pick<Pace, 'commandMs' | 'answerMs' | 'askMs' | 'calmMs'>>;
  retryMs?: readonly number[];
  log: Log;
}

export interface Devices {
  readonly doors: Doors;
  readonly facts: Pick<Facts, 'online' | 'dropped'>;
  /** What a controller is told at pairing: the broker in the process, or the one outside. Never with a login, which would be our own. */
  readonly mqttUrl: string;
  /** Of the broker in the process, null with one outside. */
  readonly mqttPort: number | null;
  readonly connected: boolean;
  /** Call after the credential is gone from the store. An outside broker does this by its own means. */
  kick(controllerId: string): void;
  /** Doors first, then facts, then the broker: nothing that was said is lost. */
  stop(): Promise<void>;
}

const SETTLE_MS = 15_000;

const withoutLogin = (address: string): string => {
  const url = new URL(address);
  // A websocket's may stand behind the question mark.
  url.username = url.password = url.search = url.hash = '';
  return url.href;
};

export async function startDevices(options: DevicesOptions): Promise<Devices> {
  const { log, pace = PACE } = options;
  const rivals = createRivals({
    calmMs: () => pace.calmMs,
    onBegin(ref) {
      log.warn(ref, 'two controllers sign in with one credential: nothing is sent to them, and nothing of doors is heard of them');
      facts.contest(ref);
    },
    onEnd: (ref) => facts.calm(ref),
  });
  const broker: Broker | null =
    options.url === undefined
      ? await startBroker({ ...options.embedded, credentials: options.credentials, onTakeOver: (ref) => rivals.tookOver(ref), log })
      : null;
  const asked = new Map<string, number>();
  const asking = new Set<string>();

  const facts = createFacts({
    onFact: options.onFact,
    onHeard: (fact) => doors.hearFact(fact),
    ask,
    contested: rivals.have,
    log,
    ...(options.retryMs === undefined ? {} : { retryMs: options.retryMs }),
  });
  const link = openLink(
    broker === null ? { url: options.url ?? '' } : { broker },
    (topic, payload, retained) => {
      doors.hearAck(topic, payload, retained);
      facts.hear(topic, payload, retained);
    },
    log,
  );
  const kept =
    options.url !== undefined && options.keepAs !== undefined
      ? keepEvents({ url: options.url, clientId: options.keepAs }, facts, log)
      : null;
  let settled = false;
  const doors = createDoors({
    link,
    // Whoever was not heard of in all this time is away. A question may still be sent: it is how we find out that we heard wrong.
    online: (ref, op) => (rivals.have(ref) ? op === 'status' && null : (facts.online(ref) ?? (settled && op !== 'status' ? false : null))),
    behind: (ref) => facts.behind(ref),
    log,
    pace,
    ...options.doors,
  });

  // While we ourselves hear nothing, nobody's silence says anything.
  let settle: NodeJS.Timeout | undefined;
  link.onReady(() => {
    settle = setTimeout(() => {
      settled = true;
      options
        .believedOnline?.()
        .then((expected) => {
          if (settled) facts.settle(expected);
        })
        .catch((error: unknown) => log.error({ err: error }, 'could not ask which cabinets were online'));
    }, options.settleMs ?? SETTLE_MS);
    settle.unref();
  });
  link.onLost(() => {
    clearTimeout(settle);
    settled = false;
    facts.deafen();
  });

  if (broker !== null) await link.first;

  /** Once its pause is over, if not now: what it says may be lost again, and whoever is not asked then is not heard of any more. */
  function ask(ref: ControllerRef) {
    const { controllerId } = ref;
    if (asking.has(controllerId)) return;
    asking.add(controllerId);
    const rest = (asked.get(controllerId) ?? 0) + pace.askMs - Date.now();
    // Later in any case, so that it is not sent from inside the handling of the message that made us ask.
    setTimeout(
      () => {
        asking.delete(controllerId);
        asked.set(controllerId, Date.now());
        void doors.status({ ...ref, commandId: randomUUID() });
      },
      Math.max(50, rest),
    ).unref();
  }

  let stopped: Promise<void> | null = null;
  async function stop() {
    clearTimeout(settle);
    rivals.stop();
    await doors.stop();
    // What is said from here on waits at the broker.
    await kept?.close();
    await facts.drain();
    await link.close();
    await broker?.close();
  }

  return {
    doors,
    facts,
    mqttPort: broker?.port ?? null,
    mqttUrl: options.publicUrl ?? broker?.url ?? withoutLogin(options.url ?? ''),
    get connected() {
      return link.connected;
    },
    kick(controllerId) {
      rivals.forget(controllerId);
      broker?.kick(controllerId);
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
