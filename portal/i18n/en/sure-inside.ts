/** What somebody is asked whose word stands against a sensor or an open door. */
export const sureInside = {
  nothing: {
    title: 'The sensor senses nothing behind {{tag}}',
    text: 'Is it really inside? If you are not sure, look first. If you say yes, your word counts.',
  },
  open: {
    title: '{{tag}} is still open',
    text: 'Close the door first: anybody can reach in. If you still say yes, your word counts.',
  },
  shut: { title: '{{tag}} is closed', text: 'Is it inside?' },
  unheard: { title: 'We cannot tell whether {{tag}} is open', text: 'Is it inside?' },
  /** More that is put in is counted; what lay there before is another matter. */
  refill: {
    nothing: 'Did you really put more in? If you are not sure, look first. If you say yes, we count it.',
    open: 'Close the door first: anybody can reach in. If you still say yes, we count what you put in.',
    shut: 'Did you put more in?',
    unheard: 'Did you put more in?',
    doubt: 'Somebody still has to check what was there before.',
  },
  shutFirst: 'Close the door first',
  yes: 'Yes, it is inside',
  look: 'Open and look',
} as const;
