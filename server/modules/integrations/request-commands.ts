import type { Tx } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import { phoneNumber } from '../../phone.ts';
import type { ToolRequest } from '../../providers/asset-tool.ts';
import type { Scope } from '../../scope.ts';
import { toldText } from './tool-asset-commands.ts';

/** Writes down requests as the tool told them, asked from `began` on; of two who asked at once the newest change holds, by the tool's clock. */
export const hearRequests = async (
  tx: Tx,
  scope: Scope,
  integrationId: string,
  told: readonly ToolRequest[],
  began: string,
): Promise<void> => {
  const { tenantId, now } = scope;
  if (told.length === 0) return;
  const { country } = await tx.selectFrom('companies').select('country').where('id', '=', tenantId).executeTakeFirstOrThrow();
  for (const one of told) {
    const { person } = one;
    const said = {
      what: toldText(one.what, 500) || one.id,
      asset_ref: one.assetId,
      name: toldText(person.name, 100),
      tlf: person.tlf === null ? null : (phoneNumber(person.tlf, country)?.number ?? null),
      email: person.email === null ? null : toldText(person.email, 254) || null,
      until: one.until,
      state: one.state,
      modified_at: one.modifiedAt,
      seen_at: now,
      updated_at: now,
    };
    await tx
      .insertInto('asset_requests')
      .values({ tenant_id: tenantId, id: newId(), integration_id: integrationId, ref: one.id, ...said, created_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'integration_id', 'ref'])
          .doUpdateSet(said)
          .where((eb) =>
            eb.or([eb('asset_requests.modified_at', '<=', eb.ref('excluded.modified_at')), eb('asset_requests.seen_at', '<', began)]),
          ),
      )
      .execute();
  }
};

/** What a whole listing did not name is asked for no more. */
export const noteClosed = async (tx: Tx, { tenantId, now }: Scope, integrationId: string, began: string): Promise<void> => {
  await tx
    .updateTable('asset_requests')
    .set({ state: 'closed', updated_at: now })
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', integrationId)
    .where('seen_at', '<', began)
    .where('state', '=', 'open')
    .execute();
};
