import { faultPanel, type Channels, type PanelWords } from './faults.ts';
import { liveLine, oneAtATime } from './live.ts';
import { el, standAlone, type Place } from './shell.ts';

type NeighbourWords = PanelWords & Record<'live' | 'lost' | 'title' | 'lead', string>;

/**
 * What the page of every neighbour has: its head, its bad days, and its books, which are drawn at first and whenever something changed.
 * `search`: what of the books is asked for.
 */
export function neighbour<Books extends { alone: boolean }, Words extends NeighbourWords>(
  place: Place,
  words: Words,
  channels: Channels<Words>,
  draw: (books: Books) => void,
  search = () => '',
): { head: HTMLElement; faults: HTMLElement; load: () => Promise<void> } {
  const at = `/sandbox/${place}`;
  const load = oneAtATime(async () => {
    const answer = await fetch(`${at}/books${search()}`);
    if (!answer.ok) return;
    const books = (await answer.json()) as Books;
    if (books.alone) standAlone();
    draw(books);
  });
  const faults = faultPanel({ address: `${at}/faults`, words, channels, only: 'reference' });
  const state = liveLine(`${at}/events`, words, {
    stands: () => void load(),
    hears: () => {
      void load();
      void faults.refresh();
    },
  });
  const head = el('div', { class: 'head' }, el('div', {}, el('h1', {}, words.title), el('p', { class: 'dim' }, words.lead), state));
  return { head, faults: faults.node, load };
}
