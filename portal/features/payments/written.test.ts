import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { payerWord, standingWord, type Shown } from './written.ts';

const t = ((key: string) => key) as TFunction;
const shown = (more: Partial<Shown>): Shown => ({
  state: 'reserved',
  wantsEnd: false,
  pending: [],
  amount: 100,
  captured: 0,
  refunded: 0,
  ...more,
});
const asked = (kind: Shown['pending'][number]['kind']) => ({ kind, amount: 100, state: 'sent' as const, at: '', error: null });

it.each([
  ['terms.payment.initiated', { state: 'initiated' }],
  ['payments.asked.create', { state: 'initiated', pending: [asked('create')] }],
  ['payments.asked.cancel', { state: 'initiated', pending: [asked('create'), asked('cancel')] }],
  ['terms.payment.reserved', {}],
  ['payments.wantsEnd', { wantsEnd: true }],
  ['payments.asked.capture', { pending: [asked('capture')] }],
  // It is asked for again by itself: nobody has to do anything.
  ['payments.asked.capture', { pending: [asked('capture')], wantsEnd: true }],
  ['terms.payment.captured', { state: 'captured', captured: 100 }],
  ['payments.partlyCaptured', { state: 'captured', captured: 40 }],
  ['payments.asked.refund', { state: 'captured', captured: 100, pending: [asked('refund')] }],
  ['payments.partlyRefunded', { state: 'refunded', captured: 100, refunded: 40 }],
  ['terms.payment.refunded', { state: 'refunded', captured: 40, refunded: 40 }],
  ['terms.payment.cancelled', { state: 'cancelled' }],
] as const)('reads %s', (word, more) => expect(standingWord(shown(more as Partial<Shown>), t)).toBe(word));

it.each([
  ['Kari', { name: 'Kari', tlf: '+4791234567' }],
  ['+4791234567', { name: null, tlf: '+4791234567' }],
  ['M-1', { name: null, tlf: null }],
])('names the payer %s', (word, payer) => expect(payerWord({ payer: { email: null, ...payer }, reference: 'M-1' })).toBe(word));
