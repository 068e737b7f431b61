import type { DirectoryProblem, DirectorySource } from '@hatchway/domain/directory.ts';
import type { Generated } from 'kysely';
import type { Data, JsonDefault, JsonOr, Row, Time } from './columns.ts';

/** What a directory said, and what became of it here. */

export type DirectoryPeopleTable = Row & {
  source: DirectorySource;
  ref: string;
  external_id: string | null;
  user_name: string;
  display_name: Generated<string>;
  given_name: string | null;
  family_name: string | null;
  email: string | null;
  tlf: string | null;
  active: Generated<boolean>;
  resource: JsonDefault<Data>;
  account_id: string | null;
  joined: Generated<boolean>;
  by_hand: JsonOr<{ roles: string[]; groups: string[] }, null>;
  gone_at: Time | null;
  released: Generated<boolean>;
  problem: DirectoryProblem | null;
  left_out: Generated<('email' | 'tlf')[]>;
  due: Generated<boolean>;
};
export type DirectoryGroupsTable = Row & {
  source: DirectorySource;
  ref: string;
  external_id: string | null;
  display_name: string;
  resource: JsonDefault<Data>;
  roles: Generated<string[]>;
  group_ids: Generated<string[]>;
  own_group_id: string | null;
};
export type DirectoryMembersTable = { tenant_id: string; source: DirectorySource; group_ref: string; person_ref: string };
export type ScimBearersTable = Row & {
  prefix: string;
  secret_hash: Buffer;
  created_by: string;
  last_used_at: Time | null;
  ended_at: Time | null;
  ended_why: 'withdrawn' | 'maker' | null;
};
