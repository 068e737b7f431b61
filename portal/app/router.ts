import { createRouter } from '@tanstack/react-router';
import { Failed } from '../frame/failed.tsx';
import type { Portal } from './portal.ts';
import { routeTree } from './route-tree.gen.ts';

export const makeRouter = (portal: Portal) =>
  createRouter({
    routeTree,
    basepath: '/portal',
    context: { portal },
    defaultPreload: 'intent',
    // What is cached, and for how long, is the query client's business alone.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: Failed,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
