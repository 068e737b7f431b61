import { COLOUR_PATTERN } from '@hatchway/domain/colour.ts';
import { z } from 'zod';
import { toolSide } from './asset-tool.ts';
import { code, id, idParams, lines, name, seen, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

const identifier = z.object({ kind: z.string().max(40), value: z.string().max(200) });
export const asset = z
  .object({
    _id: id,
    tenantId: id,
    name: z.string(),
    data: z.record(z.string(), z.unknown()),
    hasImage: z.boolean(),
    identifiers: z.array(identifier),
    assetGroupIds: z.array(id),
    statusLabelId: id.nullable(),
    source: z.enum(['local', 'tcm']),
    externalId: z.string().nullable(),
    tool: toolSide
      .nullable()
      .describe('Of an asset of an outside tool (source tcm), which is changed there alone: what the tool says of it'),
    holder: z
      .object({ name: z.string(), loanId: id, occupationId: id })
      .nullable()
      .describe(
        'Who has it, and by which loan; null while it is not lent out, and to who may not see the loan. How to reach them stands in its loans',
      ),
    dueAt: time.nullable().describe('When it is due back; null while it is not lent out'),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Asset' });
export type Asset = z.infer<typeof asset>;
export const statusLabel = z
  .object({
    id,
    tenantId: id,
    name: z.string(),
    type: z.enum(['deployable', 'pending', 'undeployable', 'archived']),
    color: z.string().nullable(),
    notes: z.string(),
    show_in_nav: z.boolean(),
    default_label: z.boolean(),
    assets_count: z.int(),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'StatusLabel' });

/** Of an asset's data as JSON: a page of 500 assets carries all of theirs. */
const DATA_CHARACTERS = 20_000;
export const dataFits = (data: Record<string, unknown>): boolean => JSON.stringify(data).length <= DATA_CHARACTERS;

const data = z.record(z.string().max(100), z.unknown()).refine(dataFits, `longer than ${DATA_CHARACTERS} characters as JSON`);
/** Of one kind, a value names one asset of the company: what is scanned leads to one thing. Kinds are compared without case. */
const identifiers = z.array(z.strictObject({ kind: code(40), value: code(200) })).max(20);
const fields = {
  name: name(200),
  statusLabelId: id.nullable().optional(),
  externalId: code(100).nullable().optional().describe('Its number in somebody else’s system; not given: as before'),
  assetGroupIds: z.array(id).max(50).optional().describe('All that it is in; not given: as before'),
};

/** Why a row of an import is refused. */
export const ROW_PROBLEMS = [
  'cells',
  'name-missing',
  'too-long',
  'characters',
  'id-unknown',
  'label-unknown',
  'group-unknown',
  'data-not-object',
  'identifier-form',
  'identifier-taken',
  /** It is the asset tool's. */
  'changed-there',
  'ambiguous',
  'twice',
  /** What a spreadsheet made of a number, or of a formula that failed. */
  'spreadsheet',
] as const;
export type RowProblem = (typeof ROW_PROBLEMS)[number];
const importedRow = z.object({
  line: z.int().describe('Its first line in the file; the head is line 1'),
  name: z.string(),
  fate: z.enum(['made', 'changed', 'unchanged', 'refused']),
  assetId: id.nullable().describe('The asset that it is; null for one that a dry run would make, or that is refused'),
  changes: z.array(z.string()).describe('The fields that it gives another value'),
  problems: z.array(z.object({ code: z.enum(ROW_PROBLEMS), column: z.string().nullable(), value: z.string() })),
});
export type ImportedRow = z.infer<typeof importedRow>;
export const assetImport = z
  .object({
    dryRun: z.boolean(),
    columns: z
      .array(z.object({ header: z.string(), as: z.string().nullable() }))
      .describe('How each column of the head is read: a field, data.{name}, identifier.{kind}, or null where it is left alone'),
    made: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    rows: z.array(importedRow),
  })
  .meta({ id: 'AssetImport' });
export type AssetImport = z.infer<typeof assetImport>;

/** What can be asked of the assets, in the list and in its file. */
export const ASSET_LIST = {
  fields: {
    _id: 'uuid',
    name: 'text',
    source: 'text',
    statusLabelId: 'uuid',
    identifier: 'code',
    externalId: 'code',
    assetGroupIds: 'uuids',
    lent: 'bool',
    /** Lent out, or out by its asset tool. */
    out: 'bool',
    /** Whether any occupation runs with it, and whether one does that is not of goods, of which there may be several. By which, only the occupations say. */
    inUse: 'bool',
    inUseAlone: 'bool',
    dueAt: 'time',
  },
  sorts: ['createdAt', 'name', 'dueAt'],
  searchable: true,
} as const;

export const assets = [
  route({
    method: 'GET',
    path: '/assets',
    access: 'portal',
    summary: 'Assets',
    query: listQuery(ASSET_LIST),
    response: z.array(asset),
  }),
  route({ method: 'GET', path: '/assets/{id}', access: 'portal', summary: 'One asset', params: idParams, response: asset }),
  route({
    method: 'GET',
    path: '/assets/{id}/image',
    access: 'portal',
    summary: 'The picture of an asset, as WebP',
    params: idParams,
    query: z.strictObject({ size: z.enum(['96', '480', '1200']).default('480') }),
    response: { binary: 'image/webp' },
  }),
  route({
    method: 'POST',
    path: '/assets',
    access: 'assets.write',
    summary: 'Make an asset (JSON, or form data with an image)',
    body: z.strictObject({ ...fields, data: data.default({}), identifiers: identifiers.default([]) }),
    form: true,
    response: asset,
    errors: ['too-large', 'unsupported-media', 'image-unreadable', 'unknown-reference', 'identifier-taken', 'rule'],
  }),
  route({
    method: 'POST',
    path: '/assets/import',
    access: 'assets.write',
    summary:
      'Make and change assets from a CSV file (form data with `file`; a short one also as text in `csv`), all or nothing; a dry run says each row’s fate. An empty cell changes nothing; “(empty)” empties the field',
    body: z.strictObject({ dryRun: z.boolean().default(false), csv: z.string().max(20_000).optional() }),
    form: 'csv',
    response: assetImport,
    errors: ['too-large', 'rule', 'import-refused', 'identifier-taken'],
  }),
  route({
    method: 'PUT',
    path: '/assets/{_id}',
    access: 'assets.write',
    summary: 'Change an asset; what is not given stays as it was',
    params: z.strictObject({ _id: id }),
    body: z.strictObject({
      ...fields,
      name: fields.name.optional(),
      data: data.optional(),
      identifiers: identifiers.optional(),
      version: seen,
    }),
    form: true,
    response: asset,
    errors: [
      'too-large',
      'unsupported-media',
      'image-unreadable',
      'unknown-reference',
      'identifier-taken',
      'rule',
      'stale',
      'changed-there',
    ],
  }),
  route({
    method: 'DELETE',
    path: '/assets/{id}',
    access: 'assets.write',
    summary: 'Delete an asset; not while it lies in a locker or is lent out',
    params: idParams,
    response: 'nothing',
    errors: ['in-use-elsewhere', 'changed-there'],
  }),
  route({
    method: 'DELETE',
    path: '/assets/{id}/image',
    access: 'assets.write',
    summary: 'Take the picture off an asset',
    params: idParams,
    response: asset,
    errors: ['changed-there'],
  }),
] as const;

const label = {
  name: name(60),
  type: z.enum(['deployable', 'pending', 'undeployable', 'archived']),
  color: z.string().regex(COLOUR_PATTERN, 'not a colour, such as #1c6b3a').nullable(),
  notes: lines(500),
  show_in_nav: z.boolean(),
  default_label: z.boolean().describe('What a new asset gets; at most one label is it, and the one before is it no longer'),
};
const statusLabelInput = z.strictObject({
  ...label,
  color: label.color.default(null),
  notes: label.notes.default(''),
  show_in_nav: label.show_in_nav.default(false),
  default_label: label.default_label.default(false),
});
const statusLabelChange = z.strictObject(label).partial().required({ name: true, type: true }).extend({ version });
export type StatusLabelInput = z.output<typeof statusLabelInput>;
export type StatusLabelChange = z.output<typeof statusLabelChange>;
export type StatusLabel = z.infer<typeof statusLabel>;

export const statusLabels = [
  route({ method: 'GET', path: '/statuslabels', access: 'portal', summary: 'Status labels', response: z.array(statusLabel) }),
  route({
    method: 'POST',
    path: '/statuslabels',
    access: 'assets.write',
    summary: 'Make a status label',
    body: statusLabelInput,
    response: statusLabel,
    errors: ['name-taken'],
  }),
  route({
    method: 'PUT',
    path: '/statuslabels/{id}',
    access: 'assets.write',
    summary: 'Change a status label; what carries it can be lent only while its type is deployable; what is not given stays as it was',
    params: idParams,
    body: statusLabelChange,
    response: statusLabel,
    errors: ['name-taken', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/statuslabels/{id}',
    access: 'assets.write',
    summary: 'Delete a status label that nothing carries; the one that new assets get stays, and the last one',
    params: idParams,
    response: 'nothing',
    errors: ['in-use-elsewhere', 'rule'],
  }),
] as const;
