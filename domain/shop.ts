/** Small letters, digits and single dashes: what a person reads off a wall and types. */
export const SHOP_NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SHOP_NAME_MAX = 40;
/** Addresses that are, or may become, something of ours. */
const KEPT: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'hatchway',
  'help',
  'login',
  'new',
  'pay',
  'portal',
  'sandbox',
  'shop',
  'vipps',
]);

/** A shop's name as it stands in its address; null where it could not be one. */
export function shopNameOf(typed: string): string | null {
  const name = typed.trim().toLowerCase();
  return name.length >= 3 && name.length <= SHOP_NAME_MAX && SHOP_NAME_PATTERN.test(name) && !KEPT.has(name) ? name : null;
}
