import { ASSET_WORDS } from '@hatchway/contract/sheet-words.ts';

/** What an import reads, by the words that our own file has in either language, so that a file that was saved can be given back. */
const FIELDS = ['id', 'name', 'externalId', 'identifiers', 'statusLabel', 'assetGroups', 'data'] as const;
/** What our own file says beside it, and nobody can give. */
const SAID = ['source', 'holder', 'dueAt', 'createdAt', 'updatedAt', 'hasImage'] as const;

const plain = (header: string): string => header.toLowerCase().replaceAll(/[\s_-]/g, '');
const BY_WORD = new Map<string, string | null>([
  ...FIELDS.flatMap((field) => [field, ASSET_WORDS.en[field], ASSET_WORDS.nb[field]].map((word) => [plain(word), field] as const)),
  ...SAID.flatMap((field) => [field, ASSET_WORDS.en[field], ASSET_WORDS.nb[field]].map((word) => [plain(word), null] as const)),
]);

/**
 * How a column is read: `name`, `externalId` …; `identifier.{kind}` with a kind; null for what is left alone; anything else becomes
 * `data.{header}`, since a spreadsheet's own columns are mostly details of the thing.
 */
export const assetFieldOf = (header: string): string | null => {
  // a head of our own file names the zone of its times
  const known = BY_WORD.get(plain(header)) ?? BY_WORD.get(plain(header.replace(/ \([\w/+-]+\)$/, '')));
  if (known !== undefined) return known;
  if (header === '') return null;
  const kind = /^(?:identifier|identifikator)[.:](.+)$/i.exec(header)?.[1]?.trim();
  if (kind) return `identifier.${kind.toLowerCase()}`;
  return `data.${header.replace(/^data[.:]/i, '').trim()}`;
};
