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
  shutFirst: 'Shut the door first',
  yes: 'Yes, it is inside',
  look: 'Open and look',
} as const;
