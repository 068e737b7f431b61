import { sql } from 'kysely';
import { PICKUP_CODE_DIGITS } from '@hatchway/domain/codes.ts';
import type { Provider } from '@hatchway/domain/payment.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { integrationOf } from '../integrations/queries.ts';

type Begin = { description: string; returnUrl: string; tlf: string | null };

/** As long as the provider shows it. */
const DESCRIBED = 100;

/**
 * What the payer is told, and where they come back to: to the page that they paid on. One that staff began is pushed to the payer's phone.
 */
export const beginOf = async (tx: Tx, deps: Deps, tenantId: string, id: string): Promise<Begin> => {
  const row = await tx
    .selectFrom('payments as p')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.occupation_id'))
    .leftJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 'o.tenant_id').onRef('a.id', '=', 'o.asset_id'))
    .leftJoin('lockers as l', (join) => join.onRef('l.tenant_id', '=', 'o.tenant_id').onRef('l.id', '=', 'o.locker_id'))
    .leftJoin('cabinets as b', (join) => join.onRef('b.tenant_id', '=', 'l.tenant_id').onRef('b.id', '=', 'l.cabinet_id'))
    .innerJoin('companies as c', 'c.id', 'p.tenant_id')
    .select(['p.payer', 'p.key_sealed', 'p.pushed', 'p.quantity', 'o.token_sealed', 'o.door_tag', 'b.number', 'c.name as company'])
    .select(sql<string | null>`coalesce(a.name, o.asset_text)`.as('content'))
    .where('p.tenant_id', '=', tenantId)
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow();
  const open = (sealed: Buffer | null) => (sealed === null ? null : deps.seal.open(sealed));
  const [bought, use] = [open(row.key_sealed), open(row.token_sealed)];
  // Who signed in at a cabinet comes back to it.
  const begins = typeof row.payer['accountId'] === 'string' && row.number !== null ? `/c/${row.number}` : '/b';
  const page = bought === null ? (use === null ? '/' : `/p/${use}`) : `${begins}/${bought}`;
  const pieces = row.quantity > 1 ? `${row.quantity} × ` : '';
  const tlf = row.payer['tlf'];
  return {
    description: `${row.company}: ${pieces}${row.content ?? row.door_tag ?? ''}`.slice(0, DESCRIBED),
    returnUrl: `${deps.config.publicUrl}${page}`,
    tlf: row.pushed && typeof tlf === 'string' ? tlf : null,
  };
};

/** The six digits that go with a purchase: its buyer reads them off the page, and types them with their number where they lost it. */
export const purchaseCode = ({ seal }: Pick<Deps, 'seal'>, purchase: string): string =>
  String(seal.hash(`purchase-code:${purchase}`).readUInt32BE(0) % 10 ** PICKUP_CODE_DIGITS).padStart(PICKUP_CODE_DIGITS, '0');
export const findHash = ({ seal }: Pick<Deps, 'seal'>, tenantId: string, tlf: string, code: string): Buffer =>
  seal.hash(`purchase-find:${tenantId}:${tlf}:${code}`);

/** Payments whose provider was to be asked a while ago: what the clock's own job did not come to. */
export const overdueLooks = (deps: Deps, { tenantId, now }: Scope, atMost: number): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const due = new Date(Date.parse(now) - 60_000).toISOString();
    const rows = await tx
      .selectFrom('payments')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('look_at', '<=', due)
      .orderBy('look_at')
      .limit(atMost)
      .execute();
    return rows.map(({ id }) => id);
  });

/** By whom money can be taken now. A provider whose keys nobody has seen work, or that does not answer, is none of them. */
export const paymentProviders = async (tx: Tx, tenantId: string): Promise<Provider[]> =>
  (await integrationOf(tx, tenantId, 'vipps'))?.state === 'active' ? ['manual', 'vipps'] : ['manual'];
