/** What somebody is asked whose word stands against a sensor or an open door. */
export const sureInside = {
  nothing: {
    title: 'The sensor senses nothing behind {{tag}}',
    text: 'Is it really inside? If you are not sure, look first. If you say yes, your word stands.',
  },
  open: {
    title: '{{tag}} still stands open',
    text: 'Shut the door first: anybody can reach in. If you say yes all the same, your word stands.',
  },
  shut: { title: '{{tag}} is closed', text: 'Is it inside?' },
  unheard: { title: 'How the door of {{tag}} stands is not heard now', text: 'Is it inside?' },
  /** More that is put in is counted; what lay there before is another matter. */
  refill: {
    nothing: 'Did you really put more in? If you are not sure, look first. If you say yes, it is counted.',
    open: 'Shut the door first: anybody can reach in. If you say yes all the same, what you put in is counted.',
    shut: 'Did you put more in?',
    unheard: 'Did you put more in?',
    doubt: 'It stays to be checked what lay there before.',
  },
  shutFirst: 'Shut the door first',
  yes: 'Yes, it is inside',
  look: 'Open and look',
} as const;
