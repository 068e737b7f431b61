import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes, type AuthenticateError, type Client } from 'aedes';
import { DEVICE_LIMITS, type ControllerRef } from '@hatchway/contract/devices.ts';
import { guardPackets } from './packet-guard.ts';
import { mayLeaveWill, mayPublish, maySubscribe, type Principal } from './rights.ts';
import { brief, type Log } from './log.ts';
import { createRefusals } from './refusals.ts';
import { networkOf } from '../http/network.ts';
import { isSame } from '../seal.ts';

export interface BrokerOptions {
  /** Port on loopback, without TLS; 0 takes any free one. Not opened when `listen` is given. */
  port?: number;
  /** Outside addresses: always with TLS. */
  listen?: { host: string; port: number; cert: string | Buffer; key: string | Buffer };
  /** Whose credential this is, or null. Asked at every connect. */
  credentials: (username: string, password: string) => Promise<ControllerRef | null>;
  /** This controller signed in while an earlier connection of its credential was still there, and put it out. */
  onTakeOver?: (ref: ControllerRef) => void;
  log: Log;
  now?: () => number;
}

export interface Broker {
  readonly port: number;
  readonly url: string;
  /** A connection inside the process, for the server's own client; it needs no port. */
  connect(): Duplex;
  readonly serverLogin: { readonly username: string; readonly password: string };
  /** Ends the connection of a controller whose credential was withdrawn, also one that is just being let in. */
  kick(controllerId: string): void;
  close(): Promise<void>;
}

const SERVER_NAME = 'hatchway-server';
// MQTT 3.1.1, 3.2.2.3: identifier rejected; bad user name or password; not authorised.
const REJECTED = { identifier: 2, unavailable: 3, login: 4, rights: 5 } as const;
const NOT_KNOWN = 'try again later';

const refusal = (message: string, returnCode: number): AuthenticateError => Object.assign(new Error(message), { returnCode });

export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { log } = options;
  const serverLogin = { username: SERVER_NAME, password: randomBytes(32).toString('base64url') };
  const refusals = createRefusals(log, options.now);
  const principals = new WeakMap<Client, Principal>();
  const networks = new WeakMap<object, string>();
  const wills = new WeakMap<Client, Parameters<typeof mayLeaveWill>[1]>();
  const devices = new Map<string, Set<Client>>();
  // A login that was looked up before a kick and let in after it would otherwise slip through.
  let kicks = 0;
  const lastKick = new Map<string, number>();

  async function principalOf(client: Client, username: string, password: string): Promise<Principal> {
    if (username === SERVER_NAME) {
      if (!isSame(password, serverLogin.password)) throw refusal('bad login', REJECTED.login);
      return { kind: 'server' };
    }
    const kicksBefore = kicks;
    const ref = await options.credentials(username, password).catch((error: unknown) => {
      log.error({ err: error }, 'device credential could not be looked up');
      throw refusal(NOT_KNOWN, REJECTED.unavailable);
    });
    if (ref === null) throw refusal('bad login', REJECTED.login);
    if ((lastKick.get(ref.controllerId) ?? 0) > kicksBefore) throw refusal('credential withdrawn', REJECTED.login);
    // MQTT ends the older connection of the same client id: with free ids one controller could throw out another.
    if (client.id !== ref.controllerId) throw refusal('client id must be the controller id', REJECTED.identifier);
    const principal = { kind: 'device', ...ref } as const;
    const will = wills.get(client);
    const unfit = will === undefined ? null : mayLeaveWill(principal, will);
    if (unfit !== null) throw refusal(unfit, REJECTED.rights);
    remember(ref, client);
    return principal;
  }

  function remember(ref: ControllerRef, client: Client) {
    const { controllerId } = ref;
    const set = devices.get(controllerId) ?? new Set();
    if (set.size > 0) options.onTakeOver?.(ref);
    devices.set(controllerId, set.add(client));
    client.conn.once('close', () => {
      set.delete(client);
      if (set.size === 0 && devices.get(controllerId) === set) devices.delete(controllerId);
    });
  }

  const aedes = await Aedes.createBroker({
    connectTimeout: 10_000,
    drainTimeout: 10_000,
    keepaliveLimit: DEVICE_LIMITS.maxKeepaliveSeconds,
    maxTopicLevels: 8,
    preConnect(client, packet, done) {
      // No session outlives its connection: a command must not wait for a controller and open a door when nobody stands there.
      packet.clean = true;
      if (packet.will) {
        wills.set(client, {
          topic: packet.will.topic,
          payload: packet.will.payload,
          retain: packet.will.retain === true,
          qos: packet.will.qos ?? 0,
        });
      }
      done(null, true);
    },
    authenticate(client, given, password, done) {
      const username = given ?? '';
      const network = networks.get(client.conn) ?? '';
      if (!refusals.begin(network, username)) return done(refusal('too many refused', REJECTED.unavailable), false);
      principalOf(client, username, password?.toString('utf8') ?? '').then(
        (principal) => {
          principals.set(client, principal);
          refusals.end(network, username, 'let-in');
          done(null, true);
        },
        (error: AuthenticateError) => {
          log.warn({ network, username: brief(username), clientId: brief(client.id), reason: error.message }, 'device login refused');
          refusals.end(network, username, error.message === NOT_KNOWN ? 'not-known' : 'refused');
          done(error, false);
        },
      );
    },
    authorizePublish(client, packet, done) {
      const who = client === null ? undefined : principals.get(client);
      const unfit = who === undefined ? 'not signed in' : mayPublish(who, packet);
      if (unfit === null) return done(null);
      log.warn({ clientId: brief(client?.id ?? ''), topic: brief(packet.topic), reason: unfit }, 'device message refused');
      // 3.1.1 has no word for a refused message but the end of the connection.
      done(new Error(unfit));
    },
    authorizeSubscribe(client, subscription, done) {
      const who = principals.get(client);
      if (who !== undefined && maySubscribe(who, subscription.topic)) return done(null, subscription);
      log.warn({ clientId: brief(client.id), topic: brief(subscription.topic) }, 'device subscription refused');
      done(null, null);
    },
  });
  aedes.on('clientError', (client, error) =>
    log.debug({ clientId: brief(client.id), reason: brief(error.message) }, 'device connection ended'),
  );
  aedes.on('connectionError', (_client, error) => log.debug({ reason: brief(error.message) }, 'connection ended before login'));
  (aedes as NodeJS.EventEmitter).on('error', (error: Error) => log.error({ err: error }, 'broker error'));

  const open = new Set<Duplex>();
  function accept(stream: Duplex, address = 'this process') {
    open.add(stream);
    networks.set(stream, networkOf(address));
    stream.once('close', () => open.delete(stream));
    guardPackets(stream, DEVICE_LIMITS.packetBytes);
    aedes.handle(stream);
  }
  const onSocket = (socket: Socket) => {
    // Without it a command and its answer wait for each other's delayed TCP acknowledgement: 88 ms instead of 0.3.
    socket.setNoDelay(true);
    accept(socket, socket.remoteAddress);
  };

  const { listen } = options;
  const server: Server = listen
    ? createTlsServer({ cert: listen.cert, key: listen.key, minVersion: 'TLSv1.2' }, onSocket)
    : createServer(onSocket);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen?.port ?? options.port ?? 0, listen?.host ?? '127.0.0.1', resolve);
  });
  server.on('error', (error) => log.error({ err: error }, 'broker listener'));
  // A flood of half-open connections must not eat the descriptors that the API needs.
  server.maxConnections = 20_000;
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `${listen ? 'mqtts' : 'mqtt'}://${listen ? listen.host : '127.0.0.1'}:${port}`,
    serverLogin,
    connect() {
      const [ours, theirs] = duplexPair();
      accept(theirs);
      return ours;
    },
    kick(controllerId) {
      lastKick.set(controllerId, ++kicks);
      const those = devices.get(controllerId) ?? [];
      devices.delete(controllerId);
      for (const client of those) client.close();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await new Promise<void>((resolve) => aedes.close(resolve));
      for (const stream of open) stream.destroy();
      await closed;
    },
  };
}
