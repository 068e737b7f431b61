/** Screens that say what happened and where to go. */
export const pages = {
  forbidden: {
    title: 'Your company is not available',
    text: 'You are signed in, but your company is suspended or no longer in Hatchway. Ask its administrator or your provider.',
    endUser: 'To the pick-up site',
    logout: 'Logout',
  },
  elsewhere: {
    row: 'This belongs to {{name}}',
    rowText: 'You are in {{here}} now.',
    left: 'You were in {{name}} here. You chose {{here}} in another tab; that applies to all tabs.',
    go: 'Switch to {{name}}',
    back: 'Back to {{name}}',
    stay: 'Stay in {{here}}',
  },
  notFound: {
    title: 'This page does not exist',
    text: 'The address may be old or mistyped.',
    typed: 'What follows /portal/',
    go: 'Go there',
    home: 'To the dashboard',
  },
} as const;
