/** Ways to what stands in for a cabinet, a phone or a payer, where somebody only tries. */
export const beside = {
  cabinets: 'Cabinet',
  cabinetsText: 'Opens the sandbox’s cabinet at this door, in a new tab',
  inbox: 'Inbox',
  inboxText: 'Opens the sandbox’s inbox at this message, in a new tab',
  vipps: 'Payer’s phone',
  vippsText: 'Opens the sandbox’s phone of whoever pays, in a new tab',
} as const;
