import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type Portal, PortalContext } from '../app/portal.ts';
import type { makeRouter } from '../app/router.ts';
import { Looks } from './looks.tsx';

export const App = ({ portal, router }: { portal: Portal; router: ReturnType<typeof makeRouter> }) => (
  <Looks>
    <PortalContext value={portal}>
      <QueryClientProvider client={portal.queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </PortalContext>
  </Looks>
);
