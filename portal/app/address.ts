import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

const MAY_BE_JSON = /^(?:[\s"[{]|false|null|true)/;

/** A door tag such as 527E-2 is a text, though JSON would read a number from it; plain numbers are told apart before this is asked. */
const value = (text: string): unknown => {
  if (!MAY_BE_JSON.test(text)) throw new SyntaxError('a text');
  return JSON.parse(text);
};

/** What stands behind the question mark, for addresses that came from elsewhere too: printed, typed, sent in a message. */
export const parseSearch = parseSearchWith(value);

const written = stringifySearchWith(JSON.stringify);
const wouldBeRead = (text: string): boolean => String(Number(text)) === text || MAY_BE_JSON.test(text);
/**
 * In quotes stand the texts alone that would be read as something else. The router's own way tries to read each of them: an error for each
 * day and each word, of which a screen writes some dozens.
 */
export const stringifySearch = (search: Record<string, unknown>): string =>
  written(
    Object.fromEntries(
      Object.entries(search).map(([key, one]) => [key, typeof one === 'string' && wouldBeRead(one) ? JSON.stringify(one) : one]),
    ),
  );
