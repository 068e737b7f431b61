import type { ProblemCode } from '@hatchway/contract/problems.ts';

/**
 * What a broken constraint means to whoever asked. Only those are here that a correct program meets: two people at once, a name given
 * twice, a row still in use. Any other broken constraint is a defect and stays an error.
 */
const CODE_OF = {
  occupations_one_active: 'locker-taken',
  occupations_has_locker: 'locker-taken',
  occupations_stock: 'sold-out',
  loans_one_open: 'open-loan',
  loans_asset_out_once: 'open-loan',
  access_links_uses: 'gone',
  payments_sums: 'payment-transition',
  payments_paid_once: 'paid-already',
  idempotency_key: 'still-running',
  companies_pkey: 'name-taken',
  accounts_email: 'name-taken',
  accounts_tlf: 'name-taken',
  memberships_account: 'name-taken',
  groups_name: 'name-taken',
  groups_external: 'name-taken',
  permissions_name: 'name-taken',
  sites_name: 'name-taken',
  cabinets_number: 'name-taken',
  public_refs_pkey: 'name-taken',
  lockers_door_tag: 'name-taken',
  lockers_compartment: 'name-taken',
  policies_ref: 'name-taken',
  status_labels_name: 'name-taken',
  status_labels_default: 'name-taken',
  assets_external: 'identifier-taken',
  asset_identifiers_one: 'identifier-taken',
  asset_groups_name: 'name-taken',
  integrations_kind: 'name-taken',
  integrations_directory_tid: 'name-taken',
  payments_reference: 'name-taken',
  directory_people_user_name: 'name-taken',
  directory_groups_scim_name: 'name-taken',
  group_members_group: 'unknown-reference',
  group_members_member: 'unknown-reference',
  asset_group_members_group: 'unknown-reference',
  asset_group_members_asset: 'unknown-reference',
  access_link_uses_link: 'unknown-reference',
  access_link_uses_locker: 'unknown-reference',
  access_link_uses_occupation: 'unknown-reference',
  occupations_locker: 'unknown-reference',
  occupations_asset: 'unknown-reference',
  loans_occupation: 'unknown-reference',
  payments_occupation: 'unknown-reference',
  cabinets_site: 'unknown-reference',
  lockers_cabinet: 'unknown-reference',
  asset_identifiers_asset: 'unknown-reference',
  assets_status_label: 'unknown-reference',
} as const satisfies Record<string, ProblemCode>;

type KnownConstraint = keyof typeof CODE_OF;
export const KNOWN_CONSTRAINTS = Object.keys(CODE_OF) as KnownConstraint[];

/** Fields of a PostgreSQL error that mean something to us. */
type PgError = Error & { code: string; constraint?: string; table?: string; detail?: string };

const FOREIGN_KEY = '23503';
/** PostgreSQL cannot be reached: cut, shutting down, starting, refusing who we are; Node's words for a line that is not there. */
const LOST =
  /^(08[0-9A-Z]{3}|57P0[1-5]|28[0-9A-Z]{3}|3D000|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** The client's own words have no code; Node's of a socket that is not there have one that a file has too. */
const LOST_WORDS =
  /^connect (?:ENOENT|EAGAIN) |^Connection terminated|is not queryable$|^timeout e|^Query read timeout$|^Cannot use a pool after calling end/;
/** In each other's way still after database.ts tried again, out of time, memory, disk or connections, or read only: may pass. */
const BUSY = /^(40001|40P01|53[0-9A-Z]{3}|55P03|57014|25P0[34]|25006|58030|58P01|ENOSPC|EDQUOT|EROFS)$/;

const wordOf = (error: unknown, key: 'code' | 'message'): string => {
  const word = (error as Record<string, unknown> | null | undefined)?.[key];
  return typeof word === 'string' ? word : '';
};
const codeOf = (error: unknown): string => wordOf(error, 'code');

/** The line to the database, and not what was asked over it, is at fault. The job queue tells of an error by a copy that is none. */
export const isLost = (error: unknown): boolean => LOST.test(codeOf(error)) || LOST_WORDS.test(wordOf(error, 'message'));

/** Node says the same of a line to anybody else. */
export const isOfAnyLine = (error: unknown): boolean => /^E[A-Z]/.test(codeOf(error));

/** No room or no way to write, which nothing but an operator ends. */
export const isDiskFault = (error: unknown): boolean => /^(53100|58030|58P01|25006|ENOSPC|EDQUOT|EROFS)$/.test(codeOf(error));

function isPgError(error: unknown): error is PgError {
  return error instanceof Error && typeof (error as Partial<PgError>).code === 'string';
}

/** The name of the constraint that an error is about, where it is about one. */
function constraintOf(error: unknown): string | undefined {
  return isPgError(error) && error.code.startsWith('23') ? error.constraint : undefined;
}

/** True where this very constraint was broken; for commands that go on differently then (the next best locker). */
export function broke(error: unknown, constraint: KnownConstraint): boolean {
  return constraintOf(error) === constraint;
}

/** The problem that a database error is to the caller; undefined where it is a defect of ours. */
export function problemOf(error: unknown): ProblemCode | undefined {
  if (isLost(error) || BUSY.test(codeOf(error))) return 'unavailable';
  const constraint = constraintOf(error);
  if (!isPgError(error) || constraint === undefined) return undefined;
  // The same key is broken from both ends: a row that names nothing, and a row that is taken away while others name it.
  if (error.code === FOREIGN_KEY && /still referenced/.test(error.detail ?? '')) return 'in-use-elsewhere';
  return CODE_OF[constraint as KnownConstraint];
}
