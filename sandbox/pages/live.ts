import { el } from './shell.ts';

type LineWords = Record<'live' | 'lost', string>;
/** `stands`: the line is there, at first and again; what came while it was down has to be fetched. `hears`: what came by it. */
type LineActs = { stands: () => void; hears: (data: string) => void };

/** Follows a page's server, and says whether the line to it stands. */
export function liveLine(address: string, words: LineWords, { stands, hears }: LineActs): HTMLElement {
  const state = el('span', { class: 'live', role: 'status' }, words.live);
  const events = new EventSource(address);
  events.addEventListener('open', () => {
    state.textContent = words.live;
    state.classList.remove('off');
    stands();
  });
  events.addEventListener('error', () => {
    state.textContent = words.lost;
    state.classList.add('off');
  });
  events.addEventListener('message', (event: MessageEvent<string>) => hears(event.data));
  return state;
}

/** One read at a time: what changes meanwhile is read once more. */
export function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let reading = false;
  let isStale = false;
  return async () => {
    isStale = true;
    if (reading) return;
    reading = true;
    try {
      while (isStale) {
        isStale = false;
        await read();
      }
    } finally {
      reading = false;
    }
  };
}
