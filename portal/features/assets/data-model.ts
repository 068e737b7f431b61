import { asWritten, readJson } from '@hatchway/contract/json.ts';

/** An asset's data as it is edited: as fields and as JSON, of which the one touched last is the truth. */
type DataRow = {
  id: number;
  key: string;
  text: string;
  /** What stood there was no text, so what is written is read as JSON. */ typed: boolean;
};
export type DataDraft = { rows: DataRow[]; json: string; fault: DataFault | null };
export type DataFault = { kind: 'object' } | { kind: 'json'; why: string } | { kind: 'twice'; name: string } | { kind: 'nameless' };
export type Data = Record<string, unknown>;

let last = 0;
const nextId = (): number => (last += 1);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const rowsOf = (data: Data): DataRow[] =>
  Object.entries(data).map(([key, value]) => ({ id: nextId(), key, text: textOf(value), typed: typeof value !== 'string' }));
const jsonOf = (data: Data): string => JSON.stringify(data, null, 2);

export const dataDraft = (data: Data): DataDraft => ({ rows: rowsOf(data), json: jsonOf(data), fault: null });

const valueOf = ({ text, typed }: DataRow): unknown => {
  if (!typed) return text;
  try {
    return readJson(text, asWritten);
  } catch {
    return text;
  }
};

/** The fields changed: the JSON follows, as far as they make an object. */
export const withRows = (draft: DataDraft, rows: DataRow[]): DataDraft => {
  const keys = rows.map((row) => row.key.trim());
  const twice = keys.find((key, at) => key !== '' && keys.indexOf(key) !== at);
  if (twice !== undefined) return { ...draft, rows, fault: { kind: 'twice', name: twice } };
  // A row that is wholly empty is one that was added and not begun.
  if (rows.some((row, at) => keys[at] === '' && row.text !== '')) return { ...draft, rows, fault: { kind: 'nameless' } };
  const data: Data = Object.fromEntries(rows.flatMap((row, at) => (keys[at] ? [[keys[at], valueOf(row)]] : [])));
  return { rows, json: jsonOf(data), fault: null };
};
export const withField = (draft: DataDraft): DataDraft =>
  withRows(draft, [...draft.rows, { id: nextId(), key: '', text: '', typed: false }]);

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON changed: the fields follow, as far as it is an object; until then they stay, and nothing can be saved. */
export const withJson = (draft: DataDraft, json: string): DataDraft => {
  try {
    const value: unknown = readJson(json.trim() === '' ? '{}' : json, asWritten);
    if (!isObject(value)) return { ...draft, json, fault: { kind: 'object' } };
    return { rows: rowsOf(value), json, fault: null };
  } catch (error) {
    return { ...draft, json, fault: { kind: 'json', why: error instanceof Error ? error.message : String(error) } };
  }
};

/** What would be saved; null while it is none. */
export const dataOf = ({ json, fault }: DataDraft): Data | null => {
  if (fault) return null;
  const value: unknown = readJson(json.trim() === '' ? '{}' : json, asWritten);
  return isObject(value) ? value : null;
};
