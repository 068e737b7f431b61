/** GSM 7-bit, the phones' small alphabet: its characters, and those of its extension, which count twice. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]$/;
const GSM_TWICE = /^[\f^{}\\[~\]|€]$/;

const TYPOGRAPHY: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '…': '...',
  '\u00a0': ' ',
};

/** In the small alphabet: one letter outside it would more than halve what fits into a part. What it lacks loses its accent, or becomes "?". */
export function gsm(text: string): string {
  return Array.from(text, (character) => {
    const plain = TYPOGRAPHY[character] ?? character;
    if (plain.length > 1 || GSM.test(plain) || GSM_TWICE.test(plain)) return plain;
    const [bare = ''] = plain.normalize('NFD');
    return GSM.test(bare) ? bare : '?';
  }).join('');
}

interface SmsSize {
  /** `unicode`: a character outside of the small alphabet is in it. */
  readonly alphabet: 'gsm' | 'unicode';
  /** As they are counted on the way: one of the extension's counts twice, an emoji as the two halves that it is sent in. */
  readonly characters: number;
  readonly parts: number;
}

/** What an SMS weighs: 160 characters in one part or 153 in each of several; outside of the small alphabet 70 or 67. */
export function smsSize(text: string): SmsSize {
  let characters = 0;
  for (const character of text) {
    if (GSM.test(character)) characters += 1;
    else if (GSM_TWICE.test(character)) characters += 2;
    else return { alphabet: 'unicode', characters: text.length, parts: text.length <= 70 ? 1 : Math.ceil(text.length / 67) };
  }
  return { alphabet: 'gsm', characters, parts: characters <= 160 ? 1 : Math.ceil(characters / 153) };
}
