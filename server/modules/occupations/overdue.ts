import { sql } from 'kysely';
import { effectiveDeadline, HOUR, isOverdue, later, type Span } from '@hatchway/domain/deadlines.ts';
import { OFFERED } from '@hatchway/domain/lifecycle.ts';
import { mayBeGone } from '@hatchway/domain/locker.ts';
import { reminderDue, type Rules } from '@hatchway/domain/policy.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Channel, Occupation } from '@hatchway/domain/occupation-types.ts';
import { isAsked, letsOut, STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';
import { activeNow, stageNo } from '../../stages.ts';
import { isUnderWay, reminderCause, remindersOf } from '../messages/commands.ts';
import { companyFacts, policiesFor, rulesOfRow } from './context-queries.ts';
import { outagesOf, outagesOfMany } from './outage-queries.ts';
import { lockOccupation, occupationRow, occupationRows, toOccupation, type OccupationRow } from './row-queries.ts';
import { channelsFor, tellReceiver } from './telling-commands.ts';

/** Rows of one reading. */
const BATCH = 500;

type Due = { overdue: boolean; reminder: number | null; lent: boolean };

/** Whether it is late now, and which reminder is to go out, by its hours around the deadline. */
const dueNow = (row: OccupationRow, rules: Rules, offline: readonly Span[], suspended: boolean, now: string): Due => {
  const o = toOccupation(row);
  const lent = row.due_at !== null;
  const pickup = o.pickupBy !== null && OFFERED.includes(o.stage) ? { since: o.pickupFrom ?? o.pickupBy, until: o.pickupBy } : null;
  const clock = pickup === null ? null : effectiveDeadline(pickup, offline, now);
  const until = lent ? row.due_at : clock?.standing ? null : (clock?.at ?? null);
  const last = lent ? row.loan_reminded_hours : row.reminded_hours;
  // What was brought waits for staff: whoever brought it has nothing to fetch, and their link opens nothing any more.
  // Nor is anybody sent to what they would not be given.
  const keptIn = (row.content !== null && mayBeGone(row, row.content)) || (row.type === 'lending' && !letsOut(row.label_type));
  const silent = until === null || suspended || isAsked(row.type) || (!lent && keptIn);
  const since = lent ? (row.loan_due_from ?? row.loan_out_at) : o.pickupFrom;
  const reminder = silent ? null : reminderDue(rules.reminders, { since, until }, last, now);
  return { overdue: isOverdue({ ...o, dueAt: row.due_at }, offline, now), reminder, lent };
};

/** Those that something is to be done about, `limit` of them. Read in large helpings without a lock; each is looked at again when its turn comes. */
export const late = (deps: Deps, { tenantId, now }: Scope, limit: number): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const policies = await policiesFor(tx, tenantId, []);
    const { suspended } = await companyFacts(tx, tenantId);
    const ahead = Math.max(24, ...policies.flatMap((policy) => (policy.reminders ?? []).map((hours) => -hours)));
    const horizon = later(now, ahead * HOUR);
    const { rows: due } = await sql<{ id: string }>`
      select o.id from occupations o where o.tenant_id = ${tenantId} and ${activeNow} and o.pickup_by <= ${horizon}
      union select o.id from occupations o where o.tenant_id = ${tenantId} and o.stage = ${stageNo('INITIATED')} and (o.reserved_until <= ${now} or o.overdue)
      union select n.occupation_id from loans n where n.tenant_id = ${tenantId} and n.returned_at is null and n.due_at <= ${horizon}
      order by 1`.execute(tx);
    const timed = due.map(({ id }) => id);
    const found: string[] = [];
    for (let at = 0; at < timed.length && found.length < limit; at += BATCH) {
      const rows = await occupationRows(tx, tenantId)
        .where('o.id', 'in', timed.slice(at, at + BATCH))
        .execute();
      const lockers = rows.map((row) => row.locker_id).filter((id) => id !== null);
      const ruled = await policiesFor(tx, tenantId, lockers);
      const outages = await outagesIn(tx, tenantId, rows);
      for (const row of rows) {
        const { reminder, overdue } = dueNow(row, rulesOfRow(ruled, row), outages.get(row.cabinet_id ?? '') ?? [], suspended, now);
        if (reminder !== null || overdue !== row.overdue) found.push(row.id);
      }
    }
    return found.slice(0, limit);
  });

const outagesIn = (tx: Tx, tenantId: string, rows: readonly OccupationRow[]): Promise<Map<string, Span[]>> => {
  const cabinets = new Set(rows.map((row) => row.cabinet_id).filter((id) => id !== null));
  const since = rows.map((row) => row.reserved_from ?? row.created_at).toSorted()[0] ?? null;
  return outagesOfMany(tx, tenantId, [...cabinets], since);
};

/** Whom a reminder is for: the receiver, or who borrowed it themselves, by their account. */
const addressee = async (tx: Tx, tenantId: string, row: OccupationRow): Promise<Receiver | null> => {
  const { receiver } = toOccupation(row);
  if (receiver !== null || row.loan_id === null) return receiver;
  const account = await tx
    .selectFrom('loans as n')
    .innerJoin('accounts as a', 'a.id', 'n.borrower_account_id')
    .select(['a.name', 'a.tlf', 'a.email'])
    .where('n.tenant_id', '=', tenantId)
    .where('n.id', '=', row.loan_id)
    .executeTakeFirst();
  return account ?? null;
};

/**
 * Staff's word that whoever has it shall be reminded, whatever the clock has sent or will. While one is under way there is nothing to
 * repeat: 409 `message-not-sendable`. Of whom nothing is known but that a key lent it to them, nobody can be: 422 `receiver-needed`.
 */
export const remindByHand = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, wish: Channel | null): Promise<void> => {
  const row = await occupationRows(tx, scope.tenantId).where('o.id', '=', o.id).executeTakeFirstOrThrow();
  if (await isUnderWay(tx, scope.tenantId, o.id, 'reminder')) throw new Problem('message-not-sendable', 'They are being reminded already');
  const receiver = await addressee(tx, scope.tenantId, row);
  if (receiver === null || channelsFor(receiver, wish).length === 0) throw new Problem('receiver-needed');
  await tellReceiver(tx, deps, scope, { ...o, receiver }, 'reminder', wish, `${remindersOf(o.id, row.due_at ?? '')}by-hand:${scope.now}`);
};

/** Sends what reminder is due, and marks lateness or that it is over. Looked at anew under the lock: doing it twice does it once. Says whether it did. */
export const remindAndMark = (deps: Deps, scope: Scope, id: string): Promise<boolean> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const { tenantId, now } = scope;
    if (!(await lockOccupation(tx, tenantId, id))) return false;
    const row = await occupationRow(tx, tenantId, id);
    if (!row || row.stage >= STAGES.TERMINATED) return false;
    const offline = await outagesOf(tx, tenantId, row.cabinet_id, row.reserved_from);
    const rules = rulesOfRow(await policiesFor(tx, tenantId, row.locker_id === null ? [] : [row.locker_id]), row);
    const { suspended } = await companyFacts(tx, tenantId);
    const { overdue, reminder, lent } = dueNow(row, rules, offline, suspended, now);
    if (reminder !== null) {
      const reminded = { reminded_hours: reminder };
      if (lent)
        await tx
          .updateTable('loans')
          .set({ ...reminded, updated_at: now })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', row.loan_id)
          .execute();
      else await tx.updateTable('occupations').set(reminded).where('tenant_id', '=', tenantId).where('id', '=', id).execute();
      const told = { ...toOccupation(row), receiver: await addressee(tx, tenantId, row) };
      await tellReceiver(tx, deps, scope, told, 'reminder', null, reminderCause(id, row.due_at ?? row.pickup_by ?? '', reminder));
    }
    if (overdue === row.overdue) return reminder !== null;
    await tx
      .updateTable('occupations')
      .set((eb) => ({ overdue, updated_at: now, version: eb('version', '+', 1) }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute();
    await record(
      tx,
      scope,
      [],
      [
        { kind: 'occupations', id, method: 'PUT' },
        ...(row.locker_id === null ? [] : ([{ kind: 'lockers', id: row.locker_id, method: 'PUT' }] as const)),
      ],
    );
    return true;
  });
