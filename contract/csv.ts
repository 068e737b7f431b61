/** How a list is written as a file, by the server and in the browser alike: UTF-8 with a byte order mark, lines by RFC 4180. */
export type Cell = string | number | null;

/** What a spreadsheet would take for a formula gets an apostrophe before it. */
const cellOf = (value: Cell, separator: string): string => {
  const text = value === null ? '' : String(value);
  // Numbers of our own are none: a minus before digits is a number to a spreadsheet too.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /["\n\r]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const lineOf = (cells: readonly Cell[], separator: string): string =>
  `${cells.map((cell) => cellOf(cell, separator)).join(separator)}\r\n`;

/** By which spreadsheets know that it is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What a spreadsheet of that language expects between cells: Norwegian ones have the comma inside their numbers. */
export const separatorOf = (locale: 'en' | 'nb'): ',' | ';' => (locale === 'nb' ? ';' : ',');
