import { isDeepStrictEqual } from 'node:util';
import { dataFits, type ImportedRow, type RowProblem } from '@hatchway/contract/assets.ts';
import { identifiersIn, namesIn } from '@hatchway/contract/csv.ts';
import { taken } from '../../http/sound.ts';
import { identifierKey, type Identifier } from './identifiers.ts';
import type { Column, Line, Table } from './import-table.ts';

/** An asset as an import may change it. */
export type Content = {
  name: string;
  externalId: string | null;
  identifiers: Identifier[];
  labelId: string | null;
  groupIds: string[];
  data: Record<string, unknown>;
};
/** `isOurs`: it may be changed here. */
export type KnownAsset = Content & { id: string; isOurs: boolean };
/** What the company has that the file may speak of. */
export type Lookups = {
  assets: ReadonlyMap<string, KnownAsset>;
  byExternalId: ReadonlyMap<string, string>;
  /** By `identifierKey`. */
  byIdentifier: ReadonlyMap<string, string>;
  /** By id and by name in lower case. */
  labels: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, string>;
  defaultLabel: string | null;
};
export type Planned = ImportedRow & { content: Content | null };

const MOST: Readonly<Record<string, number>> = { name: 200, externalId: 100 };
const CELL = 2_000;
/** Many in one cell, each as long as it may be: what is too long for its place is told by its own rule. */
const MANY: ReadonlySet<string> = new Set(['identifiers', 'assetGroups', 'data']);
// oxlint-disable-next-line no-control-regex -- naming control characters is the point
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A formula that failed, in whatever language, or a column that was too narrow as the file was written. */
const FAILED = /^(?:#(?:#{2,}|N\/A|I\/T|NV|GETTING_DATA|[\p{Lu}\d/]+[!?])|Err:\d{3})$/u;
/** A long number as a spreadsheet shows it: its last digits are lost. */
const SHORTENED = /^-?\d(?:E\+|[.,]\d+E[+-])\d+$/i;
/** In place of a value: the field is emptied. An empty cell changes nothing. */
const CLEAR = /^\((?:empty|tom)\)$/i;

type Said = { as: string; column: string; value: string };
class Refused extends Error {
  readonly problem: ImportedRow['problems'][number];
  constructor(code: RowProblem, said: Said | null, value = said?.value ?? '') {
    super(code);
    this.problem = { code, column: said?.column ?? null, value: value.slice(0, 200) };
  }
}

/** What a line says: an empty cell says nothing, so it changes nothing. */
const saidIn = ({ cells }: Line, columns: readonly Column[]): Said[] => {
  if (cells.slice(columns.length).some((cell) => cell !== '')) throw new Refused('cells', null, String(cells.length));
  return columns.flatMap(({ header, as }, at) => {
    const value = cells[at] ?? '';
    if (as === null || value === '') return [];
    const said = { as, column: header, value };
    if (CONTROL.test(value)) throw new Refused('characters', said);
    const parts = as === 'identifiers' ? identifiersIn(value).map((one) => one.value) : [value];
    if (parts.some((part) => FAILED.test(part) || (!as.startsWith('data') && SHORTENED.test(part)))) throw new Refused('spreadsheet', said);
    if (!MANY.has(as) && value.length > (MOST[as] ?? (as.startsWith('identifier.') ? 200 : CELL))) throw new Refused('too-long', said);
    if (as.startsWith('data.') && as.length > 105) throw new Refused('too-long', said, as);
    return [said];
  });
};

const identifiersOf = (said: Said): Identifier[] =>
  identifiersIn(said.value).map(({ kind, value }) => {
    if (kind === '' || value === '' || kind.length > 40 || value.length > 200)
      throw new Refused('identifier-form', said, `${kind}:${value}`);
    return { kind, value };
  });
/** A column of one kind says which one it is. Of several of that kind none gives way to it: which of them is old, the file does not say. */
const withOne = (held: readonly Identifier[], kind: string, value: string): Identifier[] => {
  const alike = held.filter((one) => one.kind.toLowerCase() === kind);
  if (alike.some((one) => one.value === value)) return [...held];
  return alike.length === 1 ? held.map((one) => (one === alike[0] ? { kind, value } : one)) : [...held, { kind, value }];
};

const objectOf = (said: Said): Record<string, unknown> => {
  try {
    const value = taken(JSON.parse(said.value), '');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // told below
  }
  throw new Refused('data-not-object', said);
};

const among = (known: ReadonlyMap<string, string>, said: Said, words: string, code: RowProblem): string => {
  const id = known.get(words.toLowerCase());
  if (!id) throw new Refused(code, said, words);
  return id;
};

const oneKind = (as: string): string | null => (as.startsWith('identifier.') ? as.slice('identifier.'.length) : null);

/** The asset that a line is about: by its id, its external id and each identifier, which must all say the same one. */
const matched = (said: readonly Said[], lookups: Lookups): string | null => {
  const found = new Map<string, Said>();
  for (const one of said) {
    if (CLEAR.test(one.value)) continue;
    const kind = oneKind(one.as);
    if (one.as === 'id') {
      const id = one.value.toLowerCase();
      if (!lookups.assets.has(id)) throw new Refused('id-unknown', one);
      found.set(id, one);
    }
    const ids =
      one.as === 'externalId'
        ? [lookups.byExternalId.get(one.value)]
        : (kind ? [{ kind, value: one.value }] : one.as === 'identifiers' ? identifiersOf(one) : []).map((each) =>
            lookups.byIdentifier.get(identifierKey(each)),
          );
    for (const id of ids) if (id) found.set(id, one);
  }
  const [first, ...others] = found;
  if (others[0]) throw new Refused('ambiguous', others[0][1]);
  return first?.[0] ?? null;
};

const clear = (next: Content, as: string): void => {
  const kind = oneKind(as);
  if (as === 'name') next.name = '';
  else if (as === 'externalId') next.externalId = null;
  else if (as === 'identifiers') next.identifiers = [];
  else if (kind) next.identifiers = next.identifiers.filter((one) => one.kind.toLowerCase() !== kind);
  else if (as === 'statusLabel') next.labelId = null;
  else if (as === 'assetGroups') next.groupIds = [];
  else if (as === 'data') next.data = {};
  else if (as.startsWith('data.')) Reflect.deleteProperty(next.data, as.slice('data.'.length));
};

const contentOf = (said: readonly Said[], known: KnownAsset | null, lookups: Lookups): Content => {
  const next: Content = known
    ? { ...known, data: { ...known.data }, identifiers: [...known.identifiers] }
    : { name: '', externalId: null, identifiers: [], labelId: lookups.defaultLabel, groupIds: [], data: {} };
  for (const one of said) {
    const { as, value } = one;
    const kind = oneKind(as);
    if (CLEAR.test(value)) clear(next, as);
    else if (as === 'name') next.name = value;
    else if (as === 'externalId') next.externalId = value;
    else if (as === 'identifiers') next.identifiers = identifiersOf(one);
    else if (kind) next.identifiers = withOne(next.identifiers, kind, value);
    else if (as === 'statusLabel') next.labelId = among(lookups.labels, one, value, 'label-unknown');
    else if (as === 'assetGroups')
      next.groupIds = [...new Set(namesIn(value).map((name) => among(lookups.groups, one, name, 'group-unknown')))].toSorted();
    else if (as === 'data') next.data = objectOf(one);
    else if (as.startsWith('data.')) {
      const key = as.slice('data.'.length);
      // A number that reads the same stays the number that it was.
      if (!Object.hasOwn(next.data, key) || String(next.data[key]) !== value) next.data[key] = value;
    }
  }
  if (next.name === '') throw new Refused('name-missing', null);
  if (!dataFits(next.data) && !isDeepStrictEqual(next.data, known?.data)) throw new Refused('too-long', null, JSON.stringify(next.data));
  if (next.identifiers.length > 20) throw new Refused('identifier-form', null, String(next.identifiers.length));
  return next;
};

const FIELDS = ['name', 'externalId', 'identifiers', 'labelId', 'groupIds', 'data'] as const;
const WIRE = { labelId: 'statusLabelId', groupIds: 'assetGroupIds' } as const;
const changesOf = (before: KnownAsset, after: Content): string[] =>
  FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field])).map((field) =>
    field in WIRE ? WIRE[field as keyof typeof WIRE] : field,
  );

/** Each line's fate, by what the company has and what stands in the lines above it. Changes nothing. */
export const plan = ({ columns, lines }: Table, lookups: Lookups): Planned[] => {
  const owners = new Map<string, string>(lookups.byIdentifier);
  const externals = new Map<string, string>(lookups.byExternalId);
  const seen = new Map<string, number>();
  const claim = (map: Map<string, string>, key: string, owner: string, words: string): void => {
    const holder = map.get(key);
    if (holder === undefined || holder === owner) return void map.set(key, owner);
    if (holder.startsWith('line ')) throw new Refused('twice', null, holder.slice('line '.length));
    throw new Refused('identifier-taken', null, words);
  };
  return lines.map((line): Planned => {
    const nameAt = columns.findIndex(({ as }) => as === 'name');
    const base = { line: line.line, name: (line.cells[nameAt] ?? '').slice(0, 200), assetId: null, changes: [], content: null };
    try {
      const said = saidIn(line, columns);
      const id = matched(said, lookups);
      const known = id === null ? null : (lookups.assets.get(id) ?? null);
      if (known) {
        const before = seen.get(known.id);
        if (before !== undefined) throw new Refused('twice', null, String(before));
        seen.set(known.id, line.line);
      }
      const content = contentOf(said, known, lookups);
      const owner = known?.id ?? `line ${line.line}`;
      const keys = content.identifiers.map(({ kind, value }) => `${kind.toLowerCase()}\n${value}`);
      if (new Set(keys).size < keys.length) throw new Refused('identifier-form', null);
      content.identifiers.forEach((identifier) =>
        claim(owners, identifierKey(identifier), owner, `${identifier.kind}: ${identifier.value}`),
      );
      if (content.externalId) claim(externals, content.externalId, owner, content.externalId);
      const changes = known ? changesOf(known, content) : [];
      if (known && !known.isOurs && changes.length > 0) throw new Refused('changed-there', null, known.name);
      const fate = known ? (changes.length > 0 ? 'changed' : 'unchanged') : 'made';
      return { ...base, name: content.name, assetId: known?.id ?? null, changes, fate, problems: [], content };
    } catch (error) {
      if (error instanceof Refused) return { ...base, fate: 'refused', problems: [error.problem] };
      throw error;
    }
  });
};
