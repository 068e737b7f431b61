import crypto from 'node:crypto';
import { sql } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { REVOKED_FOR_MS } from './options.ts';
import type { InIdentity } from './tables.ts';

/**
 * Models whose id is a secret that a client holds are kept under its hash, so that a copy of the database opens nothing.
 * Sessions and interactions are looked up by other means too; their cookies are signed with a key that is sealed.
 */
const NAMED_OPENLY = new Set(['Session', 'Interaction', 'Grant']);

const hashed = (id: string) => crypto.createHash('sha256').update(id).digest('base64url');

export function storeAdapter(run: InIdentity, now: () => Date): (model: string) => Adapter {
  return (model) => {
    const open = NAMED_OPENLY.has(model);
    const key = (id: string) => (open ? id : hashed(id));

    const find = (column: 'id' | 'uid', value: string) =>
      run(async (tx) => {
        const row = await tx
          .selectFrom('identity_store')
          .select('payload')
          .where('model', '=', model)
          .where(column, '=', value)
          .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now().toISOString())]))
          .executeTakeFirst();
        return row?.payload as AdapterPayload | undefined;
      });

    return {
      async upsert(id, payload, expiresIn) {
        const { jti, ...rest } = payload;
        const row = {
          payload: JSON.stringify(open ? { ...rest, jti } : rest),
          grant_id: payload.grantId ?? null,
          uid: payload.uid ?? null,
          account_id: payload.accountId ?? null,
          expires_at: expiresIn ? new Date(now().getTime() + expiresIn * 1000).toISOString() : null,
        };
        await run((tx) =>
          tx
            .insertInto('identity_store')
            .values({ model, id: key(id), ...row })
            .onConflict((oc) => oc.columns(['model', 'id']).doUpdateSet(row))
            .execute(),
        );
      },
      async find(id) {
        const payload = await find('id', key(id));
        return payload && { ...payload, jti: id };
      },
      findByUid: (uid) => find('uid', uid),
      findByUserCode: async () => undefined,
      async consume(id) {
        const consumed = Math.floor(now().getTime() / 1000);
        await run((tx) =>
          tx
            .updateTable('identity_store')
            .set({ payload: sql`payload || ${JSON.stringify({ consumed })}::jsonb` })
            .where('model', '=', model)
            .where('id', '=', key(id))
            .execute(),
        );
      },
      async destroy(id) {
        await run((tx) => tx.deleteFrom('identity_store').where('model', '=', model).where('id', '=', key(id)).execute());
      },
      async revokeByGrantId(grantId) {
        await run((tx) => tx.deleteFrom('identity_store').where('grant_id', '=', grantId).execute());
      },
    };
  };
}

/** Throws away what has run out. Nothing depends on it: every read checks the time itself. */
export function sweep(run: InIdentity, now: Date): Promise<void> {
  const time = now.toISOString();
  return run(async (tx) => {
    await tx.deleteFrom('identity_store').where('expires_at', '<', time).execute();
    await tx.deleteFrom('identity_sessions').where('expires_at', '<', time).execute();
    await tx.deleteFrom('identity_links').where('expires_at', '<', time).execute();
    const over = new Date(now.getTime() - REVOKED_FOR_MS).toISOString();
    await tx.deleteFrom('identity_revocations').where('at', '<', over).execute();
  });
}
