import { MqttClient, connect as connectTo, type IClientOptions } from 'mqtt';
import { DEVICE_LIMITS, SERVER_SUBSCRIPTIONS } from '@hatchway/contract/devices.ts';
import type { Broker } from './broker.ts';
import { newPart } from '../part.ts';
import type { Log } from './log.ts';

type OnMessage = (topic: string, payload: Uint8Array, retained: boolean) => void;

/** The server's own place at the broker, the one in the process or one outside: the same client, the same messages. */
export interface Link {
  readonly connected: boolean;
  /** The first connection. An outside broker that is away must not keep the server from starting, so nobody needs to wait for this. */
  readonly first: Promise<void>;
  /** Calls back at every (re)connect, when the subscriptions stand. */
  onReady(listener: () => void): void;
  /** Calls back when a connection that stood is gone, unless we closed it. */
  onLost(listener: () => void): void;
  /** QoS 1, never retained. Returns a function that takes it back if the broker has not confirmed it. */
  send(topic: string, payload: string): () => void;
  close(): Promise<void>;
}

export const CONNECTION: IClientOptions = {
  protocolVersion: 4,
  keepalive: DEVICE_LIMITS.keepaliveSeconds,
  reconnectPeriod: 1_000,
  connectTimeout: 10_000,
  resubscribe: false,
};

/** `clean`: what waited for us at a broker would say what was long ago as if it were now. What holds, it retains; see also kept-events.ts. */
export function openLink(options: { broker: Broker } | { url: string }, onMessage: OnMessage, log: Log): Link {
  const common: IClientOptions = { ...CONNECTION, clean: true, clientId: `hatchway-${crypto.randomUUID()}` };
  const client =
    'broker' in options
      ? new MqttClient(() => options.broker.connect(), { ...common, ...options.broker.serverLogin })
      : connectTo(options.url, common);
  const whenReady = new Set<() => void>();
  const whenLost = new Set<() => void>();
  const { promise: first, resolve: firstReady } = Promise.withResolvers<void>();
  let ready = false;
  let closing = false;

  client.on('message', (topic, payload, packet) => onMessage(topic, payload, packet.retain));
  const part = newPart('broker of the doors', log);
  client.on('error', (error) => part.lose(error.message || (error as { code?: string }).code || 'it cannot be reached'));
  client.on('close', () => {
    const lost = ready && !closing;
    ready = false;
    if (!lost) return;
    part.lose('the line was cut');
    for (const listener of whenLost) listener();
  });
  client.on('connect', () => {
    const { stream } = client;
    if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true);
    client.subscribe(SERVER_SUBSCRIPTIONS, { qos: 1 }, (error, granted) => {
      if (error || granted?.some((grant) => grant.qos === 128)) {
        log.error({ err: error }, 'the broker refuses our subscriptions');
        return;
      }
      ready = true;
      part.regain();
      firstReady();
      for (const listener of whenReady) listener();
    });
  });

  return {
    first,
    get connected() {
      return ready;
    },
    onReady(listener) {
      whenReady.add(listener);
    },
    onLost(listener) {
      whenLost.add(listener);
    },
    send(topic, payload) {
      let confirmed = false;
      client.publish(topic, payload, { qos: 1, retain: false }, (error) => {
        confirmed = true;
        if (error) log.debug({ topic, reason: error.message }, 'command not handed to the broker');
      });
      const messageId = client.getLastMessageId();
      return () => {
        if (!confirmed) client.removeOutgoingMessage(messageId);
      };
    },
    async close() {
      closing = true;
      await client.endAsync(true);
    },
  };
}
