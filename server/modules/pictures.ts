import type { Tx } from '../db/database.ts';
import type { Picture } from '../http/picture.ts';
import { absent } from '../http/problem.ts';
import { newId } from '../ids.ts';
import type { Scope } from '../scope.ts';

/** Keeps a picture; answers the id under which its widths are found. */
export const keepPicture = async (tx: Tx, scope: Scope, picture: Picture): Promise<string> => {
  const id = newId();
  await tx
    .insertInto('files')
    .values(picture.map((one) => ({ tenant_id: scope.tenantId, id, mime: 'image/webp', created_at: scope.now, ...one })))
    .execute();
  return id;
};

export const dropPicture = async (tx: Tx, tenantId: string, id: string): Promise<void> => {
  await tx.deleteFrom('files').where('tenant_id', '=', tenantId).where('id', '=', id).execute();
};

export const pictureOf = (tx: Tx, tenantId: string, id: string, width: number): Promise<{ bytes: Buffer; etag: string } | undefined> =>
  tx
    .selectFrom('files')
    .select(['bytes', 'etag'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('width', '=', width)
    .executeTakeFirst();

/** Throws `not-found`, also where there is no picture at all. */
export const pictureAt = async (
  tx: Tx,
  tenantId: string,
  id: string | null | undefined,
  width: number,
): Promise<{ bytes: Buffer; etag: string }> => {
  const found = id ? await pictureOf(tx, tenantId, id, width) : undefined;
  if (!found) throw absent();
  return found;
};
