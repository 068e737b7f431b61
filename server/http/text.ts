import { readJson } from '@hatchway/contract/json.ts';
import { Problem } from './problem.ts';

// Strict: what is no UTF-8 would else be kept as other characters than were sent. A byte order mark is none of the text.
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]*)/i;

/** Throws Problem `unsupported-media` for a content type that declares another charset than UTF-8. */
export const throwUnlessUtf8 = (contentType: string | undefined): void => {
  const declared = CHARSET.exec(contentType ?? '')?.[1] ?? '';
  if (!/^(utf-?8)?$/i.test(declared)) throw new Problem('unsupported-media', 'The only charset is UTF-8');
};

/** Throws Problem `malformed` for bytes that are no UTF-8, `unsupported-media` where their content type says so. */
export const textOf = (bytes: Uint8Array, contentType?: string): string => {
  throwUnlessUtf8(contentType);
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Problem('malformed', 'The text is not UTF-8');
  }
};

/**
 * A body that is JSON. A whole number that would be rounded reads as one without end, which `sound` refuses where it stands; of a
 * fraction, the digits that a number has no room for are how programs write it. Throws SyntaxError.
 */
export const bodyOf = (text: string): unknown => readJson(text, (written, read) => (/^-?\d+$/.test(written) ? Infinity : read));
