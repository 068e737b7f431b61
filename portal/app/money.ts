import { formatPrice } from '@hatchway/domain/price.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** The locale of the language that the page is in; the default locale is en-US. */
export const localeOf = (language: string): string => (language === 'nb' ? 'nb-NO' : 'en-US');

/** An amount in minor units as people of the page's language write it. */
export const useMoney = (): ((amount: number, currency: string) => string) => {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  return useMemo(() => (amount, currency) => formatPrice({ amount, currency }, locale), [locale]);
};

export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** What people type is kroner; what is kept is øre. Null for what is no amount. */
export const minorOf = (typed: string | number, currency: string): number | null => {
  const value = typeof typed === 'number' ? typed : Number(typed.replaceAll(/\s/g, '').replace(',', '.'));
  if (typed === '' || !Number.isFinite(value) || value <= 0) return null;
  const minor = Math.round(value * 10 ** digitsOf(currency));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : null;
};
export const majorOf = (amount: number, currency: string): number => amount / 10 ** digitsOf(currency);
