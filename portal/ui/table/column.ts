import type { ReactNode } from 'react';

export type Column<T> = {
  id: string;
  header: string;
  /** Plain markup: a cell is drawn thousands of times. Without it stands there what the file has, or a dash where that has nothing. */
  cell?: (row: T) => ReactNode;
  /** For the CSV file; without it the column is not in the file. */
  text?: (row: T) => string | number | null;
  /** The field's name in the call's `sort`, where the server can sort by it. */
  sort?: string;
  /** Heads the card that a row is on a phone; without it the first column does. */
  lead?: true;
  width?: number | string;
  /** The same in every row of a group: drawn in its first row alone. */
  once?: true;
  /** Not shown until somebody chooses it. */
  tucked?: boolean;
};

export const cellOf = <T>({ cell, text }: Column<T>, row: T): ReactNode => {
  if (cell) return cell(row);
  const said = text?.(row) ?? '';
  return said === '' ? '–' : said;
};
