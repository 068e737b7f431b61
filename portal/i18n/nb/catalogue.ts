import type { en } from '../en/catalogue.ts';
import type { SameVariables, Translated } from '../shape.ts';
import { common } from './common.ts';
import { lockers } from './lockers.ts';
import { occupations } from './occupations.ts';
import { terms } from './terms.ts';

/** Every text of the portal in Norwegian Bokmål, loaded when that language is chosen. */
export const nb = { common, lockers, occupations, terms } as const satisfies Translated<typeof en>;

/** Does not compile when a text names other variables than the English one does; the error shows its key. */
const sameVariables: [SameVariables<typeof en, typeof nb>] extends [never] ? true : SameVariables<typeof en, typeof nb> = true;
void sameVariables;
