import { sql } from 'kysely';
import { effectiveDeadline, later, SECOND } from '@hatchway/domain/deadlines.ts';
import type { Command, Effect } from '@hatchway/domain/occupation-types.ts';
import { settlesAt } from '@hatchway/domain/witness.ts';
import type { Deps } from '../../deps.ts';
import type { Tx } from '../../db/database.ts';
import { LEFT_MS } from '../../jobs/waiting.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { stageNo } from '../../stages.ts';
import { attempt } from './commands.ts';
import { heardOf, policiesFor, rulesOfRow } from './context-queries.ts';
import { openingUntil } from './door-queries.ts';
import { outagesOf } from './outage-queries.ts';
import { lookAgain, SWEPT_MS } from './effects.ts';
import { occupationRow, toOccupation, type OccupationRow } from './row-queries.ts';

export type ClockCommand = Extract<Effect, { kind: 'look-again' }>['command'];

/** Tried in this order, of which the rule lets one at most: a claim whose content a sensor still senses ends as put back. */
const COMMANDS_OF: Readonly<Record<ClockCommand, readonly Command[]>> = {
  fill: [{ kind: 'fill' }],
  finnish: [{ kind: 'finnish' }, { kind: 'return' }],
  'claim-failed': [{ kind: 'claim-failed', why: 'time' }],
  'expire-reservation': [{ kind: 'expire-reservation' }],
};

/** When it could hold at the earliest, as things stand; null where only news can change that, and news brings a look of its own. */
const nextLook = async (tx: Tx, deps: Deps, scope: Scope, row: OccupationRow, command: ClockCommand): Promise<string | null> => {
  if (command === 'expire-reservation') {
    if (row.reserved_until === null) return null;
    const since = row.reserved_from ?? row.created_at;
    const offline = await outagesOf(tx, scope.tenantId, row.cabinet_id, since);
    const { at, standing } = effectiveDeadline({ since, until: row.reserved_until }, offline, scope.now);
    // A clock that stands still is looked at by the sweep until it goes on.
    return standing ? null : at;
  }
  const rules = rulesOfRow(await policiesFor(tx, scope.tenantId, row.locker_id === null ? [] : [row.locker_id]), row, deps.pace);
  if (command === 'fill' || command === 'finnish') return settlesAt(toOccupation(row), { rules, ...heardOf(row) });
  if (row.claim_opened_at === null) return null;
  const over = later(row.claim_opened_at, rules.claimSeconds * SECOND);
  const opening = await openingUntil(tx, scope, row, 'unseen');
  return opening !== null && opening > over ? opening : over;
};

/**
 * The server looks again at a time that was named before, and issues the command; the rule decides whether it holds now. Where it is
 * too early it is put off; where it no longer fits (somebody was quicker) nothing happens, so that doing it twice does it once.
 * What fills by itself was filled by who opened the door. Says whether it held.
 */
export const lookNow = async (deps: Deps, tenantId: string, occupationId: string, command: ClockCommand): Promise<boolean> => {
  const now = deps.now().toISOString();
  const server = systemScope(tenantId, now);
  const held = await deps.db.tenant(tenantId, async (tx) => {
    const row = await occupationRow(tx, tenantId, occupationId);
    if (!row) return false;
    const scope = command === 'fill' && row.opened_by !== null ? { ...server, actor: row.opened_by } : server;
    for (const meant of COMMANDS_OF[command]) {
      const tried = await attempt(tx, deps, scope, occupationId, meant, { as: 'server' });
      if (tried.ok || tried.refusal.code !== 'not-yet') return tried.ok;
    }
    const at = await nextLook(tx, deps, scope, row, command);
    if (at !== null && Date.parse(at) > Date.parse(now)) await lookAgain(tx, deps, scope, occupationId, command, at);
    return false;
  });
  deps.outbox.wake();
  return held;
};

/**
 * Reservations whose time is over, or will be by the sweep after the next one. One that is looked at early is looked at again at its end.
 * Those whose clock stands still wait for the minute after their cabinet came back, so that they keep no others waiting.
 */
export const ranOut = (deps: Deps, { tenantId, now }: Scope, atMost: number): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const soon = later(now, SWEPT_MS);
    const { rows } = await sql<{ id: string }>`
      select o.id from occupations o join lockers l on l.tenant_id = o.tenant_id and l.id = o.locker_id
      where o.tenant_id = ${tenantId} and o.stage = ${stageNo('RESERVED')} and o.reserved_until <= ${soon}
        and not exists (select from outages u where u.tenant_id = l.tenant_id and u.cabinet_id = l.cabinet_id and u.ended_at is null)
      order by o.reserved_until limit ${atMost}`.execute(tx);
    return rows.map(({ id }) => id);
  });

/** What waits to be looked at behind a shut door, and since when. Of reservations `ranOut` sees to it. The index of migration 043 is made for these. */
const LOOKED_AT = {
  fill: sql`o.stage = ${stageNo('INITIATED')} and o.door_closed_at`,
  finnish: sql`o.stage = ${stageNo('CLAIMING')} and o.type <> 'storage' and o.door_closed_at`,
  'claim-failed': sql`o.stage = ${stageNo('CLAIMING')} and o.door_opened_at is null and o.claim_opened_at`,
} as const;
export const LOOKS = Object.keys(LOOKED_AT) as (keyof typeof LOOKED_AT)[];

/**
 * Those that nobody looked at though their time is long over: the job gave up, or was lost with its process. What looking did not help, as
 * it does not where staff are waited for, is taken again as long after. The latest first.
 */
export const leftAlone = (deps: Deps, { tenantId, now }: Scope, command: keyof typeof LOOKED_AT, atMost: number): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const before = new Date(Date.parse(now) - LEFT_MS).toISOString();
    const { rows } = await sql<{ id: string }>`
      update occupations set looked_at = ${now} where tenant_id = ${tenantId} and id in (
        select o.id from occupations o where o.tenant_id = ${tenantId} and ${LOOKED_AT[command]} <= ${before}
          and (o.looked_at is null or o.looked_at <= ${before})
        order by coalesce(o.door_closed_at, o.claim_opened_at) desc limit ${atMost} for update skip locked)
      returning id`.execute(tx);
    return rows.map(({ id }) => id);
  });
