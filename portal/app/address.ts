import { parseSearchWith } from '@tanstack/react-router';

/** A door tag such as 527E-2 is a text, though JSON would read a number from it; plain numbers are told apart before this is asked. */
const value = (text: string): unknown => {
  if (/^-?[\d.]/.test(text)) throw new SyntaxError('a text');
  return JSON.parse(text);
};

/** What stands behind the question mark, for addresses that came from elsewhere too: printed, typed, sent in a message. */
export const parseSearch = parseSearchWith(value);
