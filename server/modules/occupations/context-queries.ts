import type { PickupCompany } from '@hatchway/contract/pickup.ts';
import { sql } from 'kysely';
import { isStock } from '@hatchway/domain/doors.ts';
import type { Span } from '@hatchway/domain/deadlines.ts';
import type { Context, Capacity, TakenOut, TargetLocker } from '@hatchway/domain/occupation-types.ts';
import { admittedBy, dependsOnPerson, rulesOf, type Policy, type Rules, type Silences } from '@hatchway/domain/policy.ts';
import { inDoubt, mayBeGone } from '@hatchway/domain/locker.ts';
import { letsOut, STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { madeOnce } from '../../db/made-once.ts';
import type { CompanySettings } from '../../db/tables/people.ts';
import type { Scope } from '../../scope.ts';
import { activeNow } from '../../stages.ts';
import { toRules } from '../policies/queries.ts';
import type { OccupationRow } from './row-queries.ts';

const policies = madeOnce(
  (tx, { tenantId, lockerIds }: { tenantId: string; lockerIds: readonly string[] }) =>
  tx
    .selectFrom('policies')
    .select([
      'id', 'name', 'ref', 'services', 'group_ids', 'reserve_minutes', 'pickup_hours', 'loan_hours', 'reminders', 'claim_seconds',
      'claim_grace_seconds', 'max_active_per_person', 'price', 'inspect_returns', 'staff_confirms_claim', 'login_hint',
      // A policy may name thousands of lockers: those asked about are enough, and none of them is not the same as no list at all.
      sql<string[]>`case when cardinality(locker_ids) = 0 then '{}'::uuid[] else array(select unnest(locker_ids) intersect select unnest(${lockerIds}::uuid[])) || id end`.as('locker_ids'),
    ])
    .where('tenant_id', '=', tenantId)
    .compile(), // prettier-ignore
);
/** Policies that can matter to these lockers: those for every locker, those that name one of them, and those that are asked for by name. */
export const policiesFor = async (tx: Tx, tenantId: string, lockerIds: readonly string[]): Promise<Policy[]> =>
  (await policies(tx, { tenantId, lockerIds })).map((row) => ({ ...toRules(row), ref: row.ref }));

const wishOf = (row: OccupationRow, groupIds: readonly string[]) => ({
  ref: row.policy_ref ?? row.locker_policy_ref,
  service: row.service,
  lockerId: row.locker_id ?? '',
  groupIds,
});

/** `silences` for whoever asks when silence settles it; `groupIds` of who it is to be for, where that is another than the row names. */
export const rulesOfRow = (
  policies: readonly Policy[],
  row: OccupationRow,
  silences?: Silences,
  groupIds: readonly string[] = row.person_groups,
): Rules => rulesOf(policies, wishOf(row, groupIds), row.type, silences);

/** For how long a lending goes out; null where that is settled by the groups of whoever borrows it. */
export const loanHoursOf = (policies: readonly Policy[], row: OccupationRow): number | null =>
  row.loan_hours ?? (dependsOnPerson(policies, wishOf(row, [])) ? null : rulesOfRow(policies, row).loanHours);

/** By which of them somebody in these groups may take it by themselves. */
export const admittingAt = (policies: readonly Policy[], row: OccupationRow, groupIds: readonly string[]): readonly Policy[] =>
  admittedBy(policies, wishOf(row, groupIds));

export type CompanyFacts = {
  name: string;
  country: string;
  locale: 'en' | 'nb';
  timeZone: string;
  settings: CompanySettings;
  logoId: string | null;
  suspended: boolean;
};
/** As anybody may see it. */
export const shownCompany = ({ name, timeZone, logoId, settings }: CompanyFacts): PickupCompany => ({
  name,
  timeZone,
  hasLogo: logoId !== null,
  color: settings.color ?? null,
});

export const companyFacts = async (tx: Tx, tenantId: string): Promise<CompanyFacts> => {
  const row = await tx
    .selectFrom('companies')
    .select(['name', 'country', 'locale', 'time_zone', 'settings', 'suspended_at', 'logo_file_id'])
    .where('id', '=', tenantId)
    .executeTakeFirst();
  return {
    name: row?.name ?? '',
    country: row?.country ?? 'NO',
    locale: row?.locale ?? 'nb',
    timeZone: row?.time_zone ?? 'UTC',
    settings: row?.settings ?? {},
    logoId: row?.logo_file_id ?? null,
    suspended: (row?.suspended_at ?? null) !== null,
  };
};

/** A locker that something is to go over to. The caller has locked it. Null where there is none. */
export const targetOf = async (tx: Tx, tenantId: string, lockerId: string): Promise<TargetLocker | null> => {
  const row = await tx
    .selectFrom('lockers as l')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'l.tenant_id').onRef('o.locker_id', '=', 'l.id').on(activeNow))
    .select(['l.id', 'l.door_tag', 'l.content', 'l.out_of_service', 'l.services', 'o.id as occupation_id'])
    .where('l.tenant_id', '=', tenantId)
    .where('l.id', '=', lockerId)
    .executeTakeFirst();
  if (!row) return null;
  const occupied = row.occupation_id !== null;
  return {
    id: row.id,
    doorTag: row.door_tag,
    free: !occupied,
    inDoubt: inDoubt(row.content, null),
    outOfService: row.out_of_service !== null,
    services: row.services,
  };
};

export type Known = {
  rules: Rules;
  activeOfPerson?: number;
  offline?: readonly Span[];
  target?: TargetLocker | null;
  retentionDays?: number;
  /** The one that a claim is to stand on. */
  paymentId?: string;
  wasSilent?: boolean;
  unanswered?: boolean;
  opening?: boolean;
  out?: TakenOut | null;
};

/** Everything that the rules ask about one row, put together from what was read with it. */
export const contextOf = (
  row: OccupationRow,
  scope: Scope,
  as: Capacity,
  expectedVersion: number | null,
  claiming: boolean,
  known: Known,
): Context => ({
  now: scope.now,
  actor: scope.actor,
  as,
  expectedVersion,
  rules: known.rules,
  openLoan: row.loan_id !== null,
  payment: paymentOf(row, scope, as, claiming, known.paymentId ?? null),
  target: known.target ?? null,
  ...heardOf(row),
  mayBeGone: row.content !== null && mayBeGone(row, row.content),
  activeOfPerson: known.activeOfPerson ?? 0,
  takingOut: row.taking_out !== null,
  out: known.out ?? null,
  openedByHolder: openedByHolder(row),
  lendable: letsOut(row.label_type),
  offline: known.offline ?? [],
  wasSilent: known.wasSilent ?? false,
  unanswered: known.unanswered ?? false,
  opening: known.opening ?? false,
  retentionDays: known.retentionDays ?? 90,
});

/** Its door was last opened by whoever holds its link or code: a person without an account here. */
export const openedByHolder = ({ opened_by: by }: Pick<OccupationRow, 'opened_by'>): boolean => by?.kind === 'person' && by.id === null;

export type Heard = Pick<Context, 'sensed' | 'sensedSince' | 'sensedBefore' | 'unheard' | 'doubt' | 'spoken'>;
/** What sensor and people said of what lies inside, as far as the clock asks for it. */
export const heardOf = (row: OccupationRow): Heard => {
  const sensed = sensedOf(row);
  const silent = row.has_sensors === true && (sensed === null || sensed === 'unknown');
  return {
    sensed,
    sensedSince: sensed !== null && sensed === row.sensed ? row.sensed_since : null,
    sensedBefore: row.sensed_as_opened,
    unheard: silent ? row.sensed : null,
    doubt: doubtOf(row),
    spoken: spokenOf(row),
  };
};

/** What the occupancy sensor says now; null where there is none, or it cannot be heard. */
const sensedOf = (row: Pick<OccupationRow, 'has_sensors' | 'connection' | 'occupancy'>): Context['sensed'] =>
  row.has_sensors === true && row.connection === 'online' ? row.occupancy : null;

type Believed = Pick<
  OccupationRow,
  'stage' | 'stage_at' | 'content' | 'content_at' | 'content_why' | 'doubted_at' | 'sensed' | 'sensed_since'
>;
/** Doubts that no visit ends: it is no emptier for being filled anew, and what was never sensed is not taken. */
const LASTING: ReadonlySet<Believed['content_why']> = new Set(['not-empty', 'still-sensed', 'not-sensed']);
/**
 * What came up during this visit to leave in doubt what lies inside; of what was in doubt before it, that alone which bears on the visit:
 * that something lay there already, or nothing.
 */
const doubtOf = (row: Believed): Context['doubt'] => {
  if (row.stage === STAGES.INITIATED && layThere(row)) return 'still-sensed';
  // Empty by the record before its door was opened for the claim: that it is empty now tells of nobody who took it.
  if (row.stage === STAGES.CLAIMING && row.content === 'empty' && isBefore(row.content_at, row.stage_at)) return 'not-sensed';
  const cameUp = [row.content_at, row.doubted_at].some((at) => at !== null && !isBefore(at, row.stage_at));
  return row.content === 'unknown' && (LASTING.has(row.content_why) || cameUp) ? row.content_why : null;
};
/** Before its door was opened to fill it, whatever was believed of it meanwhile: what is sensed now may be no more than that. */
const layThere = ({ sensed, sensed_since, content, content_at, stage_at }: Believed): boolean =>
  sensed === 'occupied' ? isBefore(sensed_since, stage_at) : content === 'occupied' && isBefore(content_at, stage_at);
const isBefore = (at: string | null, then: string): boolean => at !== null && at < then;

/** Staff have said what lies inside since its door was last opened in this visit, or opened it last in a claim to look for themselves. */
const spokenOf = (row: Pick<OccupationRow, 'said_at' | 'door_opened_at' | 'stage_at' | 'opened_aside'>): boolean =>
  row.opened_aside || (row.said_at !== null && row.said_at >= (row.door_opened_at ?? row.stage_at));

/**
 * The payment that the claim stands on; for a claim the one that an earlier claim left with the one thing inside (a storage was visited on
 * it, or staff captured it), else the claimer's own. Staff take the one that they name, or the only one that is reserved; a signed-in person
 * theirs alone, one whose pieces are set aside before one that came too late for them; who comes with a link or code whatever was paid for
 * the one thing inside, but nothing of a stock, where other customers' payments lie beside each other; a buyer the one that their purchase is.
 */
const paymentOf = (row: OccupationRow, scope: Scope, as: Capacity, claiming: boolean, named: string | null): Context['payment'] => {
  if (!claiming) return row.payments.find((payment) => payment.id === row.claim_payment_id) ?? null;
  const own = (account: string | null) =>
    as !== 'holder' || named !== null || (scope.actor.id === null ? !isStock(row.type) : account === scope.actor.id);
  const visited = row.payments.find(({ id }) => id === row.claim_payment_id);
  if (visited && (named === null || named === visited.id) && (visited.state === 'reserved' || visited.paid)) return visited;
  const fitting = row.payments.filter(({ id, state, account }) => state === 'reserved' && own(account) && (named === null || id === named));
  return fitting.find((payment) => payment.holds) ?? fitting[0] ?? null;
};
