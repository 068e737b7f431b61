/** What a payment provider says beside what we say, and what to do where the two differ. */
export const books = {
  action: 'Compare with Vipps',
  title: 'Compare with Vipps',
  intro: 'Each payment that was started or changed that day: what Vipps says, and what we have.',
  day: 'Day',
  ours: 'Here',
  theirs: 'At Vipps',
  todo: 'What to do',
  same: 'The same',
  nothing: 'Nothing',
  captured: '{{amount}} captured',
  refunded: '{{amount}} refunded',
  allSame_one: 'The payment is the same on both sides.',
  allSame_other: 'All {{count}} payments are the same on both sides.',
  differ_one: '{{count}} payment differs.',
  differ_other: '{{count}} payments differ.',
  soFar_one: '{{count}} payment compared so far.',
  soFar_other: '{{count}} payments compared so far.',
  empty: 'No Vipps payment was started or changed that day.',
  again: 'Compare again',
  more: 'Compare more',
  todos: {
    wait: 'Wait: we asked Vipps for something and have no answer yet. It settles by itself.',
    'taken-there':
      'Vipps captured more than we have here. We just asked again: compare in a minute. If it stays, somebody captures in Vipps’ own portal.',
    'returned-there':
      'Vipps refunded more than we have here. We just asked again: compare in a minute. If it stays, somebody refunds in Vipps’ own portal.',
    'open-there':
      'Vipps can still charge the payer. We just asked again: compare in a minute. If it stays, cancel it in Vipps’ own portal.',
    'ended-there': 'Vipps cancelled it. We just asked again: compare in a minute. If the goods are gone, ask the payer to pay again.',
    'less-there': 'Vipps did not do what we have here. Send Vipps the reference, and ask the payer for nothing until they answer.',
    'unknown-there': 'Vipps does not know it. Check the keys: same sales unit, and same test or production, as when it began?',
    'not-believed': 'The sums at Vipps cannot be right, so we changed nothing. Send Vipps the reference.',
    unread: 'We could not ask Vipps. Try later; if it lasts, test the keys under Integrations.',
  },
} as const;
