import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Aedes } from 'aedes';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { deviceTopics, deviceUsername, readDeviceUsername, type ControllerRef } from '@hatchway/contract/devices.ts';
import { startDevices, type Devices, type DevicesOptions } from './devices.ts';
import type { Fact } from './fact.ts';
import type { Log } from './log.ts';

const quiet = () => undefined;
export const silentLog: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

export const newController = (tenantId: string = randomUUID()): ControllerRef => ({ tenantId, controllerId: randomUUID() });

export interface Harness {
  devices: Devices;
  facts: Fact[];
  /** Credentials that the broker takes; take one out to withdraw it. */
  passwords: Map<string, string>;
  give(ref: ControllerRef): { tenantId: string; controllerId: string; username: string; password: string };
  client(ref: ControllerRef, options?: IClientOptions): Promise<MqttClient>;
  of<K extends Fact['kind']>(kind: K, ref?: ControllerRef): Extract<Fact, { kind: K }>[];
  close(): Promise<void>;
}

/** The devices part as the server runs it, on a broker of its own, with facts collected. */
export async function startHarness(options: Partial<DevicesOptions> = {}, passwords = new Map<string, string>()): Promise<Harness> {
  const facts: Fact[] = [];
  const clients: MqttClient[] = [];
  const devices = await startDevices({
    credentials: async (username, password) => (passwords.get(username) === password ? readDeviceUsername(username) : null),
    onFact: async (fact) => {
      facts.push(fact);
    },
    // the repetitions come soon, so that a test sees them
    doors: { repeatMs: 80 },
    log: silentLog,
    ...options,
  });
  const give = (ref: ControllerRef) => {
    const username = deviceUsername(ref);
    const password = passwords.get(username) ?? randomUUID();
    passwords.set(username, password);
    return { ...ref, username, password };
  };
  return {
    devices,
    facts,
    passwords,
    give,
    async client(ref, more = {}) {
      const { username, password } = give(ref);
      const client = await connectAsync(
        devices.mqttUrl,
        { clientId: ref.controllerId, username, password, reconnectPeriod: 0, protocolVersion: 4, ...more },
        false,
      );
      clients.push(client);
      return client;
    },
    of: (kind, ref) =>
      facts.filter((fact): fact is never => fact.kind === kind && (ref === undefined || fact.controllerId === ref.controllerId)),
    async close() {
      for (const client of clients) client.end(true);
      await devices.stop();
    },
  };
}

/** Waits until `check` gives something truthy; fails with its last value after `ms`. */
export async function until<T>(check: () => T, ms = 60_000): Promise<NonNullable<T>> {
  const end = Date.now() + ms;
  for (;;) {
    const value = check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)} after ${ms} ms: ${check.toString()}`);
    await pause(5);
  }
}

export const nowIso = (shiftMs = 0) => new Date(Date.now() + shiftMs).toISOString();

/** A controller that says what a test tells it to, right or wrong. */
export function speaker(client: MqttClient, ref: ControllerRef, session: string = randomUUID()) {
  let seq = 0;
  const say = (topic: string, body: object, retain: boolean) => client.publishAsync(topic, JSON.stringify(body), { qos: 1, retain });
  return {
    session,
    birth: (more: object = {}) =>
      say(
        deviceTopics.birth(ref),
        {
          session,
          fw: '1',
          model: 'test',
          protocol: 1,
          canLock: false,
          compartments: [{ no: 1, sensors: ['door'] }],
          ts: nowIso(),
          ...more,
        },
        true,
      ),
    lwt: (online: boolean, more: object = {}) => say(deviceTopics.lwt(ref), { online, session, ts: nowIso(), ...more }, true),
    state: (door: 'open' | 'closed' | 'unknown', more: object = {}, compartment = 1) =>
      say(
        deviceTopics.state(ref, compartment),
        { door, lock: 'locked', occupancy: 'empty', seq: ++seq, session, ts: nowIso(), ...more },
        true,
      ),
    event: (type: string, more: object = {}, retain = false) =>
      say(deviceTopics.event(ref), { seq: ++seq, session, type, compartment: 1, ts: nowIso(), ...more }, retain),
    ack: (cmdId: string, result: string, more: object = {}) =>
      say(deviceTopics.ack(ref), { cmdId, result, seq: ++seq, session, ts: nowIso(), ...more }, false),
  };
}

/** A broker outside that lets everybody do everything, as a badly set up one would; at any free port, or where another one was. */
export async function startPlainBroker(port = 0) {
  const aedes = await Aedes.createBroker();
  // Its types leave out what it keeps.
  const { persistence } = aedes as unknown as { persistence: { outgoingStream: (client: { id: string }) => AsyncIterable<unknown> } };
  const subscribers = new Set<string>();
  aedes.on('subscribe', (_topics, { id }) => subscribers.add(id));
  const server = createServer((socket) => void aedes.handle(socket.setNoDelay(true)));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const taken = (server.address() as AddressInfo).port;
  const url = `mqtt://127.0.0.1:${taken}`;
  const clients: MqttClient[] = [];
  return {
    url,
    port: taken,
    /** Client ids whose subscriptions stand. */
    subscribers,
    /** How many messages it keeps for that client id. */
    async kept(id: string) {
      let count = 0;
      for await (const _packet of persistence.outgoingStream({ id })) count += 1;
      return count;
    },
    async client() {
      const client = await connectAsync(url, { reconnectPeriod: 0 });
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.end(true);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await new Promise<void>((resolve) => aedes.close(resolve));
      await closed;
    },
  };
}
