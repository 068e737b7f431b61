import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { frame } from './frame.ts';
import { history } from './history.ts';
import { problems } from './problems.ts';
import { terms } from './terms.ts';

/** What the frame and the light screens (app/light.ts) say: a part of the first load, so nothing else stands here. */
export const first = {
  common,
  dashboard,
  frame,
  history,
  problems,
  terms,
} as const;
