import type { AlertEvent } from '@hatchway/domain/alerts.ts';
import type { Scope } from '@hatchway/domain/terms.ts';
import type { Generated } from 'kysely';
import type { JsonDefault, Time, Row, Words } from './columns.ts';

/** Companies and who belongs to them, with what they were given. */

export type CompanySettings = {
  retentionDays?: number | undefined;
  senderName?: string | undefined;
  /** `key`: the one that added it, and with whose end it ends. */
  alerts?: { event: AlertEvent | 'all'; channel: 'sms' | 'mail'; to: string; key?: string | undefined }[] | undefined;
  quietHours?: { from: string; to: string } | null | undefined;
  color?: string | null | undefined;
  doorOpenMinutes?: number | undefined;
  offlineMinutes?: number | undefined;
};
export type CompaniesTable = {
  id: string;
  name: string;
  org_number: string | null;
  contact: JsonDefault<{ name?: string; email?: string; tlf?: string }>;
  address: JsonDefault<{ street?: string; postalCode?: string; city?: string }>;
  country: Generated<string>;
  locale: Generated<'en' | 'nb'>;
  time_zone: Generated<string>;
  licenses: Generated<string[]>;
  logo_file_id: string | null;
  settings: JsonDefault<CompanySettings>;
  /** Made by `npm start`. */
  seeded: Generated<boolean>;
  suspended_at: Time | null;
  /** Since when all of it is being deleted; there is no way back. */
  deleting_at: Time | null;
  version: Generated<number>;
  created_at: Time;
  updated_at: Time;
};
export type AccountsTable = Words & {
  id: string;
  name: string;
  email: string | null;
  tlf: string | null;
  locale: Generated<'en' | 'nb'>;
  avatar: Buffer | null;
  disabled_at: Time | null;
  /** The company whose directory made it and keeps it. */
  managed_by: string | null;
  /** A link that was mailed to `email` was followed. */
  email_proved: Generated<boolean>;
  version: Generated<number>;
  created_at: Time;
  updated_at: Time;
};
export type AccountIdentitiesTable = { issuer: string; subject: string; account_id: string; created_at: Time };
export type MembershipsTable = Row & {
  account_id: string;
  /** What holds, whoever gave it. */
  roles: Generated<string[]>;
  /** Of them: what the directory gives, and what of that people gave too. */
  directory_roles: Generated<string[]>;
  kept_roles: Generated<string[]>;
  last_seen_at: Time | null;
};
export type InvitationsTable = Row & {
  email: string | null;
  tlf: string | null;
  roles: Generated<string[]>;
  state: Generated<'pending' | 'accepted' | 'expired' | 'withdrawn'>;
  mail_token_hash: Buffer | null;
  sms_token_hash: Buffer | null;
  expires_at: Time;
  invited_by: string | null;
  invited_by_kind: 'person' | 'key' | 'system';
  invited_by_name: Generated<string>;
  accepted_by: string | null;
};
export type GroupsTable = Row & { name: string; description: Generated<string>; external_id: string | null };
export type GroupMembersTable = {
  tenant_id: string;
  group_id: string;
  account_id: string;
  by_hand: Generated<boolean>;
  by_directory: Generated<boolean>;
  created_at: Time;
};
export type PermissionsTable = Row & {
  name: string;
  scopes: Generated<Scope[]>;
  group_ids: Generated<string[]>;
  locker_ids: Generated<string[]>;
};
export type ApiKeysTable = Row & {
  name: string;
  prefix: string;
  secret_hash: Buffer;
  scopes: Generated<string[]>;
  created_by: string;
  expires_at: Time | null;
  last_used_at: Time | null;
  revoked_at: Time | null;
};
