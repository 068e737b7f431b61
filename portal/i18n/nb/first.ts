import type { first as en } from '../en/first.ts';
import type { Translated } from '../shape.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { frame } from './frame.ts';
import { history } from './history.ts';
import { problems } from './problems.ts';
import { terms } from './terms.ts';

/** As in English: what the frame and the light screens say. */
export const first = {
  common,
  dashboard,
  frame,
  history,
  problems,
  terms,
} as const satisfies Translated<typeof en>;
