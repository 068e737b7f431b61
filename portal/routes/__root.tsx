import { createRootRouteWithContext, redirect } from '@tanstack/react-router';
import { entry } from '../app/access.ts';
import { LIGHT } from '../app/light.ts';
import type { Portal } from '../app/portal.ts';
import { Frame } from '../frame/frame.tsx';
import { loadAllWords } from '../i18n/setup.ts';

export const Route = createRootRouteWithContext<{ portal: Portal }>()({
  /** Every navigation first asks whether this person may be in the portal at all. */
  beforeLoad: async ({ context: { portal }, location, preload }) => {
    if (entry(location.pathname, portal.session.data) === 'enter') {
      if (!LIGHT.has(location.pathname)) await Promise.all([import('../ui/all-styles.ts'), loadAllWords()]);
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
