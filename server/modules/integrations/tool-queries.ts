import { SETUP } from '@hatchway/contract/integrations.ts';
import { TOOL_KINDS, type ToolKind } from '@hatchway/domain/integration.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { AssetTool } from '../../providers/asset-tool.ts';
import { openTool } from '../../providers/tools.ts';
import { secretsOf } from './queries.ts';

export type OpenTool = { integrationId: string; kind: ToolKind; tool: AssetTool };

type Row = { id: string; kind: string; settings: unknown; secrets_sealed: Buffer | null };
/** The tool with the company's own key. Null: a key is missing, or it is another kind's. */
export const toolOf = ({ seal, outside }: Pick<Deps, 'seal' | 'outside'>, row: Row): OpenTool | null => {
  const kind = TOOL_KINDS.find((one) => one === row.kind);
  if (kind === undefined) return null;
  const settings = SETUP[kind].settings.safeParse(row.settings);
  const { apiKey, token } = secretsOf(seal, row.secrets_sealed);
  const key = kind === 'tcm' ? apiKey : token;
  if (!settings.success || !key) return null;
  const { url } = settings.data;
  return { integrationId: row.id, kind, tool: openTool(kind, outside, url, key) };
};

/** Those of the company that are asked by the clock: seen to work once. */
export const connectedTools = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('integrations')
    .select(['id', 'kind'])
    .where('tenant_id', '=', tenantId)
    .where('type', '=', 'tool')
    .where('state', 'in', ['active', 'failing']);
