import type { Translated } from '../shape.ts';
import type { lockers as en } from '../en/lockers.ts';

export const lockers = {
  title: 'Låsestyring',
  wall: {
    size: 'størrelse {{size}}',
    ajar: 'døren er åpen',
    busy: 'venter på styreenheten',
    bestFit: 'passer best',
    freeOf: '{{free}} av {{total}} ledige',
    keys: 'Piltastene flytter fra luke til luke.',
    legend: 'Hva lukene viser',
    number: 'Skap {{number}}',
  },
} as const satisfies Translated<typeof en>;
