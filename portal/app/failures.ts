import { ApiError } from '@hatchway/contract/client.ts';
import type { Portal } from './portal.ts';
import type { makeRouter } from './router.ts';
import { isShutOut } from './who.ts';

/** A token that the server refuses is renewed at once, but not more often than this. */
const RENEW_AT_MOST = 15_000;

/** Two failures concern the whole page, whichever query met them: the company is gone or suspended, or the token is not taken any more. */
export const followFailures = (portal: Portal, router: ReturnType<typeof makeRouter>): void => {
  let renewed = 0;
  portal.queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    const { error } = event.action;
    if (isShutOut(error)) void router.navigate({ to: '/forbidden', replace: true });
    else if (error instanceof ApiError && error.status === 401 && Date.now() - renewed > RENEW_AT_MOST) {
      renewed = Date.now();
      portal.session.refresh().then(
        () => portal.queryClient.invalidateQueries(),
        // The adapter signs out by itself at 400; any other failure leaves the page as it is.
        () => undefined,
      );
    }
  });
};
