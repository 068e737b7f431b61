/** Screens that say what happened and where to go. */
export const pages = {
  forbidden: {
    title: 'Your company is not available',
    text: 'You are signed in, but your company is suspended or no longer exists in Hatchway. Its administrator or your provider can tell you more.',
    endUser: 'To the pick-up site',
    logout: 'Logout',
  },
  notFound: {
    title: 'This page does not exist',
    text: 'The address may be old or mistyped.',
    typed: 'What follows /portal/',
    go: 'Go there',
    home: 'To the dashboard',
  },
} as const;
