import { mayBuild, type Facts } from '@hatchway/domain/access.ts';
import { believe, isDoubt, type Evidence } from '@hatchway/domain/locker.ts';
import { STAGES, type OccupationType } from '@hatchway/domain/terms.ts';
import type { Locker } from '@hatchway/contract/lockers.ts';
import type { Tx } from '../../db/database.ts';
import { madeOnce } from '../../db/made-once.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record, type NewEvent } from '../../events/record.ts';
import { absent, Problem } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';
import { activeBy } from '../../stages.ts';
import { changeRow, updateRow } from '../../rows.ts';
import { lockerById, oneLocker } from './queries.ts';

const locked = madeOnce((tx, { tenantId, id }: { tenantId: string; id: string }) =>
  tx.selectFrom('lockers').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id).forUpdate().compile(),
);
/** The locker's own row, locked until the transaction ends. Whoever locks an occupation too locks its locker first. */
export const lockLocker = async (tx: Tx, tenantId: string, id: string) => {
  const [row] = await locked(tx, { tenantId, id });
  if (!row) throw absent();
  return row;
};

export type Held = { row: Awaited<ReturnType<typeof lockLocker>>; locker: Locker };
/**
 * A locker that the caller sees and may build with, locked until the transaction ends. Both are asked for at once: what is read is what is
 * locked.
 */
export const holdTheirs = async (tx: Tx, tenantId: string, facts: Facts, id: string): Promise<Held> => {
  const [row, locker] = await Promise.all([lockLocker(tx, tenantId, id), oneLocker(tx, tenantId, facts, id)]);
  if (!mayBuild([id], facts)) throw new Problem('forbidden');
  return { row, locker };
};

const isClaimed = async (tx: Tx, tenantId: string, lockerId: string): Promise<boolean> =>
  (await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('locker_id', '=', lockerId)
    .where('stage', '=', STAGES.CLAIMING)
    .executeTakeFirst()) !== undefined;

/**
 * What is believed of a locker's content, after new evidence. Answers whether that put in doubt what was known before: whoever brought
 * the evidence writes that to the history, in its words.
 */
export const setContent = async (tx: Tx, scope: Scope, lockerId: string, evidence: Evidence): Promise<boolean> => {
  const row = await lockLocker(tx, scope.tenantId, lockerId);
  const before = { content: row.content, since: row.content_at ?? row.created_at, why: row.content_why as never };
  const after = believe(before, evidence, scope.now, row.content_why === 'found-empty' && (await isClaimed(tx, scope.tenantId, lockerId)));
  const noted = isDoubt(evidence) ? { doubted_at: scope.now } : evidence.kind === 'word' ? { said_at: scope.now } : null;
  const changed = after.content !== before.content || after.why !== before.why;
  if (!changed && noted === null) return false;
  await updateRow(tx, 'lockers', scope.tenantId, lockerId)
    .set((eb) =>
      changed
        ? {
            content: after.content,
            content_at: after.since,
            content_why: after.why,
            ...noted,
            // What was noticed at the door is over with the doubt that it left: when it is noticed again, that is another incident.
            ...(after.content === 'unknown' ? {} : { alert: null, alert_at: null }),
            updated_at: scope.now,
            version: eb('version', '+', 1),
          }
        : { ...noted },
    )
    .execute();
  const used = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('locker_id', '=', lockerId)
    .where(activeBy('stage'))
    .execute();
  // What may be done with its use, what is said of it, and whether a claim there still ends by itself hang on what is believed or was said.
  const changes = [{ kind: 'lockers', id: lockerId }, ...used.map(({ id }) => ({ kind: 'occupations', id }) as const)] as const;
  await record(
    tx,
    scope,
    [],
    changes.map((change) => ({ ...change, method: 'PUT' })),
  );
  return changed && after.content === 'unknown' && before.content !== 'unknown';
};

const reread = async (tx: Tx, scope: Scope, id: string): Promise<Locker> => {
  const locker = await lockerById(tx, scope.tenantId, id);
  if (!locker) throw absent();
  return locker;
};

/** Where an event of this locker belongs: also to the use that has it. */
const placed = (locker: Locker) => ({
  lockerId: locker.id,
  doorTag: locker.doorTag,
  cabinetId: locker.cabinetId,
  occupationId: locker.occupationId,
  occupationType: (locker.occupation?.type ?? null) as OccupationType | null,
});

/** Out of service with a reason, or back. What lies inside, and whose it is, stays as it is. */
export const setService = async (tx: Tx, scope: Scope, { row, locker: now }: Held, reason: string | null): Promise<Locker> => {
  const { id } = row;
  // Said once more it changes nothing: since when, and by whom, stays as it was. That another one looked there and says so too, the history keeps.
  const { reason: known = null, by = null } = row.out_of_service ?? {};
  if (known === reason) {
    if (reason !== null && by?.id !== scope.actor.id)
      await record(tx, scope, [{ ...placed(now), type: 'locker_out_of_service', data: { reason } }], []);
    return now;
  }
  const changed = changeRow(tx, 'lockers', scope, id, {
    out_of_service: reason === null ? null : jsonb({ since: scope.now, reason, by: scope.actor }),
  }).execute();
  const told: NewEvent[] =
    reason !== null
      ? [{ ...placed(now), type: 'locker_out_of_service', data: { reason } }]
      : [{ ...placed(now), type: 'locker_back_in_service' }];
  // sent with it and carried out after it: nobody gives the door to another use while it is held
  const [locker] = await Promise.all([reread(tx, scope, id), changed, record(tx, scope, told, [{ kind: 'lockers', id, method: 'PUT' }])]);
  return locker;
};

/** A person's word settles what the record did not know. */
export const settleContent = async (
  tx: Tx,
  scope: Scope,
  // Of several words at once, the doubt is settled by the first alone.
  { locker: before }: Held,
  content: 'empty' | 'occupied',
  note: string | null,
): Promise<Locker> => {
  const { id } = before;
  await setContent(tx, scope, id, { kind: 'word', content });
  const after = await reread(tx, scope, id);
  const settled = before.inDoubt && !after.inDoubt;
  await record(
    tx,
    scope,
    [
      {
        ...placed(before),
        type: content === 'empty' ? 'locker_empty' : 'locker_occupied',
        data: { by: 'word', settled, ...(note ? { note } : {}) },
      },
    ],
    [],
  );
  return after;
};
