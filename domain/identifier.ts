import { plainText } from './text.ts';

const BARCODES = new Set(['barcode', 'ean', 'ean13', 'jan', 'upc', 'upca', 'upc12', 'gtin', 'gtin12', 'gtin13', 'gtin14', 'strekkode']);

/** The kind that an identifier is compared as: all names for a barcode's number are one. */
export const identifierClass = (kind: string): string => {
  const bare = plainText(kind)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
  return BARCODES.has(bare) ? 'barcode' : bare;
};

/**
 * The one form in which identifiers are compared, whatever is scanned: without case, dashes and blanks; a number of 12 to 14 digits as
 * GTIN-14, since a UPC is an EAN whose leading 0 is not printed. (Migration 075 has the same.)
 */
export const identifierForm = (value: string): string => {
  const bare = plainText(value).toLowerCase().replaceAll(/[-\s]/g, '');
  if (bare === '') return value;
  return /^\d{12,14}$/.test(bare) ? bare.padStart(14, '0') : bare;
};
