import { z } from 'zod';
import { DIFFERENCES, TOOL_STATES, TOOL_TELLINGS } from '@hatchway/domain/asset-tool.ts';
import { id, time } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

/** A moment, or a day where the tool knows no time of day. */
const until = z.string().nullable();

/** What an asset tool says of one of its assets, and was told of it. */
export const toolSide = z.object({
  kind: z.enum(['tcm', 'snipeit']),
  url: z.string().nullable().describe('Its page there'),
  state: z.enum(TOOL_STATES),
  condition: z.string().nullable(),
  holder: z.string().nullable().describe('Who has it, by the tool; null to who may not see the loan'),
  until,
  gone: z.boolean().describe('Not there any more'),
  asOf: time.describe('Until when it is known that this holds'),
  told: z
    .object({ kind: z.enum(TOOL_TELLINGS), state: z.enum(['waiting', 'done', 'refused']), error: z.string().nullable() })
    .nullable()
    .describe('The last that the tool was to be told; waiting: it was not yet, or did not answer'),
});
export type ToolSide = z.infer<typeof toolSide>;

export const assetRequest = z
  .object({
    id,
    number: z.string().describe('The tool’s own'),
    what: z.string().describe('In the words of who asked'),
    asset: z.object({ id, name: z.string() }).nullable().describe('The very thing, where one was asked for and it is known here'),
    person: z.object({ name: z.string(), tlf: z.string().nullable(), email: z.string().nullable() }),
    until,
    createdAt: time,
    asOf: time,
  })
  .meta({ id: 'AssetRequest' });
export type AssetRequest = z.infer<typeof assetRequest>;

export const toolDifference = z
  .object({
    asset: z.object({ id, name: z.string() }),
    what: z.enum(DIFFERENCES),
    url: z.string().nullable().describe('Its page in the tool'),
    occupationId: id.nullable().describe('What of ours it is about: its use, or the asset that carries the same identifier'),
    doorTag: z.string().nullable(),
    otherAssetId: id.nullable(),
    telling: z
      .object({ id, kind: z.enum(TOOL_TELLINGS), error: z.string().nullable(), createdAt: time })
      .nullable()
      .describe('Of what was refused, or not told yet: which, what the tool said, and since when'),
  })
  .meta({ id: 'ToolDifference' });
export type ToolDifference = z.infer<typeof toolDifference>;

const rowParams = z.strictObject({ kind: z.string().max(40), _id: id });

export const assetTools = [
  route({
    method: 'GET',
    path: '/asset-requests',
    access: 'portal',
    summary: 'Open requests of the connected asset tool; none without one',
    query: listQuery({ fields: { id: 'uuid', number: 'code' }, sorts: ['createdAt'], searchable: true }),
    response: z.array(assetRequest),
  }),
  route({
    method: 'GET',
    path: '/integrations/{kind}/{_id}/differences',
    access: 'admin:integrations',
    summary: 'What differs between an asset tool and us, the newest 200; nothing is put right by itself',
    params: rowParams,
    response: z.array(toolDifference),
  }),
  route({
    method: 'POST',
    path: '/integrations/{kind}/{_id}/differences',
    access: 'admin:integrations',
    summary: 'A word on what the tool refused: it is told again, or somebody has seen to it there',
    params: rowParams,
    body: z.strictObject({ telling: id, act: z.enum(['again', 'settled']) }),
    response: 'nothing',
    errors: ['unknown-reference'],
  }),
] as const;
