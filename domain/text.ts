/** Letters that are written differently where they are joined and where they are not: there a joiner is seen. */
const JOINED =
  '\\p{sc=Arabic}\\p{sc=Syriac}\\p{sc=Mongolian}\\p{sc=Devanagari}\\p{sc=Bengali}\\p{sc=Gurmukhi}\\p{sc=Gujarati}\\p{sc=Oriya}\\p{sc=Tamil}\\p{sc=Telugu}\\p{sc=Kannada}\\p{sc=Malayalam}\\p{sc=Sinhala}\\p{sc=Khmer}';
/**
 * What nobody sees (Unicode's Default_Ignorable_Code_Point, and the signs around notes between lines), save where it changes what is seen:
 * inside an emoji or a flag, between letters that join, and after a Han letter that has several forms.
 */
const UNSEEN = new RegExp(
  [
    '(?<=\\p{ExtPict}[\\ufe0e\\ufe0f]?\\p{EMod}?)\\u200d(?=\\p{ExtPict})',
    '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    '(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007f}]*)[\\u{e0020}-\\u{e007f}]',
    `(?<=[${JOINED}])[\\u200c\\u200d](?=[${JOINED}])`,
    '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '([\\p{DI}\\ufff9-\\ufffb])',
  ].join('|'),
  'gu',
);

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/**
 * The one form in which text is taken in, whatever it is for: each letter with its mark as one, and nothing in it that nobody sees, so that
 * what looks the same is the same.
 */
export const normalText = (text: string): string =>
  isAscii(text)
    ? text
    : text.replaceAll(UNSEEN, (sign: string, unseen: string | undefined) => (unseen === undefined ? sign : '')).normalize();

/** The value of a digit of whatever script: each script has its ten in a row. */
const digitOf = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
};

/**
 * What is typed or scanned sign by sign (a number, a code, an identifier, an address): every digit, letter, dash and blank as the keyboard's
 * own of its kind, without blanks around.
 */
export const plainText = (text: string): string =>
  normalText(text)
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, digitOf)
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/[\s\u0085]+/g, ' ')
    .trim();

/** What is read as a dot in an address. */
const DOT = '[.\\u3002\\uff0e\\uff61\\ufe52\\u2024]';
/** What a reader's program would make a link of: the border after a scheme, a dot before letters, and the first of four numbers. */
const LINK_BORDER = new RegExp(
  `(?<=[\\p{L}\\p{M}\\p{N}\\p{S}_-])(?:${DOT}(?=[\\p{L}\\p{M}\\p{N}-]*\\p{L}|\\p{Nd}{1,3}(?:${DOT}\\p{Nd}{1,3}){2}(?!\\p{Nd}))|:(?=//))`,
  'gu',
);
/** A name among our own words, in which nothing becomes a link: each such border is parted by `gap`. */
export const unlinked = (name: string, gap: string): string => name.replaceAll(LINK_BORDER, `$&${gap}`);

/** On one line, for what stands among other words: a name, a title. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ').trim();
