import type { Translated } from '../shape.ts';
import type { occupations as en } from '../en/occupations.ts';

export const occupations = {
  title: 'Skapbruk',
} as const satisfies Translated<typeof en>;
