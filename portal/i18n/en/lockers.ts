/** Texts of the wall and of lock control. */
export const lockers = {
  title: 'Lock control',
  wall: {
    size: 'size {{size}}',
    ajar: 'door open',
    busy: 'waiting for the controller',
    bestFit: 'best fit',
    freeOf: '{{free}} of {{total}} free',
    keys: 'Arrow keys move from door to door.',
    legend: 'What the doors show',
    number: 'Cabinet {{number}}',
  },
} as const;
