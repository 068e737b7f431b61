import type { Insertable, Selectable, Updateable } from 'kysely';
import type {
  StatusLabelsTable,
  AssetsTable,
  AssetIdentifiersTable,
  AssetGroupsTable,
  AssetGroupMembersTable,
  FilesTable,
} from './tables/assets.ts';
import type { DirectoryGroupsTable, DirectoryMembersTable, DirectoryPeopleTable, ScimBearersTable } from './tables/directory.ts';
import type { EventsTable, OutboxTable, IdempotencyTable, PublicRefsTable, RateLimitsTable } from './tables/events.ts';
import type { SitesTable, CabinetsTable, LockersTable, OutagesTable, CommandsTable } from './tables/lockers.ts';
import type {
  MessagesTable,
  TemplatesTable,
  IntegrationsTable,
  ShopOrdersTable,
  ShopOperationsTable,
  WebhooksTable,
  WebhookDeliveriesTable,
} from './tables/messages.ts';
import type { AssetRequestsTable, ToolAssetsTable, ToolOperationsTable } from './tables/tools.ts';
import type {
  PoliciesTable,
  AccessLinksTable,
  AccessLinkUsesTable,
  OccupationsTable,
  LoansTable,
  PaymentsTable,
  PaymentOperationsTable,
  ShopsTable,
} from './tables/occupations.ts';
import type {
  CompaniesTable,
  AccountsTable,
  AccountIdentitiesTable,
  MembershipsTable,
  InvitationsTable,
  GroupsTable,
  GroupMembersTable,
  PermissionsTable,
  ApiKeysTable,
} from './tables/people.ts';

/**
 * The tables, in tables/*.ts, as migrations/*.sql make them, for Kysely. Names are those of the SQL; times are ISO strings (database.ts), bigint are
 * numbers, bytea are Buffers. A test compares the columns with the catalogue.
 */

export type Database = {
  companies: CompaniesTable;
  accounts: AccountsTable;
  account_identities: AccountIdentitiesTable;
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  groups: GroupsTable;
  group_members: GroupMembersTable;
  permissions: PermissionsTable;
  api_keys: ApiKeysTable;
  events: EventsTable;
  outbox: OutboxTable;
  idempotency: IdempotencyTable;
  public_refs: PublicRefsTable;
  rate_limits: RateLimitsTable;
  sites: SitesTable;
  cabinets: CabinetsTable;
  lockers: LockersTable;
  outages: OutagesTable;
  commands: CommandsTable;
  policies: PoliciesTable;
  access_links: AccessLinksTable;
  access_link_uses: AccessLinkUsesTable;
  status_labels: StatusLabelsTable;
  assets: AssetsTable;
  asset_identifiers: AssetIdentifiersTable;
  asset_groups: AssetGroupsTable;
  asset_group_members: AssetGroupMembersTable;
  occupations: OccupationsTable;
  loans: LoansTable;
  payments: PaymentsTable;
  payment_operations: PaymentOperationsTable;
  shops: ShopsTable;
  messages: MessagesTable;
  templates: TemplatesTable;
  integrations: IntegrationsTable;
  shop_orders: ShopOrdersTable;
  shop_operations: ShopOperationsTable;
  tool_assets: ToolAssetsTable;
  asset_requests: AssetRequestsTable;
  tool_operations: ToolOperationsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  files: FilesTable;
  directory_people: DirectoryPeopleTable;
  directory_groups: DirectoryGroupsTable;
  directory_members: DirectoryMembersTable;
  scim_bearers: ScimBearersTable;
};
type TableName = keyof Database;
export type RowOf<T extends TableName> = Selectable<Database[T]>;
export type NewRow<T extends TableName> = Insertable<Database[T]>;
export type RowChange<T extends TableName> = Updateable<Database[T]>;
