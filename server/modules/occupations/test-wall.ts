import type { TestCompany, TestPerson } from '../../test-company.ts';
import { unique, type TestServer } from '../../test-server.ts';

export type Wall = { cabinetId: string; number: number; lockers: { id: string; doorTag: string }[] };

/** A cabinet with that many doors of one size, online and all shut, as after its controller's first words. */
export const testWall = async (
  server: TestServer,
  company: TestCompany,
  admin: TestPerson,
  doors: number,
  size: 'S' | 'M' | 'L' = 'M',
): Promise<Wall> => {
  const site = await admin.api('POST /sites', {
    body: { name: `Site ${unique()}`, address: 'Torggata 5, 0181 Oslo', openingHours: '06–23', tlf: '+4722000000' },
  });
  const mark = unique().toUpperCase().slice(0, 6);
  const cabinet = await admin.api('POST /cabinets', {
    body: {
      siteId: site.id,
      name: 'Inngang',
      columns: [
        {
          width: 400,
          doors: Array.from({ length: doors }, (_, at) => ({ compartment: at + 1, doorTag: `${mark}-${at + 1}`, size, height: 300 })),
        },
      ],
    },
  });
  const lockers = await server.deps.db.tenant(company.id, async (tx) => {
    await tx
      .updateTable('cabinets')
      .set({ connection: 'online' })
      .where('tenant_id', '=', company.id)
      .where('id', '=', cabinet.id)
      .execute();
    await tx
      .updateTable('lockers')
      .set({ door: 'closed' })
      .where('tenant_id', '=', company.id)
      .where('cabinet_id', '=', cabinet.id)
      .execute();
    return tx
      .selectFrom('lockers')
      .select(['id', 'door_tag'])
      .where('tenant_id', '=', company.id)
      .where('cabinet_id', '=', cabinet.id)
      .orderBy('compartment')
      .execute();
  });
  return { cabinetId: cabinet.id, number: cabinet.number, lockers: lockers.map((row) => ({ id: row.id, doorTag: row.door_tag })) };
};
