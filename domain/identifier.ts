import { plainText } from './text.ts';

const BARCODE =
  /^(?:(?:barcode|strekkode|streckkod|stregkode)(?:s|n|nr|nummer|number)?|(?:ean|jan|gtin|upc)(?:8|12|13|14|a|e)?(?:nr|nummer|number)?|ean\/?upc|upc\/?ean|itf14|isbn(?:13)?)$/;

/** The kind that an identifier is compared as: all names for a barcode's number are one. */
export const identifierClass = (kind: string): string => {
  const bare = plainText(kind)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
  return BARCODE.test(bare) ? 'barcode' : bare;
};

/**
 * The one form in which identifiers are compared, whatever is scanned: without case, dashes and blanks; a number of 8 or 12 to 14
 * digits as GTIN-14, since a UPC is an EAN whose leading 0 is not printed. (Migration 108 has the same.)
 */
export const identifierForm = (value: string): string => {
  const bare = plainText(value).toLowerCase().replaceAll(/[-\s]/g, '');
  if (bare === '') return value;
  return /^(?:\d{8}|\d{12,14})$/.test(bare) ? bare.padStart(14, '0') : bare;
};
