import type { LiveKind } from '@hatchway/contract/live.ts';
import { maySeeLocker, maySeeOccupation, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { systemScope } from '../scope.ts';
import { activeBy } from '../stages.ts';
import { frameWith, sendFrame, type Connection, type Drop } from './connection.ts';
import { READERS } from './readers.ts';

type Subject = { id: string; sees: (facts: Facts) => boolean };
type Moved = { connection: Connection; before: Facts };

/** Beyond this, fetching everything again is less work for both sides. */
const GAINED_AT_MOST = 500;

/** Lockers that somebody held a scope on: with a locker that is deleted its scopes go too, before anybody is told of it. */
const heldBefore = (moved: readonly Moved[]): string[] =>
  moved.flatMap(({ before: { lockers } }) => (lockers === 'all' ? [] : Object.keys(lockers)));

/** What can leave or enter somebody's sight with a permission, and is shown as it stands. */
const SUBJECTS: Partial<Record<LiveKind, (tx: Tx, tenantId: string, moved: readonly Moved[]) => Promise<Subject[]>>> = {
  lockers: async (tx, tenantId, moved) => {
    const rows = await tx.selectFrom('lockers').select('id').where('tenant_id', '=', tenantId).execute();
    const ids = new Set([...rows.map(({ id }) => id), ...heldBefore(moved)]);
    return [...ids].map((id) => ({ id, sees: (facts) => maySeeLocker(id, facts) }));
  },
  occupations: async (tx, tenantId) =>
    (
      await tx
        .selectFrom('occupations')
        .select(['id', 'type', 'locker_id'])
        .where('tenant_id', '=', tenantId)
        .where(activeBy('stage'))
        .execute()
    ).map((row) => ({ id: row.id, sees: (facts) => maySeeOccupation({ type: row.type, lockerId: row.locker_id }, facts) })),
};

const follows = (connection: Connection, kind: string) =>
  [...connection.events].some((event) => event === kind || event.startsWith(`${kind}/`));

/** Rows that somebody lost are DELETE, rows that they gained are POST. Where a list cannot be told that way, they connect and fetch anew. */
export const followSight = async (deps: Deps, tenantId: string, moved: readonly Moved[], drop: Drop): Promise<void> => {
  const kinds = (Object.keys(SUBJECTS) as LiveKind[]).filter((kind) => moved.some(({ connection }) => follows(connection, kind)));
  for (const kind of kinds) {
    const subjects = await deps.db.tenant(tenantId, (tx) => SUBJECTS[kind]?.(tx, tenantId, moved) ?? Promise.resolve([]));
    for (const { connection, before } of moved) {
      if (!follows(connection, kind)) continue;
      const gained: string[] = [];
      for (const { id, sees } of subjects) {
        const [did, does] = [sees(before), sees(connection.facts)];
        if (does && !did) gained.push(id);
        if (did && !does) tell(connection, kind, 'DELETE', id, { id });
      }
      if (gained.length > GAINED_AT_MOST) drop(connection, 'again');
      else if (gained.length > 0)
        for (const row of await deps.db.tenant(tenantId, (tx) =>
          READERS[kind].read(tx, systemScope(tenantId, deps.now().toISOString()), gained, deps),
        ))
          if (row.sees(connection.facts))
            tell(connection, kind, 'POST', row.id, row.reduced?.for(connection.facts) ? row.reduced.data : row.data);
    }
  }
  const told = new Set<string>(Object.keys(SUBJECTS));
  for (const { connection } of moved)
    if ([...connection.events].some((event) => !told.has(event.split('/')[0] ?? ''))) drop(connection, 'again');
};

const tell = (connection: Connection, kind: LiveKind, method: 'POST' | 'DELETE', id: string, data: Record<string, unknown>) => {
  for (const subscription of [kind, `${kind}/${id}` as const])
    if (connection.events.has(subscription)) sendFrame(connection, frameWith({ topic: 'event', subscription, method, data }));
};
