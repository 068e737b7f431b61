import { localDay } from '../../app/dates.ts';

/** The calls that write a list as a file. */
export type ListFile = {
  call: 'GET /exports/assets' | 'GET /exports/occupations' | 'GET /exports/history' | 'GET /exports/payments' | 'GET /exports/members';
  q: Record<string, unknown>;
};

/** `Assets 2026-11-21.csv`: sorted by name, files of one list stand in the order of their days. */
export const fileName = (label: string): string => `${label} ${localDay()}.csv`;
