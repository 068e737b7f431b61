import { createFileRoute, redirect } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What was asked for below /portal/, where no screen is. */
    typed?: string;
  }
}

/** Whatever is no screen of the portal. The address becomes /404; what was typed goes along, so that it can be corrected there. */
export const Route = createFileRoute('/$')({
  beforeLoad: ({ location: { pathname, searchStr, hash } }) => {
    const typed = `${pathname.replace(/^\/+/, '')}${searchStr}${hash && `#${hash}`}`;
    throw redirect({ to: '/404', replace: true, state: { typed } });
  },
});
