import { sql, type SqlBool } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Occupation as Wire } from '@hatchway/contract/occupations.ts';
import { mayActOnOccupation, mayAdminister, maySeeOccupation, type Facts } from '@hatchway/domain/access.ts';
import { readScan } from '@hatchway/domain/codes.ts';
import { identifierForm } from '@hatchway/domain/identifier.ts';
import { piecesOf } from '@hatchway/domain/words.ts';
import { endsByItself, stillThere } from '@hatchway/domain/change-claiming.ts';
import { fillsByItself } from '@hatchway/domain/change-filling.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { inDoubt } from '@hatchway/domain/locker.ts';
import { allowedActions } from '@hatchway/domain/offered.ts';
import type { Context } from '@hatchway/domain/occupation-types.ts';
import type { Policy, Silences } from '@hatchway/domain/policy.ts';
import { isActive, STAGES, stageName } from '@hatchway/domain/terms.ts';
import { settlesAt, type Visit } from '@hatchway/domain/witness.ts';
import type { Tx } from '../../db/database.ts';
import { anyOf } from '../../db/made-once.ts';
import type { Deps } from '../../deps.ts';
import { having, page, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';
import { occupationsInSight } from '../../sight.ts';
import { contextOf, heardOf, type Heard, loanHoursOf, policiesFor, rulesOfRow } from './context-queries.ts';
import { openOfMembers } from './person-queries.ts';
import { occupationRow, occupationRows, toOccupation, type OccupationRow } from './row-queries.ts';
import { hashCode, hashToken, tenantOfToken } from '../../tokens.ts';
import { activeNow } from '../../stages.ts';

type Asked = { scope: Scope; facts: Facts; /** Left out where nobody is told when silence settles it. */ silences?: Silences };
/** An ended occupation outlives its locker; whoever reads it still gets an id, one that names nothing. */
const NO_LOCKER = '00000000-0000-0000-0000-000000000000';

/** How the door that was opened to fill it, or for its claim, is settled once it is closed again: at what time by silence, or by a word alone. */
export const settling = (o: Visit, known: Heard & Pick<Context, 'rules'>) => {
  const { stage } = o;
  const claimed = stage === STAGES.CLAIMING;
  const at = settlesAt(o, known);
  if (at === null || !(claimed || stage === STAGES.INITIATED)) return { awaitsWord: false, finishesAt: null, stillInside: false };
  const byItself = claimed ? endsByItself(o, known) : fillsByItself(o, known);
  return {
    awaitsWord: !byItself,
    finishesAt: byItself ? at : null,
    stillInside: claimed && stillThere(o, known),
  };
};

const toWire = (row: OccupationRow, policies: readonly Policy[], { scope, facts, silences }: Asked): Wire => {
  const o = toOccupation(row);
  const rules = rulesOfRow(policies, row, silences);
  const acts = mayActOnOccupation(o, facts) ? allowedActions(o, contextOf(row, scope, 'staff', null, true, { rules })) : [];
  return {
    id: o.id,
    tenantId: o.tenantId,
    type: o.type,
    service: o.service,
    stage: o.stage,
    stageName: stageName(o.stage),
    version: o.version,
    resumeStage: o.resumeStage,
    lockerId: row.locker_id ?? NO_LOCKER,
    doorTag: o.doorTag,
    assetId: o.assetId,
    assetText: o.assetText,
    assetName: row.asset_name,
    orderRef: o.orderRef,
    orderCalledOff: row.order_called_off,
    externalRef: o.externalRef,
    receiver: o.receiver,
    quantity: isStock(o.type) ? o.quantity : null,
    held: o.held,
    refillLevel: o.refillLevel,
    loanHours: o.type === 'lending' ? loanHoursOf(policies, row) : null,
    price: o.price,
    paymentIds: row.payments.map((payment) => payment.id),
    policyRef: o.policyRef,
    claimedBy: o.claimedBy,
    reservedUntil: o.reservedUntil,
    pickupBy: o.pickupBy,
    dueAt: row.due_at,
    overdue: row.overdue,
    takingOut: row.taking_out,
    ...settling(o, { rules, ...heardOf(row) }),
    inDoubt: isActive(o.stage) && row.content !== null && inDoubt(row.content, o),
    contactError: o.contactError === null ? [] : [o.contactError],
    note: o.note,
    endReason: row.end_reason,
    continuedBy: row.continued_by,
    createdBy: o.createdBy,
    createdAt: o.createdAt,
    updatedAt: row.updated_at,
    stageAt: row.stage_at,
    actions: [...acts],
  };
};

/** Wire shapes of many rows: what the rules need beside them is read once for all. */
const wired = async (tx: Tx, rows: readonly OccupationRow[], asked: Asked, known?: readonly Policy[]): Promise<Wire[]> => {
  if (rows.length === 0) return [];
  const lockers = [...new Set(rows.map((row) => row.locker_id).filter((id) => id !== null))];
  const policies = known ?? (await policiesFor(tx, asked.scope.tenantId, lockers));
  return rows.map((row) => toWire(row, policies, asked));
};

/**
 * Each word begins one of the occupation's own words, or one of its asset's: the asset may have been renamed since. Word by word, since
 * one may be the receiver's and the next the thing's.
 */
export const carrying = (text: string) => {
  const each = piecesOf(text).map(
    (word) => sql`(select search_occupations(${word}) union select id from occupations
      where tenant_id = current_tenant() and asset_id in (select search_assets(${word})
        union all select i.asset_id from asset_identifiers i where i.tenant_id = current_tenant() and i.form = ${identifierForm(word)}))`,
  );
  return sql.join(each, sql` intersect `);
};

/** Whose account it is, only who may see the members learns. */
const ofMembers = (tenantId: string, facts: Facts) =>
  mayAdminister('memberships', facts)
    ? having(sql.ref('o.id'), 'memberId', sql<SqlBool>`(o.id not in ${openOfMembers(tenantId, null)})`, (ids) =>
        openOfMembers(tenantId, ids.map(String)),
      )
    : () => sql<SqlBool>`false`;

const listOf = ({ tenantId }: Scope, facts: Facts): ListSpec => ({
  fields: {
    memberId: ofMembers(tenantId, facts),
    id: sql.ref('o.id'),
    type: sql.ref('o.type'),
    service: sql.ref('o.service'),
    stage: sql.ref('o.stage'),
    lockerId: sql.ref('o.locker_id'),
    assetId: sql.ref('o.asset_id'),
    doorTag: sql.ref('o.door_tag'),
    overdue: sql.ref('o.overdue'),
    pickupBy: sql.ref('o.pickup_by'),
    createdAt: sql.ref('o.created_at'),
    updatedAt: sql.ref('o.updated_at'),
    orderRef: sql.ref('o.order_ref'),
    externalRef: sql.ref('o.external_ref'),
  },
  sorts: {
    createdAt: { column: sql.ref('o.created_at'), type: 'timestamptz' },
    updatedAt: { column: sql.ref('o.updated_at'), type: 'timestamptz' },
    deadline: { column: sql`coalesce(o.loan_due_at, o.pickup_by, '9999-12-31T00:00:00Z'::timestamptz)`, type: 'timestamptz' },
    pickupBy: { column: sql`coalesce(o.pickup_by, '9999-12-31T00:00:00Z'::timestamptz)`, type: 'timestamptz' },
  },
  id: sql.ref('o.id'),
  text: (words) => sql<SqlBool>`o.id in (${carrying(words)})`,
});

export const listOccupations = async (tx: Tx, asked: Asked, query: ListQuery) => {
  const { tenantId } = asked.scope;
  const found = await page(
    tx,
    occupationRows(tx, tenantId).where(occupationsInSight(asked.facts)),
    listOf(asked.scope, asked.facts),
    query,
    tenantId,
    (row) => row,
  );
  return { ...found, rows: await wired(tx, found.rows, asked) };
};

/** Throws `not-found` also for one out of the caller's sight. `policies`: those of its locker, where this transaction has read them. */
export const oneOccupation = async (tx: Tx, asked: Asked, id: string, policies?: readonly Policy[]): Promise<Wire> => {
  const row = await occupationRow(tx, asked.scope.tenantId, id);
  if (!row || !maySeeOccupation({ type: row.type, lockerId: row.locker_id }, asked.facts)) throw absent();
  const [wire] = await wired(tx, [row], asked, policies);
  if (!wire) throw absent();
  return wire;
};

/** In any order; absent ones are left out. */
export const occupationsByIds = async (tx: Tx, asked: Asked, ids: readonly string[]): Promise<Wire[]> =>
  wired(
    tx,
    await occupationRows(tx, asked.scope.tenantId)
      .where(sql<SqlBool>`o.id = ${anyOf(ids)}`)
      .where(occupationsInSight(asked.facts))
      .execute(),
    asked,
  );

const FOUND_AT_MOST = 50;

/** Running occupations by what was scanned or typed. Whose link or code it was is not told to whoever may not see the occupation. */
export const findOccupations = async (tx: Tx, deps: Deps, asked: Asked, text: string): Promise<Wire[]> => {
  const { tenantId } = asked.scope;
  const scan = readScan(text);
  const running = occupationRows(tx, tenantId).where(activeNow).where(occupationsInSight(asked.facts));
  const newest = (query: typeof running) => query.orderBy('o.created_at', 'desc').orderBy('o.id', 'desc').limit(FOUND_AT_MOST).execute();
  const words = (value: string) =>
    newest(running.where(sql<SqlBool>`(o.external_ref = ${value} or o.order_ref = ${value} or o.id in (${carrying(value)}))`));
  const rows = async (): Promise<OccupationRow[]> => {
    switch (scan.kind) {
      case 'token':
        return tenantOfToken(scan.value) === tenantId
          ? newest(running.where('o.id', 'in', tokenOwner(tx, deps, tenantId, scan.value)))
          : [];
      case 'link':
        return [];
      case 'cabinet':
        return newest(running.where(sql<SqlBool>`c.number = ${Number(scan.value)}`));
      case 'code': {
        const owned = await newest(running.where(sql<SqlBool>`o.code_hash = ${hashCode(deps, tenantId, scan.value)}`));
        return owned.length > 0 ? owned : words(scan.value);
      }
      case 'tag': {
        const tagged = await newest(running.where('o.door_tag', '=', scan.value));
        return tagged.length > 0 ? tagged : words(scan.value);
      }
      case 'text':
        return words(scan.value);
    }
  };
  return wired(tx, await rows(), asked);
};

const tokenOwner = (tx: Tx, deps: Deps, tenantId: string, token: string) =>
  tx.selectFrom('occupations').select('id').where('tenant_id', '=', tenantId).where('token_hash', '=', hashToken(deps, token));
