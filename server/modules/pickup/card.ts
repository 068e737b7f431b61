import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import type { Tx } from '../../db/database.ts';
import { Problem } from '../../http/problem.ts';
import { companyFacts, shownCompany } from '../occupations/context-queries.ts';
import { pictureAt } from '../pictures.ts';
import { offeredAt } from './offered.ts';

/** What anybody may know who stands at the cabinet. Throws Problem `unknown-cabinet`, also where the company is suspended. */
export const cabinetCard = async (tx: Tx, tenantId: string, cabinetId: string): Promise<PickupCabinet> => {
  const row = await tx
    .selectFrom('cabinets as c')
    .innerJoin('sites as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.site_id'))
    .select([
      'c.number',
      'c.name',
      'c.connection',
      's.name as site_name',
      's.address',
      's.opening_hours',
      's.hours',
      's.tlf',
      's.lat',
      's.lng',
    ])
    .where('c.tenant_id', '=', tenantId)
    .where('c.id', '=', cabinetId)
    .executeTakeFirst();
  const company = await companyFacts(tx, tenantId);
  if (!row || company.suspended) throw new Problem('unknown-cabinet');
  return {
    number: String(row.number),
    name: row.name,
    company: shownCompany(company),
    connection: row.connection,
    site: {
      name: row.site_name,
      address: row.address,
      openingHours: row.opening_hours,
      hours: row.hours,
      tlf: row.tlf === '' ? null : row.tlf,
      lat: row.lat,
      lng: row.lng,
    },
    ...(await offeredAt(tx, tenantId, cabinetId)),
  };
};

const LOGO_WIDTH = 480;
/** Throws Problem `unknown-cabinet` where the company is suspended, `not-found` where it has none. */
export const cabinetLogo = async (tx: Tx, tenantId: string): Promise<{ bytes: Buffer; etag: string }> => {
  const { suspended, logoId } = await companyFacts(tx, tenantId);
  if (suspended) throw new Problem('unknown-cabinet');
  return pictureAt(tx, tenantId, logoId, LOGO_WIDTH);
};
