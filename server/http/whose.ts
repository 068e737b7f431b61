import type { RouteSpec } from '@hatchway/contract/route.ts';
import type { Deps } from '../deps.ts';
import type { Credential } from './caller.ts';
import { Problem } from './problem.ts';

/** A kind is no row: it is in every company. */
const NAMES_ROW = /\{(?!kind\})/;

/**
 * Somebody in several companies opens a link of one while their token is for another. What they may read there themselves is absent here,
 * or such rows are not theirs to read here, and the answer says whose it is. To anybody else a row of another company's and none stay one answer.
 */
export const sayWhose = async (
  deps: Deps,
  route: RouteSpec,
  credential: Credential | null,
  error: unknown,
  readAs: (credential: Credential) => Promise<unknown>,
): Promise<unknown> => {
  if (!(error instanceof Problem) || !['not-found', 'forbidden'].includes(error.code)) return error;
  if (route.method !== 'GET' || !NAMES_ROW.test(route.path) || route.secret) return error;
  if (credential?.kind !== 'person' || credential.tenantId === null) return error;
  const { subject, tenantId } = credential;
  const others = await deps.db.account(subject, (tx) =>
    tx
      .selectFrom('memberships as m')
      .innerJoin('companies as c', 'c.id', 'm.tenant_id')
      .select(['c.id as tenantId', 'c.name'])
      .where('m.account_id', '=', subject)
      .where('m.tenant_id', '<>', tenantId)
      .execute(),
  );
  for (const company of others) {
    // The token's roles are of its own company.
    const seen = await readAs({ ...credential, tenantId: company.tenantId, claims: null }).catch((refused: unknown) => {
      if (refused instanceof Problem) return null;
      throw refused;
    });
    if (seen) return new Problem(error.code, error.message, { data: { company } });
  }
  return error;
};
