import type { Translated } from '../shape.ts';
import type { lockers as en } from '../en/lockers.ts';

export const lockers = {
  title: 'Låsestyring',
} as const satisfies Translated<typeof en>;
