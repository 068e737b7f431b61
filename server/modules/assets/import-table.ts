import { type FileProblem, FORMULA } from '@hatchway/contract/csv.ts';
import { normalText, oneLine, plainText } from '@hatchway/domain/text.ts';
import type { CsvError } from 'csv-parse/sync';
import { Problem } from '../../http/problem.ts';
import { assetFieldOf } from './import-columns.ts';

const MOST_ROWS = 10_000;
const MOST_COLUMNS = 100;
const MOST_CELLS = MOST_ROWS * MOST_COLUMNS;

export type Column = { header: string; as: string | null };
export type Line = { line: number; cells: string[] };
export type Table = { columns: Column[]; lines: Line[] };

const wrong = (file: FileProblem, detail: string, value = ''): Problem =>
  new Problem('rule', detail, { errors: [{ pointer: '/file', detail }], data: { file, value } });

/** UTF-8, with or without a byte order mark. */
const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong('encoding', 'The file is not UTF-8');
  }
};

const SEPARATORS = [',', ';', '\t'] as const;

/**
 * The separator that stands most often in the head, outside of quotes. Throws Problem `rule` for a file with more cells than its rows
 * and columns may have: empty ones take hardly a byte each, and parsing millions of them would keep everybody else waiting.
 */
const separatorOf = (text: string): string => {
  const counts = { ',': 0, ';': 0, '\t': 0 };
  const mostIn = () => SEPARATORS.reduce((best, one) => (counts[one] > counts[best] ? one : best));
  let quoted = false;
  let found: (typeof SEPARATORS)[number] | null = null;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '\n' || character === '\r') found ??= mostIn();
    else if (character === ',' || character === ';' || character === '\t') {
      counts[character] += 1;
      if ((found === null || found === character) && counts[character] > MOST_CELLS)
        throw wrong('cells', `A file may have ${MOST_CELLS} cells at most`, String(MOST_CELLS));
    }
  }
  return found ?? mostIn();
};

/** Our own files put an apostrophe before what a spreadsheet would take for a formula; it is none of the value's. */
const GUARD = new RegExp(`^'(?='*${FORMULA})`);
/** A text as a formula, by which programs keep a spreadsheet from dropping its zeros; as they write it, it is no CSV. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;
const BARE_FORMULA = /(?<=^|[,;\t|\r\n])="([^"\r\n](?:[^"\r\n]|"")*)"(?=[,;\t|\r\n]|$)/g;
const cellOf = (raw: string): string =>
  raw
    .replace(TEXT_FORMULA, (_, said: string) => said.replaceAll('""', '"'))
    .replace(GUARD, '')
    .trim();

const MANY_LINES = /^data(?:\.|$)/;
/** As a call takes in the same field. */
const takenAs = (as: string | null, cell: string): string =>
  as === null || MANY_LINES.test(as) ? cell : as === 'externalId' || as.startsWith('identifier') ? plainText(cell) : oneLine(cell);

/** A spreadsheet may name the separator in a line of its own before the head. */
const NAMED = /^sep=(.)(?:\r\n?|\n)/i;

const lineOf = (error: CsvError): string => {
  const lines: unknown = error['lines'];
  return typeof lines === 'number' ? String(lines) : '?';
};

/** Throws Problem `rule` for what is no CSV, has no head, or is too long. Lines without any content are left out. */
export const readTable = async (file: Uint8Array | string): Promise<Table> => {
  const csv = await import('csv-parse/sync');
  const text = normalText(typeof file === 'string' ? file : textOf(file)).replaceAll(BARE_FORMULA, '"$1"');
  const named = NAMED.exec(text);
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = csv.parse(text, {
      delimiter: named?.[1] ?? separatorOf(text),
      from_line: named ? 2 : 1,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 200_000,
      to: MOST_ROWS + 2,
    }) as unknown as typeof records;
  } catch (error) {
    if (error instanceof csv.CsvError) throw wrong('form', `The file is no CSV: line ${lineOf(error)}`, lineOf(error));
    throw error;
  }
  const head = (records[0]?.record ?? []).map(cellOf);
  while (head.length > 0 && head.at(-1) === '') head.pop();
  if (head.length === 0) throw wrong('empty', 'The file is empty');
  if (head.length > MOST_COLUMNS) throw wrong('columns', `A file may have ${MOST_COLUMNS} columns at most`, String(MOST_COLUMNS));
  const columns = head.map((header) => ({ header, as: assetFieldOf(header) }));
  const fields = columns.map(({ as }) => as).filter((as) => as !== null);
  const double = fields.find((as, at) => fields.indexOf(as) !== at);
  if (double) throw wrong('column-twice', `Two columns are ${double}`, double);
  // `lines` counts to the record's last line; a cell may hold several.
  const lines = records.slice(1).map(({ record, info }) => ({
    line: info.lines - record.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0),
    cells: record.map((cell, at) => takenAs(columns[at]?.as ?? null, cellOf(cell))),
  }));
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (filled.length > MOST_ROWS) throw wrong('rows', `A file may have ${MOST_ROWS} rows at most`, String(MOST_ROWS));
  return { columns, lines: filled };
};
