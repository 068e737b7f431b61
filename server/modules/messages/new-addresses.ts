import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { count, giveBack, secondsLeft, type Limit } from '../../http/rate-limit.ts';
import type { Scope } from '../../scope.ts';

const HOUR_S = 3600;
/** After so long an address that heard nothing is new again. */
const KNOWN_S = 90 * 24 * HOUR_S;

/**
 * When a message may go to this address: null for at once. A company writes to so many new ones an hour; what comes beyond waits for an hour
 * that has room, and the operator is told. Nobody is kept from registering, and nobody writes to a town by one stolen key.
 */
export const roomFor = async (tx: Tx, deps: Deps, { tenantId, now }: Scope, to: string): Promise<string | null> => {
  const known: Limit = { bucket: `address:${tenantId}:${to}`, most: 0, seconds: KNOWN_S };
  if ((await count(tx, known, now)) < -1) return null;
  const most = deps.config.newAddressesPerHour;
  const hour: Limit = { bucket: `new-addresses:${tenantId}`, most, seconds: HOUR_S };
  const left = await count(tx, hour, now);
  if (left >= 0) return null;
  // Nothing has gone there: what is written to it next waits too.
  await giveBack(tx, known, now);
  deps.metrics.newAddressesHeld.inc();
  if (left === -1) deps.log.warn({ tenantId, most }, 'a company writes to more new addresses than an hour may have: the messages wait');
  const hours = Math.ceil(-left / most) - 1;
  return new Date(Date.parse(now) + (secondsLeft(hour, now) + hours * HOUR_S) * 1000).toISOString();
};
