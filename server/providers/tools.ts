import type { ToolKind } from '@hatchway/domain/integration.ts';
import type { Outside } from '../outside/fetch.ts';
import type { AssetTool } from './asset-tool.ts';
import { openSnipeIt } from './snipe-it.ts';
import { openTcm } from './tcm.ts';

const TOOLS: Readonly<Record<ToolKind, (outside: Outside, base: string, key: string) => AssetTool>> = {
  tcm: openTcm,
  snipeit: openSnipeIt,
};

/** `key`: its one secret, `apiKey` of tcm and `token` of snipeit. */
export const openTool = (kind: ToolKind, outside: Outside, base: string, key: string): AssetTool => TOOLS[kind](outside, base, key);
