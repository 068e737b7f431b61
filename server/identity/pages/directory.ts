import { html } from '../html.ts';
import { BASE } from '../options.ts';
import type { Word } from '../words.ts';
import type { Page } from './layout.ts';

/**
 * Why nobody was let in. `denied`: they broke off there. `refused`: what came back is not the directory's word. `away`: it does not answer.
 * `not-connected`: no company here has that directory. `not-taken`: the company has, and they are not let in.
 */
export type DirectoryFault = 'denied' | 'refused' | 'away' | 'not-connected' | 'not-taken';

const WORD: Record<DirectoryFault, Word> = {
  denied: 'directoryDenied',
  refused: 'directoryRefused',
  away: 'directoryAway',
  'not-connected': 'directoryNotConnected',
  'not-taken': 'directoryNotTaken',
};
const STATUS: Record<DirectoryFault, number> = { denied: 400, refused: 400, away: 503, 'not-connected': 403, 'not-taken': 403 };

export const directoryPage = (uid: string, fault: DirectoryFault): Page => ({
  status: STATUS[fault],
  title: (say) => say('directoryTitle'),
  body: ({ say }) =>
    html`<p>${say(WORD[fault])}</p>
      <a class="button" href="${BASE}/login/${uid}?again=1">${say('back')}</a>`,
});
