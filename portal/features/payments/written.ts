import { asWritten, readJson } from '@hatchway/contract/json.ts';
import type { Payment } from '@hatchway/contract/payments.ts';
import type { TFunction } from 'i18next';

/** Who paid, as far as that is known. */
export const payerWord = ({ payer, reference }: Pick<Payment, 'payer' | 'reference'>): string => payer.name ?? payer.tlf ?? reference;

export type Shown = Pick<Payment, 'state' | 'wantsEnd' | 'pending' | 'amount' | 'captured' | 'refunded'>;

/** How it stands, in words: what its provider has yet to answer, or that its money waits for somebody’s word, instead. */
export const standingWord = ({ state, wantsEnd, pending, amount, captured, refunded }: Shown, t: TFunction): string => {
  const asked = pending.at(-1);
  if (asked) return t(`payments.asked.${asked.kind}`);
  if (wantsEnd) return t('payments.wantsEnd');
  if (state === 'refunded' && refunded < captured) return t('payments.partlyRefunded');
  if (state === 'captured' && captured < amount) return t('payments.partlyCaptured');
  return t(`terms.payment.${state}`);
};

/** One name with its value, as it is edited; `key` stays while the name is typed. */
export type Line = { key: string; name: string; value: unknown };

export const linesOf = (details: Record<string, unknown>): Line[] =>
  Object.entries(details).map(([name, value]) => ({ key: crypto.randomUUID(), name, value }));

/** A value as people read it: text as it is, anything else as JSON. What nobody touches keeps its kind. */
export const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The object that was typed as JSON; null for what is none. */
export const objectOf = (json: string): Record<string, unknown> | null => {
  try {
    const value: unknown = readJson(json, asWritten);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};
