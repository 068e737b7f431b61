import type { Behaviours } from './change.ts';
import { CLAIMING } from './change-claiming.ts';
import { ENDING } from './change-ending.ts';
import { FILLING } from './change-filling.ts';
import { OFFERING } from './change-offering.ts';

/** What each trigger of the table does beside its row. A trigger without an entry doesn't compile. */
export const BEHAVIOURS: Behaviours = { ...FILLING, ...OFFERING, ...CLAIMING, ...ENDING };
