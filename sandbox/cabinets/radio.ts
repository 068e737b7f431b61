import { randomUUID } from 'node:crypto';
import { connect as connectTo, type MqttClient } from 'mqtt';
import { DEVICE_LIMITS, deviceTopics } from '@hatchway/contract/devices.ts';
import type { Credentials } from './model.ts';

interface RadioOptions {
  /** Asked at every connect: the broker may have moved. */
  mqttUrl: () => string;
  credentials: Credentials;
  now: () => number;
  onOnline: (session: string) => void;
  onOffline: (refused: boolean) => void;
  onCommand: (payload: Uint8Array, retained: boolean) => void;
  retryMs?: number;
}

const MAX_RETRY_MS = 5_000;

/** A controller's line to the broker. It takes a new session at every connect, so the client is made anew each time: its will names the session. */
export function createRadio(options: RadioOptions) {
  const { credentials, retryMs = 250 } = options;
  let client: MqttClient | null = null;
  let session: string | null = null;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const lwt = (forSession: string, online: boolean, reason?: string) =>
    JSON.stringify({ online, session: forSession, ...(reason === undefined ? {} : { reason }), ts: new Date(options.now()).toISOString() });

  function start() {
    clearTimeout(timer);
    if (client !== null) return;
    const mine = randomUUID();
    const fresh = connectTo(options.mqttUrl(), {
      clientId: credentials.controllerId,
      username: credentials.username,
      password: credentials.password,
      clean: true,
      protocolVersion: 4,
      keepalive: DEVICE_LIMITS.keepaliveSeconds,
      reconnectPeriod: 0,
      connectTimeout: 5_000,
      will: { topic: deviceTopics.lwt(credentials), payload: Buffer.from(lwt(mine, false, 'lost')), qos: 1, retain: true },
    });
    client = fresh;
    let refused = false;
    fresh.on('error', (error) => {
      // CONNACK 4 and 5: the credential was withdrawn, or never was one.
      refused = 'code' in error && (error.code === 4 || error.code === 5);
    });
    fresh.on('connect', () => {
      const { stream } = fresh;
      if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true);
      // First the ear, then the mouth: whoever hears that we are online may send at once.
      fresh.subscribe(deviceTopics.cmd(credentials), { qos: 1 }, (error) => {
        if (error || fresh !== client) return;
        failures = 0;
        session = mine;
        options.onOnline(mine);
      });
    });
    fresh.on('message', (_topic, payload, packet) => options.onCommand(payload, packet.retain));
    fresh.on('close', () => {
      if (fresh !== client) return;
      drop();
      options.onOffline(refused);
      failures += 1;
      timer = setTimeout(start, Math.min(retryMs * 1.6 ** (failures - 1), MAX_RETRY_MS) * (0.8 + Math.random() * 0.4));
    });
  }

  function drop() {
    const old = client;
    client = null;
    session = null;
    old?.stream?.destroy();
    old?.end(true);
  }

  return {
    get session(): string | null {
      return session;
    },
    start,
    /** `sent` is called when the broker has it; without that, whoever cares says it again in the next session. */
    say(topic: string, payload: string, retain: boolean, sent?: () => void) {
      client?.publish(topic, payload, { qos: 1, retain }, (error) => {
        if (!error) sent?.();
      });
    },
    /** No goodbye: the socket is gone. The broker speaks our will. */
    cut() {
      clearTimeout(timer);
      drop();
    },
    /** Says goodbye and closes. */
    async leave(): Promise<void> {
      clearTimeout(timer);
      const old = client;
      const last = session;
      client = null;
      session = null;
      if (old === null) return;
      if (last !== null && old.connected) {
        await old
          .publishAsync(deviceTopics.lwt(credentials), lwt(last, false, 'shutdown'), { qos: 1, retain: true })
          .catch(() => undefined);
      }
      await old.endAsync(last === null).catch(() => undefined);
    },
  };
}
