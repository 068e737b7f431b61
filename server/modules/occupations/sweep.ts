import { sql } from 'kysely';
import { DAY, effectiveDeadline, HOUR, isOverdue, later, type Span } from '@hatchway/domain/deadlines.ts';
import { reminderDue, type Rules } from '@hatchway/domain/policy.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { endHold } from '../payments/commands.ts';
import { paymentsOver } from '../payments/queries.ts';
import { alertPlaces } from '../cabinets/alert-commands.ts';
import { forgetPairing } from '../cabinets/pairing-commands.ts';
import { takeUpLeft } from '../messages/left-commands.ts';
import { sweepDeliveries } from '../webhooks/sweep-commands.ts';
import { archive, forgetVisitors } from './archive.ts';
import { lookNow } from './clock.ts';
import { companyFacts, outagesOf, policiesFor, rulesOfRow } from './context-queries.ts';
import { lockOccupation, occupationRows, toOccupation, type OccupationRow } from './row-queries.ts';
import { tellReceiver } from './telling-commands.ts';

/** As many at a time as a minute easily holds; the rest is the next minute's. */
const BATCH = 500;

/**
 * What time alone brings about, for one company: lateness is marked, reservations that ran out end, reminders go out (none while it is
 * suspended), messages that were left lying are taken up, old records lose their personal data, spent keys, codes and counts are dropped. Each row is a transaction of its own: cut off anywhere, the next round goes on.
 */
export const sweep = async (deps: Deps, tenantId: string): Promise<void> => {
  const scope = systemScope(tenantId, deps.now().toISOString());
  const parts: (() => Promise<unknown>)[] = [
    async () => each(deps, await ranOut(deps, scope), (id) => lookNow(deps, tenantId, id, 'expire-reservation')),
    async () => each(deps, await late(deps, scope), (id) => remindAndMark(deps, scope, id)),
    () => alertPlaces(deps, scope),
    async () => {
      const before = await retainedUntil(deps, scope);
      await each(deps, await retained(deps, scope, before), (id) => archive(deps, scope, id));
      await forgetVisitors(deps, scope, before);
    },
    async () => each(deps, await holdsOver(deps, scope), (id) => endHold(deps, tenantId, id)),
    () => takeUpLeft(deps, scope),
    () => forgetPairing(deps, scope),
    () => forgetSecrets(deps, scope),
    () => forgetSpent(deps, scope),
    () => sweepDeliveries(deps, scope),
  ];
  // One part that fails must not keep the others waiting; it has its next turn in a minute.
  for (const part of parts) await part().catch((error: unknown) => deps.log.error({ err: error }, 'a part of the sweep failed'));
  deps.outbox.wake();
};

/** One row that cannot be dealt with must not keep the others waiting. */
const each = async (deps: Deps, rows: readonly string[], act: (id: string) => Promise<void>): Promise<void> => {
  for (const id of rows) {
    await act(id).catch((error: unknown) => deps.log.error({ err: error, occupation: id }, 'the sweep met an error'));
  }
};

const ids = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);

/** Those whose clock stands still are left for the minute after their cabinet came back, so that they keep no others waiting. */
const ranOut = (deps: Deps, { tenantId, now }: Scope) =>
  deps.db.tenant(tenantId, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select o.id from occupations o join lockers l on l.tenant_id = o.tenant_id and l.id = o.locker_id
      where o.tenant_id = ${tenantId} and o.stage = 0 and o.reserved_until <= ${now}
        and not exists (select from outages u where u.tenant_id = l.tenant_id and u.cabinet_id = l.cabinet_id and u.ended_at is null)
      order by o.reserved_until limit ${BATCH}`.execute(tx);
    return ids(rows);
  });

const OFFERED: readonly number[] = [STAGES.ACQUIRABLE, STAGES.CONTACTING, STAGES.CONTACTED];
type Due = { overdue: boolean; sent: number[]; place: number | null; lent: boolean };

/** Whether it is late now, and which reminder is to go out. */
const dueNow = (row: OccupationRow, rules: Rules, offline: readonly Span[], suspended: boolean, now: string): Due => {
  const o = toOccupation(row);
  const lent = row.due_at !== null;
  const pickup = o.pickupBy !== null && OFFERED.includes(o.stage) ? { since: o.pickupFrom ?? o.pickupBy, until: o.pickupBy } : null;
  const clock = pickup === null ? null : effectiveDeadline(pickup, offline, now);
  const deadline = lent ? row.due_at : clock?.standing ? null : (clock?.at ?? null);
  const sent = (lent ? (row.loan_reminded ?? []) : row.reminded).filter((place): place is number => typeof place === 'number');
  const place = deadline === null || suspended ? null : reminderDue(rules.reminders, deadline, sent, now);
  return { overdue: isOverdue({ ...o, dueAt: row.due_at }, offline, now), sent, place, lent };
};

/** Those that something is to be done about. Read in large helpings without a lock; each is looked at again when its turn comes. */
const late = (deps: Deps, { tenantId, now }: Scope): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const policies = await policiesFor(tx, tenantId, []);
    const { suspended } = await companyFacts(tx, tenantId);
    const ahead = Math.max(24, ...policies.flatMap((policy) => (policy.reminders ?? []).map((hours) => -hours)));
    const horizon = later(now, ahead * HOUR);
    const { rows: timed } = await sql<{ id: string }>`
      select o.id from occupations o where o.tenant_id = ${tenantId} and o.stage < 98 and o.pickup_by <= ${horizon}
      union select o.id from occupations o where o.tenant_id = ${tenantId} and o.stage = 1 and (o.reserved_until <= ${now} or o.overdue)
      union select n.occupation_id from loans n where n.tenant_id = ${tenantId} and n.returned_at is null and n.due_at <= ${horizon}
      order by 1`.execute(tx);
    const found: string[] = [];
    for (let at = 0; at < timed.length; at += BATCH) {
      const rows = await occupationRows(tx, tenantId)
        .where('o.id', 'in', ids(timed.slice(at, at + BATCH)))
        .execute();
      const lockers = rows.map((row) => row.locker_id).filter((id) => id !== null);
      const ruled = await policiesFor(tx, tenantId, lockers);
      const outages = await outagesIn(tx, tenantId, rows);
      for (const row of rows) {
        const due = dueNow(row, rulesOfRow(ruled, row), outages.get(row.cabinet_id ?? '') ?? [], suspended, now);
        if (due.place !== null || due.overdue !== row.overdue) found.push(row.id);
      }
    }
    return found;
  });

const outagesIn = async (tx: Tx, tenantId: string, rows: readonly OccupationRow[]): Promise<Map<string, Span[]>> => {
  const cabinets = [...new Set(rows.map((row) => row.cabinet_id).filter((id) => id !== null))];
  const spans = new Map<string, Span[]>();
  const since = rows.map((row) => row.reserved_from ?? row.created_at).toSorted()[0] ?? null;
  for (const id of cabinets) spans.set(id, await outagesOf(tx, tenantId, id, since));
  return spans;
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

const remindAndMark = (deps: Deps, scope: Scope, id: string): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const { tenantId, now } = scope;
    if (!(await lockOccupation(tx, tenantId, id))) return;
    const row = await occupationRows(tx, tenantId).where('o.id', '=', id).executeTakeFirst();
    if (!row || row.stage >= STAGES.TERMINATED) return;
    const offline = await outagesOf(tx, tenantId, row.cabinet_id, row.reserved_from);
    const rules = rulesOfRow(await policiesFor(tx, tenantId, row.locker_id === null ? [] : [row.locker_id]), row);
    const { suspended } = await companyFacts(tx, tenantId);
    const { overdue, place, sent, lent } = dueNow(row, rules, offline, suspended, now);
    if (place !== null) {
      const reminded = jsonb<unknown[]>([...sent, place]);
      if (lent)
        await tx
          .updateTable('loans')
          .set({ reminded, updated_at: now })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', row.loan_id)
          .execute();
      else await tx.updateTable('occupations').set({ reminded }).where('tenant_id', '=', tenantId).where('id', '=', id).execute();
      // The deadline stands in the cause: one that was moved is reminded of anew.
      const told = { ...toOccupation(row), receiver: await addressee(tx, tenantId, row) };
      await tellReceiver(tx, deps, scope, told, 'reminder', null, `reminder:${id}:${row.due_at ?? row.pickup_by}:${place}`);
    }
    if (overdue === row.overdue) return;
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
  });

/** What ended or was visited up to this moment has been kept for as long as the company wants. */
const retainedUntil = (deps: Deps, { tenantId, now }: Scope): Promise<string> =>
  deps.db.tenant(tenantId, async (tx) => {
    const days = (await companyFacts(tx, tenantId)).settings.retentionDays ?? 90;
    return new Date(Date.parse(now) - days * DAY).toISOString();
  });

const retained = (deps: Deps, { tenantId }: Scope, before: string) =>
  deps.db.tenant(tenantId, async (tx) =>
    ids(
      await tx
        .selectFrom('occupations')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('stage', '=', STAGES.TERMINATED)
        .where('ended_at', '<=', before)
        .orderBy('ended_at')
        .limit(BATCH)
        .execute(),
    ),
  );

const holdsOver = (deps: Deps, { tenantId, now }: Scope) => deps.db.tenant(tenantId, (tx) => paymentsOver(tx, tenantId, now, BATCH));

/** Links and codes whose last minutes are over: the codes are free for others then. */
const forgetSecrets = (deps: Deps, { tenantId, now }: Scope) =>
  deps.db.tenant(tenantId, (tx) =>
    tx
      .updateTable('occupations')
      .set({ token_sealed: null, token_hash: null, code_sealed: null, code_hash: null, secrets_until: null })
      .where('tenant_id', '=', tenantId)
      .where('secrets_until', '<=', now)
      .execute(),
  );

const forgetSpent = async (deps: Deps, { tenantId, now }: Scope) => {
  await deps.db.tenant(tenantId, (tx) =>
    tx.deleteFrom('idempotency').where('tenant_id', '=', tenantId).where('expires_at', '<=', now).execute(),
  );
  await deps.db.open((tx) => tx.deleteFrom('rate_limits').where('expires_at', '<=', now).execute());
};
