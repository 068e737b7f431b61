/** A shop's words for an order that is over; any other word is open, since a shop may have words of its own. */
export const ENDED_ORDERS = ['completed', 'cancelled', 'refunded', 'failed', 'trash', 'draft', 'auto-draft', 'checkout-draft'] as const;

/** What the shop's owner asked of one that became this after it was packed: nobody is to have it. */
export const CALLED_OFF: readonly string[] = ['cancelled', 'refunded', 'failed', 'trash'];
export function isCalledOff(status: string): boolean {
  return CALLED_OFF.includes(status);
}

/** What a shop that posts its orders says of one. Anything but `open` is over. */
export const POSTED_STATUSES = ['open', 'completed', 'cancelled', 'refunded'] as const;

/** The number of a posted order, everywhere: two shops have their own 1042. A shop's name holds no colon, so no two are written alike. */
export const postedNumber = (shop: string, number: string): string => `${shop}:${number}`;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—' };

/** Text that a shop tells as its pages hold it, with the signs that are meant. A reference that names no sign stays as it is. */
export function plainOfHtml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
