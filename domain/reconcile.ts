import type { PaymentFacts } from './payment.ts';
import { isPlausible, readProvider, remainderOf, type ProviderWord } from './provider.ts';

/**
 * What is to be done about a payment whose provider says something else than we do. wait: it was asked for something and has yet to
 * answer. taken-there, returned-there: more than we know of was captured, or given back. open-there: it may still be paid, or money of
 * the payer is set aside. ended-there: it was cancelled. less-there: what we wrote down did not happen. unknown-there: it was never
 * begun. not-believed: no payment of this amount can have such sums. unread: the provider could not be asked.
 */
export const BOOK_TODOS = [
  'wait',
  'taken-there',
  'returned-there',
  'open-there',
  'ended-there',
  'less-there',
  'unknown-there',
  'not-believed',
  'unread',
] as const;
export type BookTodo = (typeof BOOK_TODOS)[number];

export type Books = Pick<PaymentFacts, 'state' | 'captured' | 'refunded'>;
/** absent: the provider knows no such payment. silent: it gave no answer. */
export type Heard = { readonly kind: 'word'; readonly word: ProviderWord } | { readonly kind: 'absent' } | { readonly kind: 'silent' };
/** `underWay`: something is asked of its provider and not answered. */
export type OurBooks = PaymentFacts & { readonly underWay: boolean };

/** What the provider says beside what we say, and what is to be done. Null: both say the same. */
export function compareBooks(ours: OurBooks, heard: Heard): { readonly theirs: Books | null; readonly todo: BookTodo | null } {
  if (heard.kind === 'silent') return { theirs: null, todo: 'unread' };
  if (heard.kind === 'absent') {
    // What nobody could send was never begun there, and ended here.
    if (ours.state === 'cancelled' && ours.captured === 0) return { theirs: null, todo: null };
    return { theirs: null, todo: ours.underWay && ours.state === 'initiated' ? 'wait' : 'unknown-there' };
  }
  const { word } = heard;
  const { state, captured, refunded } = readProvider(word);
  const theirs = { state, captured, refunded };
  if (!isPlausible(word, ours.amount)) return { theirs, todo: 'not-believed' };
  const rest = remainderOf(word);
  const isSame = state === ours.state && captured === ours.captured && refunded === ours.refunded && rest === 0;
  if (isSame) return { theirs, todo: null };
  if (ours.underWay) return { theirs, todo: 'wait' };
  if (captured < ours.captured || refunded < ours.refunded) return { theirs, todo: 'less-there' };
  if (captured > ours.captured) return { theirs, todo: 'taken-there' };
  if (refunded > ours.refunded) return { theirs, todo: 'returned-there' };
  if (state === 'cancelled') return { theirs, todo: 'ended-there' };
  return { theirs, todo: state === 'initiated' && ours.state === 'reserved' ? 'less-there' : 'open-there' };
}
