import type { Generated, GeneratedAlways } from 'kysely';
import type { JsonDefault, Data, Time, Named, Row, Words } from './columns.ts';

/** Things that lie in lockers, and files. */

export type StatusLabelsTable = Row & {
  name: string;
  type: 'deployable' | 'pending' | 'undeployable' | 'archived';
  color: string | null;
  notes: Generated<string>;
  show_in_nav: Generated<boolean>;
  default_label: Generated<boolean>;
};
export type AssetsTable = Row &
  Words & {
    name: string;
    data: JsonDefault<Data>;
    identifiers: JsonDefault<{ kind: string; value: string }[]>;
    status_label_id: string | null;
    source: Generated<'local' | 'tcm'>;
    external_id: string | null;
    /** The name, as lists are in its order. */
    sort_name: GeneratedAlways<string>;
    image_file_id: string | null;
  };
/** What an identifier's uniqueness stands on, and a scan is looked up by: its class and form. The asset's own column says how it was written. */
export type AssetIdentifiersTable = {
  tenant_id: string;
  kind: string;
  value: string;
  asset_id: string;
  class: GeneratedAlways<string>;
  form: GeneratedAlways<string>;
};
export type AssetGroupsTable = Row & { name: string; description: Generated<string> };
export type AssetGroupMembersTable = { tenant_id: string; asset_group_id: string; asset_id: string; created_at: Time };
export type FilesTable = Named & { width: number; mime: string; etag: string; bytes: Buffer; created_at: Time };
