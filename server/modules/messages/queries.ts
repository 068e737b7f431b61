import { sql, type SqlBool } from 'kysely';
import type { Message } from '@hatchway/contract/history.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { mayActOnOccupation, mayAdminister, mayUseOnLocker, mayUseService, scopesOn, type Facts } from '@hatchway/domain/access.ts';
import { OCCUPATION_TYPES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { page } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import { templateKindOf } from './texts.ts';
import { isMessageKind } from './words.ts';

/** What is sealed of a message stays in the database. */
const rows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('messages as m')
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'm.tenant_id').onRef('o.id', '=', 'm.occupation_id'))
    .where('m.tenant_id', '=', tenantId)
    .select([
      'm.id', 'm.tenant_id', 'm.occupation_id', 'm.cause', 'm.kind', 'm.channel', 'm.to_masked', 'm.state', 'm.error', 'm.message_id', 'm.provider_ref', 'm.not_before',
      'm.created_at', 'm.updated_at', 'm.version', 'o.type as occupation_type', 'o.locker_id',
    ]); // prettier-ignore
type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

const toMessage = (row: Row): Message => ({
  id: row.id,
  tenantId: row.tenant_id,
  occupationId: row.occupation_id,
  cause: row.cause,
  kind: isMessageKind(row.kind) ? templateKindOf(row.kind, row.occupation_type) : null,
  channel: row.channel,
  to: row.to_masked,
  state: row.state,
  error: row.error,
  messageId: row.message_id,
  providerRef: row.provider_ref,
  notBefore: row.not_before,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Whoever may act on its occupation; a message of none (an invitation) is for those who invite. */
const sees = (row: Pick<Row, 'occupation_id' | 'occupation_type' | 'locker_id'>, facts: Facts): boolean => {
  if (row.occupation_id === null || row.occupation_type === null) return mayAdminister('invitations', facts);
  if (row.locker_id === null) return mayUseOnLocker(row.occupation_type, '', facts);
  return mayActOnOccupation({ type: row.occupation_type, lockerId: row.locker_id }, facts);
};

/** The same as a condition: by type where a role reaches every locker, else by type on the lockers of their scopes. */
const messagesInSight = (facts: Facts): ReturnType<typeof sql<SqlBool>> => {
  const everywhere = OCCUPATION_TYPES.filter((type) => mayUseOnLocker(type, '', facts));
  const some = OCCUPATION_TYPES.filter((type) => !everywhere.includes(type) && mayUseService(type, facts));
  const lockers = facts.lockers === 'all' ? [] : Object.keys(facts.lockers).filter((id) => scopesOn(id, facts).length > 0);
  const scoped = some.map(
    (type) => sql<SqlBool>`(o.type = ${type} and o.locker_id = any(${lockers.filter((id) => mayUseOnLocker(type, id, facts))}))`,
  );
  const none = sql<SqlBool>`(m.occupation_id is null and ${mayAdminister('invitations', facts)})`;
  return sql<SqlBool>`(${sql.join([none, sql<SqlBool>`o.type = any(${everywhere})`, ...scoped], sql` or `)})`;
};

export const listMessages = (tx: Tx, tenantId: string, facts: Facts, query: ListQuery) =>
  page(
    tx,
    rows(tx, tenantId).where(messagesInSight(facts)),
    {
      fields: { id: sql.ref('m.id'), occupationId: sql.ref('m.occupation_id'), state: sql.ref('m.state'), channel: sql.ref('m.channel') },
      sorts: { createdAt: { column: sql.ref('m.created_at'), type: 'timestamptz' } },
      id: sql.ref('m.id'),
    },
    query,
    tenantId,
    toMessage,
  );

/** Throws `not-found` also for one out of the caller's sight. */
export const oneMessage = async (tx: Tx, tenantId: string, facts: Facts, id: string): Promise<Message> => {
  const row = await rows(tx, tenantId).where('m.id', '=', id).executeTakeFirst();
  if (!row || !sees(row, facts)) throw absent();
  return toMessage(row);
};

/** For live updates. */
export const messagesByIds = async (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ message: Message; sees: (facts: Facts) => boolean }[]> =>
  (
    await rows(tx, tenantId)
      .where(sql<SqlBool>`m.id = any(${ids})`)
      .execute()
  ).map((row) => ({ message: toMessage(row), sees: (facts) => sees(row, facts) }));
