import { BYTE_ORDER_MARK, lineOf, separatorOf } from '@hatchway/contract/csv.ts';
import { localDay } from '../../app/dates.ts';
import { i18next } from '../../i18n/setup.ts';
import type { Column } from './column.ts';
import { save } from './save.ts';

/** The calls that write a list as a file. */
export type ListFile = {
  call: 'GET /exports/assets' | 'GET /exports/occupations' | 'GET /exports/history' | 'GET /exports/payments' | 'GET /exports/members';
  q: Record<string, unknown>;
};

/** `Assets 2026-11-21.csv`: sorted by name, files of one list stand in the order of their days. */
export const fileName = (label: string): string => `${label} ${localDay()}.csv`;

export const fileLocale = (): 'en' | 'nb' => (i18next.language.startsWith('n') ? 'nb' : 'en');

/** Writes rows that the browser holds as a file: the columns that have a text, under their headers. */
export const saveRows = <T>(label: string, columns: readonly Pick<Column<T>, 'header' | 'text'>[], rows: readonly T[]): void => {
  const written = columns.flatMap(({ header, text }) => (text ? [{ header, text }] : []));
  const cells = [written.map(({ header }) => header), ...rows.map((row) => written.map(({ text }) => text(row)))];
  const lines = cells.map((line) => lineOf(line, separatorOf(fileLocale())));
  save(fileName(label), new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv;charset=utf-8' }));
};
