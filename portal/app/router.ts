import { createRouter } from '@tanstack/react-router';
import { Failed } from '../frame/failed.tsx';
import { Pending } from '../frame/pending.tsx';
import { parseSearch, stringifySearch } from './address.ts';
import { holdUntilStyled } from './chunks.ts';
import type { Portal } from './portal.ts';
import { routeTree } from './route-tree.gen.ts';

export const makeRouter = (portal: Portal) => {
  const router = createRouter({
    routeTree,
    basepath: '/portal',
    // An address in other letters is another one, as it is everywhere else here.
    caseSensitive: true,
    context: { portal },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // What is cached, and for how long, is the query client's business alone.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: Failed,
    // On a slow line a press is seen to work; on a fast one nothing flickers.
    defaultPendingComponent: Pending,
    defaultPendingMs: 400,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
  });
  holdUntilStyled(Object.values(router.routesById));
  return router;
};

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
