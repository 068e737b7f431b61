/** What a payment provider says beside what we say, and what to do where the two differ. */
export const books = {
  action: 'Compare with Vipps',
  title: 'Compare with Vipps',
  intro: 'What Vipps says of each payment that was begun or changed that day, beside what stands here.',
  day: 'Day',
  ours: 'Here',
  theirs: 'At Vipps',
  todo: 'What to do',
  same: 'The same',
  nothing: 'Nothing',
  captured: '{{amount}} captured',
  refunded: '{{amount}} given back',
  allSame_one: 'The payment is the same in both books.',
  allSame_other: 'All {{count}} payments are the same in both books.',
  differ_one: '{{count}} payment differs.',
  differ_other: '{{count}} payments differ.',
  soFar_one: '{{count}} payment compared so far.',
  soFar_other: '{{count}} payments compared so far.',
  empty: 'No payment by Vipps was begun or changed that day.',
  again: 'Compare again',
  more: 'Compare more',
  todos: {
    wait: 'Wait: Vipps was asked for something and has yet to answer. It settles by itself.',
    'taken-there':
      'More was captured at Vipps than stands here. It was asked for anew just now: compare again in a minute. If it stays, somebody captures in Vipps’ own portal.',
    'returned-there':
      'More was given back at Vipps than stands here. It was asked for anew just now: compare again in a minute. If it stays, somebody gives money back in Vipps’ own portal.',
    'open-there':
      'The payer can still be charged at Vipps. It was asked for anew just now: compare again in a minute. If it stays, cancel it in Vipps’ own portal.',
    'ended-there':
      'It was cancelled at Vipps. It was asked for anew just now: compare again in a minute. If the goods are gone, ask the payer anew.',
    'less-there':
      'What stands here did not happen at Vipps. Write to Vipps with the reference, and ask the payer for nothing until they answer.',
    'unknown-there':
      'Vipps does not know it. See whether the keys are those of the sales unit, and of test or production, that it was begun with.',
    'not-believed': 'Its sums at Vipps cannot be right, and nothing was changed here. Write to Vipps with the reference.',
    unread: 'Vipps could not be asked. Try again later; if it goes on, test the keys under Integrations.',
  },
} as const;
