/** Where in the site an address leads. */
export type Place =
  | { page: 'enter'; cabinet: string | null }
  | { page: 'pickup'; token: string }
  | { page: 'link'; token: string }
  /** `cabinet`: where it was begun, and where whoever approved it comes back to. */
  | { page: 'purchase'; token: string; cabinet: string | null }
  | { page: 'shop'; name: string; good: string | null }
  | { page: 'unknown' };

const SECRET = /^[A-Za-z0-9._~-]{8,200}$/;
const SHOP = /^[a-z0-9-]{3,40}$/;
const GOOD = /^([0-9a-f-]{36})?$/;
const NUMBER = /^[0-9A-Za-z-]{1,12}$/;

export function placeOf(pathname: string): Place {
  const [first = '', second = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  if (first === '') return { page: 'enter', cabinet: null };
  const shop = second.toLowerCase();
  if (first === 'shop' && SHOP.test(shop) && rest.length <= 1 && GOOD.test(rest[0] ?? ''))
    return { page: 'shop', name: shop, good: rest[0] ?? null };
  const [third = ''] = rest;
  if (first === 'c' && NUMBER.test(second) && rest.length === 1 && SECRET.test(third))
    return { page: 'purchase', token: third, cabinet: second };
  if (rest.length > 0) return { page: 'unknown' };
  if (first === 'b' && SECRET.test(second)) return { page: 'purchase', token: second, cabinet: null };
  if (first === 'p' && SECRET.test(second)) return { page: 'pickup', token: second };
  if (first === 'l' && SECRET.test(second)) return { page: 'link', token: second };
  if (first === 'c' && NUMBER.test(second)) return { page: 'enter', cabinet: second };
  return { page: 'unknown' };
}

/**
 * What a person typed, pasted or scanned: a whole link of ours, or a code. Spaces and dashes in a code are how people read it aloud.
 * null: not something that we know.
 */
export function readEntry(text: string): { link: Place } | { code: string } | null {
  const entry = text.trim();
  const address = /^https?:\/\/[^/]+(\/[^?#]*)/i.exec(entry);
  if (address) {
    const place = placeOf(address[1] ?? '/');
    return place.page === 'unknown' || (place.page === 'enter' && place.cabinet === null) ? null : { link: place };
  }
  const code = entry.replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(code) ? { code } : null;
}
