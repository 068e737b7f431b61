/** Money is an integer of minor units (øre) and an ISO 4217 code; never a float. */
export interface Price {
  readonly amount: number;
  readonly currency: string;
}

/** Ten million major units: above that it is a typing mistake, and sums stay exact integers. */
export const MAX_AMOUNT = 1_000_000_000;

type PriceRefusal = 'amount' | 'currency';

/** Refuses `amount` (no integer, negative, above MAX_AMOUNT) and `currency` (not three capital letters); else null. */
export function checkPrice(price: Price): PriceRefusal | null {
  if (!Number.isSafeInteger(price.amount) || price.amount < 0 || price.amount > MAX_AMOUNT) return 'amount';
  return /^[A-Z]{3}$/.test(price.currency) ? null : 'currency';
}

/** Whether something must be paid before the door opens. */
export function isPriced(price: Price | null): price is Price {
  return price !== null && price.amount > 0;
}

/** What `quantity` pieces cost. */
export function total(price: Price, quantity: number): Price {
  return { amount: price.amount * quantity, currency: price.currency };
}

const digits = new Map<string, number>();
/** How many digits the currency has after the comma: two of NOK, none of ISK. Kept, since a file asks for each of its rows. */
export function digitsOf(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const found = new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  digits.set(currency, found);
  return found;
}

/** The number alone, with the comma or point of the language: in a field, or for a spreadsheet. */
export function bareAmount({ amount, currency }: Price, language: string): string {
  const written = (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));
  return language === 'nb' ? written.replace('.', ',') : written;
}

/** For people: 12900 NOK is "NOK 129.00" in en-US. Digits after the comma follow the currency. */
export function formatPrice(price: Price, locale = 'en-US'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: price.currency });
  return format.format(price.amount / 10 ** digitsOf(price.currency));
}
