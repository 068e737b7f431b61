import { describe, expect, it } from 'vitest';
import type { ProviderWord } from '../provider.ts';
import { compareBooks, type BookTodo, type Heard, type OurBooks } from '../reconcile.ts';
import type { PaymentState } from '../terms.ts';

const ours = (state: PaymentState, captured = 0, refunded = 0, underWay = false): OurBooks => ({
  state,
  amount: 1000,
  captured,
  refunded,
  underWay,
});
const said = (state: ProviderWord['state'], authorized = 0, captured = 0, refunded = 0, cancelled = 0): Heard => ({
  kind: 'word',
  word: { state, authorized, captured, refunded, cancelled },
});
const absent: Heard = { kind: 'absent' };
const silent: Heard = { kind: 'silent' };

const SAME: [string, OurBooks, Heard][] = [
  ['waits for its payer', ours('initiated'), said('created')],
  ['is reserved', ours('reserved'), said('authorized', 1000)],
  ['is reserved, and its capture is asked for', ours('reserved', 0, 0, true), said('authorized', 1000)],
  ['is captured', ours('captured', 1000), said('authorized', 1000, 1000)],
  ['is captured in part, the rest given back', ours('captured', 300), said('authorized', 1000, 300, 0, 700)],
  ['is refunded in part', ours('refunded', 1000, 400), said('authorized', 1000, 1000, 400)],
  ['was given back before it was captured', ours('cancelled'), said('authorized', 1000, 0, 0, 1000)],
  ['was refused by its payer', ours('cancelled'), said('aborted')],
  ['ran out', ours('cancelled'), said('expired')],
  ['ended before it was begun there', ours('cancelled'), absent],
];

const DIFFERENT: [string, OurBooks, Heard, BookTodo][] = [
  ['is yet to be begun there', ours('initiated', 0, 0, true), absent, 'wait'],
  ['was captured a moment ago', ours('reserved', 0, 0, true), said('authorized', 1000, 1000), 'wait'],
  ['is being cancelled', ours('cancelled', 0, 0, true), said('authorized', 1000), 'wait'],
  ['was captured there', ours('reserved'), said('authorized', 1000, 1000), 'taken-there'],
  ['was captured there after it ended here', ours('cancelled'), said('authorized', 1000, 1000), 'taken-there'],
  ['was given back there', ours('captured', 1000), said('authorized', 1000, 1000, 1000), 'returned-there'],
  ['was given back further there', ours('refunded', 1000, 100), said('authorized', 1000, 1000, 101), 'returned-there'],
  ['was approved, and we did not hear', ours('initiated'), said('authorized', 1000), 'open-there'],
  ['is reserved there and ended here', ours('cancelled'), said('authorized', 1000), 'open-there'],
  ['may still be approved there', ours('cancelled'), said('created'), 'open-there'],
  ['still holds the rest', ours('captured', 300), said('authorized', 1000, 300), 'open-there'],
  ['was cancelled there', ours('reserved'), said('authorized', 1000, 0, 0, 1000), 'ended-there'],
  ['was refused there', ours('initiated'), said('aborted'), 'ended-there'],
  ['was never captured there', ours('captured', 1000), said('authorized', 1000), 'less-there'],
  ['was captured less there', ours('captured', 1000), said('authorized', 1000, 999, 0, 1), 'less-there'],
  ['was not given back there', ours('refunded', 1000, 500), said('authorized', 1000, 1000), 'less-there'],
  ['was never reserved there', ours('reserved'), said('created'), 'less-there'],
  ['was never begun there', ours('initiated'), absent, 'unknown-there'],
  ['is captured here, and unknown there', ours('captured', 1000), absent, 'unknown-there'],
  ['is unknown there while its capture is asked for', ours('reserved', 0, 0, true), absent, 'unknown-there'],
  ['took more than it costs', ours('captured', 1000), said('authorized', 1001, 1001), 'not-believed'],
  ['gave back more than it took', ours('captured', 1000), said('authorized', 1000, 1000, 1001), 'not-believed'],
  ['could not be read', ours('captured', 1000), silent, 'unread'],
];

describe('the two books of a payment', () => {
  it.each(SAME)('say the same where it %s', (_, us, them) => expect(compareBooks(us, them).todo).toBeNull());
  it.each(DIFFERENT)('differ where it %s', (_, us, them, todo) => expect(compareBooks(us, them).todo).toBe(todo));

  it('are told as they are', () => {
    expect(compareBooks(ours('reserved'), said('authorized', 1000, 300, 100, 700)).theirs).toEqual({
      state: 'refunded',
      captured: 300,
      refunded: 100,
    });
    expect(compareBooks(ours('reserved'), absent).theirs).toBeNull();
    expect(compareBooks(ours('reserved'), silent).theirs).toBeNull();
  });
});
