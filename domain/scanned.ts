/** What a hand scanner typed, as its code has it. `layout`: it types for another keyboard than the machine's, and more than that cannot be read. */
export type Scanned = { readonly text: string; readonly mended: 'prefix' | 'layout' | 'capitals' | null; readonly unread: 'layout' | null };

/** `]C1`, `]Q3`: the kind of code, which many scanners say first (AIM). On a Nordic keyboard `]` is a dead key. */
const PREFIX = /^[\]¨][A-Za-z][0-9A-Za-z](?=.)/;
/** The key of `;` is a letter on these keyboards, and the one of `/` a dash. */
const NORDIC_LINK = /^https?[øæö]--/i;
const UNREAD_LINK = /^http(?!s?:\/\/)\S{8,}$/i;
/** What keys send on a Nordic keyboard, and below it what an American one has there. */
const NORDIC = `øØæÆöÖ-_+?/&"\\´=)(;:¤§¨^åÅ'`;
const THERE_ = '::::::/?-_&^@==)(*<>$~]}[{\\';
const american = (text: string): string => Array.from(text, (one) => THERE_[NORDIC.indexOf(one)] ?? one).join('');
const swapped = (text: string): string =>
  Array.from(text, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
/** No tag has a plus; where the dash of one should stand, the keyboard is another. */
const PLUS_TAG = /^(?=.{3,20}$)[A-Z0-9]+(?:\+[A-Z0-9]+)+$/i;

export function scannedText(raw: string): Scanned {
  // oxlint-disable-next-line no-control-regex -- what stands between the parts of a code, and its ends
  const sent = raw.replaceAll(/[\u0000-\u001f]/g, '').trim();
  const bare = sent.replace(PREFIX, '');
  const read = (text: string, mended: Scanned['mended']): Scanned => ({ text, mended, unread: null });
  const layout = NORDIC_LINK.test(bare) || PLUS_TAG.test(bare);
  const text = layout ? american(bare) : bare;
  // An address of ours begins in small letters: with capitals locked, all of it is the other way round.
  if (/^HTTPS?:\/\//.test(text)) return read(swapped(text), layout ? 'layout' : 'capitals');
  if (UNREAD_LINK.test(text)) return { text, mended: null, unread: 'layout' };
  return read(text, layout ? 'layout' : bare === sent ? null : 'prefix');
}
