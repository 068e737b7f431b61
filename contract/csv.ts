/** How a list is written as a file, by the server and in the browser alike: UTF-8 with a byte order mark, lines by RFC 4180. */
export type Cell = string | number | null;

/** With what a spreadsheet begins a formula, behind blanks and in other widths too. */
export const FORMULA = '\\s*[=+\\-@\\t\\r\\n＝＋－＠﹦﹢﹣﹫]';
const GUARDED = new RegExp(`^'*${FORMULA}`);
/** What a spreadsheet would take for a formula gets an apostrophe before it, and one more what begins so already: a file read again takes one off. */
const cellOf = (value: Cell, separator: string): string => {
  const text = value === null ? '' : String(value);
  // Numbers of our own are none: a minus before digits is a number to a spreadsheet too.
  const safe = typeof value === 'string' && GUARDED.test(text) ? `'${text}` : text;
  return /["\n\r]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const lineOf = (cells: readonly Cell[], separator: string): string =>
  `${cells.map((cell) => cellOf(cell, separator)).join(separator)}\r\n`;

/** By which spreadsheets know that it is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What a spreadsheet of that language expects between cells: Norwegian ones have the comma inside their numbers. */
export const separatorOf = (locale: 'en' | 'nb'): ',' | ';' => (locale === 'nb' ? ';' : ',');

/** Several things in one cell, `a | b`: what would be read as their border is written after a `\`. */
const escaped = (text: string, borders: RegExp): string => text.replaceAll(borders, '\\$&');
const bare = (text: string): string => text.trim().replaceAll(/\\([\\|:])/g, '$1');
const partsOf = (cell: string): string[] => cell.match(/(?:\\[\\|:]|[^|])+/g) ?? [];

export const namesCell = (names: readonly string[]): string => names.map((name) => escaped(name, /[\\|]/g)).join(' | ');
export const namesIn = (cell: string): string[] => partsOf(cell).map(bare);

/** An asset's identifiers, `kind:value | kind:value`. Read from a file, one without a kind is a barcode. */
export const identifiersCell = (identifiers: readonly { kind: string; value: string }[]): string =>
  identifiers.map(({ kind, value }) => `${escaped(kind, /[\\|:]/g)}:${escaped(value, /[\\|]/g)}`).join(' | ');
export const identifiersIn = (cell: string): { kind: string; value: string }[] =>
  partsOf(cell).map((part) => {
    const kind = /^(?:\\[\\|:]|\\(?![\\|:])|[^\\:])*/.exec(part)?.[0] ?? '';
    return kind.length === part.length
      ? { kind: 'barcode', value: bare(part) }
      : { kind: bare(kind), value: bare(part.slice(kind.length + 1)) };
  });

/** Why a file of assets is refused before its rows are read: `data.file` of the problem, with what it is about in `data.value`. */
export const FILE_PROBLEMS = ['encoding', 'form', 'empty', 'columns', 'column-twice', 'rows', 'cells'] as const;
export type FileProblem = (typeof FILE_PROBLEMS)[number];
