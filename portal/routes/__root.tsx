import { createRootRouteWithContext, redirect } from '@tanstack/react-router';
import { entry } from '../app/access.ts';
import type { Portal } from '../app/portal.ts';
import { Frame } from '../frame/frame.tsx';

/** These are drawn with the first style sheet alone; every other screen waits for the whole one. */
const LIGHT: ReadonlySet<string> = new Set(['/', '/dash', '/404', '/forbidden']);

export const Route = createRootRouteWithContext<{ portal: Portal }>()({
  /** Every navigation first asks whether this person may be in the portal at all. */
  beforeLoad: async ({ context: { portal }, location, preload }) => {
    if (entry(location.pathname, portal.session.data) === 'enter') {
      if (!LIGHT.has(location.pathname)) await import('../ui/all-styles.ts');
      return;
    }
    if (preload) return;
    window.location.assign(portal.config.endUser);
    // The browser is leaving; nothing of the portal may be drawn meanwhile.
    await new Promise(() => undefined);
  },
  component: Frame,
  // Until the frame stands, the page's own bones do.
  pendingComponent: () => null,
  notFoundComponent: () => {
    throw redirect({ to: '/404', replace: true });
  },
});
