import type { Pickup } from '@hatchway/contract/pickup.ts';
import type { Words } from '../words/en.ts';

type Said = { openText: string; ask: string; done: string };

/** What is said to whoever stands at the door. Of a stock so many pieces are theirs, and the rest is not. */
export function atDoor({ purpose, quantity, ended }: Pick<Pickup, 'purpose' | 'quantity' | 'ended'>, words: Words): Said {
  const own = words.purpose[purpose];
  if (ended !== null) return ended.how === 'taken' ? { ...own, openText: words.takeYours } : own;
  if (purpose !== 'take' || quantity === null) return own;
  const { openText, ask, done } = words.pieces;
  return { openText: openText(quantity), ask: ask(quantity), done: done(quantity) };
}
