/** GSM 7-bit, the phones' small alphabet: its characters, and those of its extension, which count twice. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]$/;
const GSM_TWICE = /^[\f^{}\\[~\]|€]$/;

/** What the small alphabet lacks, with the nearest that it has. Letters with a mark lose it; these have none to lose. */
const NEAREST: Readonly<Record<string, string>> = {
  '\u2010': '-', '\u2012': '-', '–': '-', '—': '-', '―': '-', '−': '-', '•': '-', '·': '-', '×': 'x', '\t': ' ',
  '’': "'", '‘': "'", '‚': "'", '‛': "'", '‹': "'", '›': "'", '`': "'", '´': "'", '′': "'", ʻ: "'", ʼ: "'",
  '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"', '″': '"', '¨': '"',
  Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th', Ħ: 'H', ħ: 'h', ı: 'i', Œ: 'OE', œ: 'oe', Ŋ: 'N', ŋ: 'n', Ŧ: 'T', ŧ: 't', ẞ: 'ß', ĸ: 'k',
  Ǥ: 'G', ǥ: 'g', Ə: 'A', ə: 'a',
}; // prettier-ignore

const inGsm = (text: string): boolean => Array.from(text).every((character) => GSM.test(character) || GSM_TWICE.test(character));

/**
 * In the small alphabet, since one letter outside it would more than halve what fits into a part: a letter that it lacks as the nearest one.
 * Raised digits and fractions stay, since 2½ is not 21/2. A text with one that has none near (Пётр) stays as it is and goes as Unicode: a name is never written with question marks.
 */
export function gsm(text: string): string {
  const near = Array.from(text.normalize(), (character) => {
    if (inGsm(character)) return character;
    return (
      NEAREST[character] ??
      character
        .normalize(/\p{No}/u.test(character) ? 'NFD' : 'NFKD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/./gu, (bare) => NEAREST[bare] ?? bare)
    );
  }).join('');
  return inGsm(near) ? near : text;
}

/** Pictures that stand for what was typed before there were any. */
const TYPED: readonly (readonly [string, string])[] = [
  ['🙂😊😀😃😄😁😆😇🤗☺', ':-)'],
  ['😉', ';-)'],
  ['🙁😞😟😢😭😔', ':-('],
  ['😂🤣', ':-D'],
  ['😛😜😝', ':-P'],
  ['😮😲', ':-O'],
  ['💙💚💛💜🧡🖤🤍🤎💖💗💕', '<3'],
  ['👍👌🆗', 'OK'],
];
const FLAG_A = 0x1f1e6;

const typed = (sign: string): string => {
  const [first = ''] = Array.from(sign);
  const plain = sign.normalize('NFKC');
  if (!/[\u{10000}-\u{10ffff}]/u.test(plain)) return plain;
  const face = TYPED.find(([pictures]) => Array.from(pictures).includes(first))?.[1];
  if (face !== undefined) return face;
  if (/^[\u{1f1e6}-\u{1f1ff}]+$/u.test(sign))
    return Array.from(sign, (half) => String.fromCodePoint(65 + (half.codePointAt(0) ?? FLAG_A) - FLAG_A)).join('');
  // The square that phones show for a letter that they lack.
  return /\p{L}/u.test(first) ? '□' : '*';
};

/**
 * For a gateway that carries no character beyond U+FFFF (emoji, most of all): what comes nearest to each in plain signs, and a star where
 * nothing does. Nothing is left out without a sign, and nothing becomes a question mark.
 */
export function withoutPictures(text: string): string {
  if (!/[\u{10000}-\u{10ffff}]/u.test(text)) return text;
  const signs = Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
  return gsm(signs.map((sign) => (/[\u{10000}-\u{10ffff}]/u.test(sign) ? typed(sign) : sign)).join(''));
}

interface SmsSize {
  /** `unicode`: a character outside of the small alphabet is in it. */
  readonly alphabet: 'gsm' | 'unicode';
  /** As they are counted on the way: one of the extension's counts twice, an emoji as the two halves that it is sent in. */
  readonly characters: number;
  readonly parts: number;
}

/** Full parts, one after the other: what counts twice goes whole into the next one, so that a part may end one short. */
const joined = (weights: readonly number[], room: number): number => {
  let [parts, used] = [1, 0];
  for (const weight of weights) {
    if (used + weight > room) [parts, used] = [parts + 1, 0];
    used += weight;
  }
  return parts;
};

/** What an SMS weighs: 160 characters in one part or 153 in each of several; outside of the small alphabet 70 or 67. */
export function smsSize(text: string): SmsSize {
  const all = Array.from(text);
  const small = inGsm(text);
  const weights = all.map((character) => (small ? (GSM.test(character) ? 1 : 2) : character.length));
  const characters = weights.reduce((sum, weight) => sum + weight, 0);
  const [alone, each] = small ? [160, 153] : [70, 67];
  return { alphabet: small ? 'gsm' : 'unicode', characters, parts: characters <= alone ? 1 : joined(weights, each) };
}
