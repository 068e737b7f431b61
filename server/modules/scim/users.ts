import { sql } from 'kysely';
import { isEmail } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import { broke } from '../../db/errors.ts';
import type { RowOf } from '../../db/schema.ts';
import { newId } from '../../ids.ts';
import type { Run } from '../directory/commands.ts';
import { dropPerson, takePerson } from '../directory/people-commands.ts';
import { noResource, ScimError } from './errors.ts';
import type { Condition, Text } from './filter-sql.ts';
import { metaOf, mustMatch, type Seen } from './meta.ts';
import { listOf, whereOf, type Asked } from './paging.ts';
import { parted, patched, type Operation } from './patch.ts';
import { isObject, project, readResource, wants, type Resource, type Wanted } from './resource.ts';
import { ATTRIBUTES, USER_SCHEMA } from './schemas.ts';

type Row = Pick<RowOf<'directory_people'>, 'id' | 'external_id' | 'resource' | 'active' | 'version' | 'created_at' | 'updated_at'>;
const ATTRS = ATTRIBUTES.User;
const COLUMNS = ['p.id', 'p.external_id', 'p.resource', 'p.active', 'p.version', 'p.created_at', 'p.updated_at'] as const;

const rows = (tx: Tx, tenantId: string) =>
  tx.selectFrom('directory_people as p').where('p.tenant_id', '=', tenantId).where('p.source', '=', 'scim').where('p.gone_at', 'is', null);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const idOf = (text: string): string => {
  if (!UUID.test(text)) throw noResource(text);
  return text.toLowerCase();
};

const groupsOf = async (tx: Tx, tenantId: string, base: string, ids: readonly string[]): Promise<Map<string, Resource[]>> => {
  const found = new Map<string, Resource[]>();
  if (ids.length === 0) return found;
  const members = await tx
    .selectFrom('directory_members as m')
    .innerJoin('directory_groups as g', (join) =>
      join.onRef('g.tenant_id', '=', 'm.tenant_id').onRef('g.source', '=', 'm.source').onRef('g.ref', '=', 'm.group_ref'),
    )
    .select(['m.person_ref', 'g.id', 'g.display_name'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.source', '=', 'scim')
    .where('m.person_ref', 'in', ids)
    .orderBy('g.display_name')
    .execute();
  for (const { person_ref, id, display_name } of members) {
    const one = { value: id, $ref: `${base}/Groups/${id}`, display: display_name, type: 'direct' };
    found.set(person_ref, [...(found.get(person_ref) ?? []), one]);
  }
  return found;
};

const toUsers = async (tx: Tx, tenantId: string, base: string, found: readonly Row[], wanted: Wanted): Promise<Resource[]> => {
  const groups = wants(wanted, 'groups')
    ? await groupsOf(
        tx,
        tenantId,
        base,
        found.map(({ id }) => id),
      )
    : new Map<string, Resource[]>();
  return found.map((row) => {
    const its = groups.get(row.id) ?? [];
    const user = {
      schemas: [USER_SCHEMA],
      id: row.id,
      ...(row.external_id === null ? {} : { externalId: row.external_id }),
      ...row.resource,
      ...(its.length > 0 ? { groups: its } : {}),
      meta: metaOf('User', base, row),
    };
    return project(ATTRS, user, wanted);
  });
};

/** Throws ScimError 404. */
export const oneUser = async (tx: Tx, tenantId: string, base: string, id: string, wanted: Wanted) => {
  const row = await rows(tx, tenantId).select(COLUMNS).where('p.id', '=', idOf(id)).executeTakeFirst();
  if (!row) throw noResource(id);
  const [resource = {}] = await toUsers(tx, tenantId, base, [row], wanted);
  return { resource, version: row.version };
};

const at = (column: 'p.created_at' | 'p.updated_at') =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const PLACES = {
  attributes: ATTRS,
  resource: sql`p.resource`,
  columns: {
    id: sql<string | null>`p.id::text`,
    userName: sql<string | null>`p.user_name`,
    externalId: sql<string | null>`p.external_id`,
    active: sql<string | null>`p.active::text`,
    'meta.created': at('p.created_at'),
    'meta.lastModified': at('p.updated_at'),
    'meta.resourceType': sql<string | null>`'User'`,
  },
};
const INDEXED = {
  username: (value: string) => sql<boolean>`lower(p.user_name) = lower(${value})`,
  externalid: (value: string) => sql<boolean>`p.external_id = ${value}`,
};

export const listUsers = async (tx: Tx, tenantId: string, base: string, asked: Asked) => {
  const places = {
    ...PLACES,
    rows: {
      groups: (of: (value: Text) => Condition): Condition =>
        sql`exists (select from directory_members m join directory_groups g on g.tenant_id = m.tenant_id and g.source = m.source and g.ref = m.group_ref
          where m.tenant_id = ${tenantId} and m.source = 'scim' and m.person_ref = p.ref and ${of(sql<string | null>`g.id::text`)})`,
    },
  };
  const fitting = rows(tx, tenantId).where(whereOf(asked, places, INDEXED));
  const { total } = await fitting.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const found =
    asked.count === 0
      ? []
      : await fitting
          .select(COLUMNS)
          .orderBy('p.created_at')
          .orderBy('p.id')
          .offset(asked.startIndex - 1)
          .limit(asked.count)
          .execute();
  return listOf(asked, total, await toUsers(tx, tenantId, base, found, asked.wanted));
};

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);
/** The value that is meant where one can be: of the first kind that there is, else the primary one, else the first. */
const meant = (list: unknown, kinds: readonly string[]): string | null => {
  const values = Array.isArray(list) ? list.filter(isObject).filter((one) => text(one['value']) !== null) : [];
  const byKind = kinds.map((kind) => values.find((one) => String(one['type']).toLowerCase() === kind)).find(Boolean);
  return text((byKind ?? values.find((one) => one['primary'] === true) ?? values[0])?.['value']);
};

/** `isIn`: whether they may come in where nothing is said of it. */
const write = async (run: Run, id: string, resource: Resource, isIn: boolean): Promise<void> => {
  const { externalId, ...kept } = resource;
  const name = isObject(kept['name']) ? kept['name'] : {};
  const userName = text(kept['userName']) ?? '';
  const active = typeof kept['active'] === 'boolean' ? kept['active'] : isIn;
  const primary = Array.isArray(kept['emails']) && kept['emails'].some((one) => isObject(one) && one['primary'] === true);
  await takePerson(
    run,
    'scim',
    {
      ref: id,
      externalId: text(externalId),
      userName,
      displayName: text(kept['displayName']) ?? text(name['formatted']),
      givenName: text(name['givenName']),
      familyName: text(name['familyName']),
      // Many directories give no address beside the name that people sign in with.
      email: meant(kept['emails'], primary ? [] : ['work']) ?? (isEmail(userName) ? userName : null),
      phone: meant(kept['phoneNumbers'], ['mobile']),
      active,
      resource: kept,
    },
    id,
  ).catch((error: unknown) => {
    if (broke(error, 'directory_people_user_name')) throw new ScimError(409, 'There is a user of that userName', 'uniqueness');
    throw error;
  });
};

export const createUser = async (run: Run, body: unknown): Promise<string> => {
  const id = newId();
  await write(run, id, { active: true, ...readResource('User', ATTRS, body) }, true);
  return id;
};

const lock = async ({ tx, scope }: Run, id: string, condition: Seen): Promise<Row> => {
  const row = await rows(tx, scope.tenantId).select(COLUMNS).where('p.id', '=', idOf(id)).forUpdate().executeTakeFirst();
  if (!row) throw noResource(id);
  mustMatch(row, condition);
  return row;
};

export const replaceUser = async (run: Run, id: string, body: unknown, condition: Seen): Promise<void> => {
  const row = await lock(run, id, condition);
  // What is not said of it lets nobody in again.
  await write(run, row.id, { active: row.active, ...readResource('User', ATTRS, body) }, row.active);
};

export const patchUser = async (run: Run, id: string, operations: readonly Operation[], condition: Seen): Promise<void> => {
  const row = await lock(run, id, condition);
  const before = { ...row.resource, ...(row.external_id === null ? {} : { externalId: row.external_id }) };
  await write(run, row.id, patched(ATTRS, before, operations.flatMap(parted)), row.active);
};

export const deleteUser = async (run: Run, id: string, condition: Seen): Promise<void> => {
  const row = await lock(run, id, condition);
  await dropPerson(run, 'scim', row.id);
};
