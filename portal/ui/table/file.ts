/** The calls that write a list as a file. */
export type ListFile = {
  call: 'GET /exports/assets' | 'GET /exports/occupations' | 'GET /exports/history' | 'GET /exports/payments' | 'GET /exports/members';
  q: Record<string, unknown>;
};

const two = (n: number): string => String(n).padStart(2, '0');
/** `Assets 2026-11-21.csv`: sorted by name, files of one list stand in the order of their days. */
export const fileName = (label: string, now = new Date()): string =>
  `${label} ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.csv`;
