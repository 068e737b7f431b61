import { common } from './common.ts';
import { lockers } from './lockers.ts';
import { occupations } from './occupations.ts';
import { terms } from './terms.ts';

/** Every text of the portal in English. A noun is a file; `t('occupations.title')` reads it. */
export const en = { common, lockers, occupations, terms } as const;
