/** Texts of the wall and of lock control. */
export const lockers = {
  title: 'Lock control',
} as const;
