/** A cell of a CSV file. What a spreadsheet would take for a formula gets an apostrophe before it. */
export const csvCell = (value: string | number | null | undefined): string => {
  const text = value == null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The file with a byte order mark, so that spreadsheets read it as UTF-8. */
export const csv = (head: readonly string[], rows: readonly (readonly (string | number | null | undefined)[])[]): string =>
  `\uFEFF${[head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

export const download = (name: string, content: string, type = 'text/csv;charset=utf-8'): void => save(name, new Blob([content], { type }));

export const save = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
