import { bareAmount, digitsOf, formatPrice, MAX_AMOUNT } from '@hatchway/domain/price.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from './language.ts';

/** An amount in minor units as people of the page's language write it. */
export const useMoney = (): ((amount: number, currency: string) => string) => {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  return useMemo(() => (amount, currency) => formatPrice({ amount, currency }, locale), [locale]);
};

/** What the portal lets one choose: those that the payment providers of this version take, the default first. */
export const CURRENCIES = ['NOK', 'SEK', 'DKK', 'EUR'] as const;

/** What people type is kroner; what is kept is øre. Null for what is no amount: one with more digits than the currency has is not rounded. */
export const minorOf = (typed: string | number, currency: string): number | null => {
  const digits = digitsOf(currency);
  const match = /^(\d{1,13})(?:[.,](\d+))?$/.exec(String(typed).replaceAll(/\s/g, ''));
  const part = match?.[2] ?? '';
  if (match === null || part.length > digits) return null;
  const minor = Number(match[1]) * 10 ** digits + Number(part.padEnd(digits, '0'));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : null;
};
/** The same of what one piece costs, which has a bound. */
export const priceOf = (typed: string, currency: string): number | null => {
  const minor = minorOf(typed, currency);
  return minor !== null && minor <= MAX_AMOUNT ? minor : null;
};
export const majorOf = (amount: number, currency: string): number => amount / 10 ** digitsOf(currency);

/** As people type it in the page's language: it stands in a field, ready to be changed, and `minorOf` reads it back. */
export const typedAmount = (amount: number, currency: string, language: string): string => bareAmount({ amount, currency }, language);
