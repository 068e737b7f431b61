import type { Trouble } from '../app/trouble.ts';
import type { Words } from '../words/en.ts';

const span = (seconds: number | null, words: Words): string | null =>
  seconds === null ? null : words.minutes(Math.max(1, Math.ceil(seconds / 60)));

/** What went wrong, in the reader's language: never a status, never a code. */
export function troubleText(trouble: Trouble, words: Words): string {
  switch (trouble.kind) {
    case 'line':
      return words.trouble.lineShort;
    case 'later':
      return words.trouble.later;
    case 'wait':
      return trouble.codes ? words.trouble.waitCodes(span(trouble.seconds, words)) : words.trouble.wait(span(trouble.seconds, words));
    case 'code':
      if (trouble.triesLeft === null) return words.enter.wrongCode;
      return `${words.enter.wrongCode} ${trouble.triesLeft > 0 ? words.enter.triesLeft(trouble.triesLeft) : words.enter.noTries}`;
    case 'cabinet':
      return words.enter.unknownCabinet;
    case 'link':
      return words.gone.text;
    case 'refused':
      return trouble.code === null ? words.trouble.refused : words.refused[trouble.code];
  }
}

/** The same of a page that follows what it is about: it goes on looking by itself. */
export const lostText = (trouble: Trouble, words: Words): string =>
  trouble.kind === 'line' ? words.trouble.line : troubleText(trouble, words);

/** Why nothing was begun: who is late here has paid nothing. */
export function boughtText(trouble: Trouble, words: Words): string {
  if (trouble.kind === 'refused' && trouble.code === 'sold-out') return words.shop.soldOut;
  return trouble.kind === 'refused' && trouble.code === null ? words.shop.notPossible : troubleText(trouble, words);
}
