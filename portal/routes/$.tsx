import { createFileRoute, redirect } from '@tanstack/react-router';

/** Whatever is no screen of the portal. */
export const Route = createFileRoute('/$')({
  beforeLoad: () => {
    throw redirect({ to: '/404', replace: true });
  },
});
