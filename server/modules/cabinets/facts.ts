import { MINUTE, SECOND } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { TWO_CONTROLLERS, type Fact } from '../../devices/fact.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';
import { hearEvent } from '../doors/alarm-commands.ts';
import { hearDoor } from '../doors/fact-commands.ts';
import { tellRivals } from './alert-commands.ts';
import { type CabinetRow, hearBirth, hearConnection, holds } from './connection.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * What a controller said, into the database: one transaction a fact. Facts come in order per controller, but may come again after a
 * restart or to several processes: each handler knows by session and sequence, or by what is stored, what it has heard before.
 */
export const hearFact = async (deps: Deps, fact: Fact): Promise<void> => {
  if (!UUID.test(fact.tenantId) || !UUID.test(fact.controllerId)) return;
  await deps.db.tenant(fact.tenantId, async (tx) => {
    const cabinet = await tx
      .selectFrom('cabinets')
      .selectAll()
      .where('tenant_id', '=', fact.tenantId)
      .where('controller_id', '=', fact.controllerId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    // Unpaired, but a broker outside still lets its controller in: nothing is believed of it.
    if (!cabinet?.credential_hash) return;
    const scope = {
      tenantId: fact.tenantId,
      now: deps.now().toISOString(),
      actor: { kind: 'device', id: cabinet.id, name: cabinet.name },
    } as const;
    await noteClock(tx, scope, cabinet, fact);
    if (fact.kind === 'connection') {
      await hearConnection(tx, scope, cabinet, fact);
      if (fact.reason === TWO_CONTROLLERS && cabinet.offline_reason !== TWO_CONTROLLERS)
        await tellRivals(tx, deps, scope, cabinet, fact.at);
    } else if (fact.kind === 'birth') await hearBirth(tx, scope, cabinet, fact);
    else if (fact.kind === 'door') {
      if (!holds(cabinet, fact)) return;
      // What a broker kept was said at some time before.
      if (!fact.retained) await noteHeard(tx, scope, cabinet);
      await hearDoor(tx, deps, scope, cabinet, fact);
    } else if (await newEvent(tx, cabinet, fact)) await hearEvent(tx, deps, scope, cabinet, fact);
  });
  deps.outbox.wake();
};

/** Less than this nobody is told of: what it says is read by our clock all the same. */
const TOLD_MINUTES = 2;
const noteClock = async (tx: Tx, scope: Scope, cabinet: CabinetRow, { behind }: Fact): Promise<void> => {
  if (behind === undefined) return;
  const minutes = Math.round(behind / MINUTE);
  const told = Math.abs(minutes) < TOLD_MINUTES ? 0 : minutes;
  if (told === cabinet.clock_behind) return;
  await updateRow(tx, 'cabinets', cabinet.tenant_id, cabinet.id).set({ clock_behind: told, updated_at: scope.now }).execute();
  await record(tx, scope, [], [{ kind: 'cabinets', id: cabinet.id, method: 'PUT' }]);
};

/** Written no oftener than this: a busy wall says something with every door. */
const HEARD_EVERY = 10 * SECOND;
/** It is there and speaks: when it was heard last does not stand still at the moment when it was plugged in. */
const noteHeard = async (tx: Tx, scope: Scope, cabinet: CabinetRow): Promise<void> => {
  if (cabinet.last_seen_at !== null && Date.parse(scope.now) < Date.parse(cabinet.last_seen_at) + HEARD_EVERY) return;
  await updateRow(tx, 'cabinets', cabinet.tenant_id, cabinet.id).set({ last_seen_at: scope.now, updated_at: scope.now }).execute();
  await record(tx, scope, [], [{ kind: 'cabinets', id: cabinet.id, method: 'PUT' }]);
};

const REMEMBERED_EVENTS = 64;
/** Every node hears it, one perhaps long after somebody has looked: it is told once. It counts in whatever session it reaches us. */
const newEvent = async (tx: Tx, cabinet: CabinetRow, { session, seq }: Fact & { kind: 'event' }): Promise<boolean> => {
  const key = `${session}/${seq}`;
  if (cabinet.heard_events.includes(key)) return false;
  await updateRow(tx, 'cabinets', cabinet.tenant_id, cabinet.id)
    .set({ heard_events: [...cabinet.heard_events, key].slice(-REMEMBERED_EVENTS) })
    .execute();
  return true;
};
