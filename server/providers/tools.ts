import type { Outside } from '../outside/fetch.ts';
import type { AssetTool } from './asset-tool.ts';
import { openSnipeIt } from './snipe-it.ts';
import { openTcm } from './tcm.ts';

/** The asset tools that we speak to, by the kind of their integration. */
const TOOLS = { tcm: openTcm, snipeit: openSnipeIt } as const;
export type ToolKind = keyof typeof TOOLS;
export const TOOL_KINDS = Object.keys(TOOLS) as readonly ToolKind[];

/** `key`: its one secret, `apiKey` of tcm and `token` of snipeit. */
export const openTool = (kind: ToolKind, outside: Outside, base: string, key: string): AssetTool => TOOLS[kind](outside, base, key);
