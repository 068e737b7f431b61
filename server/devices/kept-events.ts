import { createHash } from 'node:crypto';
import { connect } from 'mqtt';
import { SERVER_EVENTS } from '@hatchway/contract/devices.ts';
import type { Facts } from './facts.ts';
import { CONNECTION } from './link.ts';
import type { Log } from './log.ts';

/** The same at each start, and another one for each Hatchway at a broker. */
export const eventsClientId = (publicUrl: string): string =>
  `hatchway-events-${createHash('sha256').update(publicUrl).digest('hex').slice(0, 16)}`;

/**
 * A controller says its events once, and nobody retains them: an alarm that is said while no server listens waits in a session that the
 * broker outside keeps under this client id, and is taken off there once it is stored: a process that is killed, or stops while the database
 * is away, leaves it to the next one. Events alone wait there, since they keep their own time; the link hears them too, so whoever is told
 * of one hears it twice. One process at a time may use an id: a second one would push out the first.
 */
export function keepEvents(
  { url, clientId }: { url: string; clientId: string },
  facts: Pick<Facts, 'hear' | 'stored'>,
  log: Log,
): { close(): Promise<void> } {
  const address = new URL(url);
  // It is the link's, where an address names one.
  address.searchParams.delete('clientId');
  const client = connect(address.href, { ...CONNECTION, clean: false, clientId });
  client.on('message', (topic, payload, packet) => facts.hear(topic, payload, packet.retain));
  // Called behind each of them: the broker's receipt waits for it.
  client.handleMessage = ({ topic }, done) => void facts.stored(topic).then(() => done());
  // That the broker is away, the link tells.
  client.on('error', (error) => log.debug({ reason: error.message }, 'broker, for events that it keeps'));
  client.on('connect', () => {
    client.subscribe(SERVER_EVENTS, { qos: 1 }, (error, granted) => {
      if (granted?.some((grant) => grant.qos === 128)) log.error({}, 'the broker keeps no events for us');
      // Its answer stands behind what waits to be stored: where that takes long, the line is begun anew.
      else if (error) log.warn({ reason: error.message }, 'broker, for events that it keeps: not subscribed yet');
    });
  });
  return { close: () => client.endAsync(true) };
}
