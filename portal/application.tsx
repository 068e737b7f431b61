import '@fontsource-variable/inter/wght.css';
import './ui/typeface.css';
import './ui/first-styles.ts';
import './ui/tokens.css';
import { createClient } from '@hatchway/contract/client.ts';
import { createCacheRule } from './app/cache.ts';
import { hearClock } from './app/clock.ts';
import { loadConfig } from './app/config.ts';
import { root } from './app/drawing.ts';
import { keepGroupFailures } from './app/group-failures.ts';
import { startLive } from './app/live.ts';
import { once } from './app/once.ts';
import { inTime, LATE, onReturn } from './app/late.ts';
import type { Portal } from './app/portal.ts';
import { createQueryClient } from './app/queries.ts';
import { makeRouter } from './app/router.ts';
import { hearScans } from './app/scans.ts';
import type { Session } from './app/session.ts';
import { followFailures } from './app/failures.ts';
import { App } from './frame/app.tsx';
import { BootFailed } from './frame/boot-failed.tsx';
import { startLanguage } from './i18n/setup.ts';

// The scroll lock of Mantine's dialogs writes a style tag of its own; this name is where it looks for the answer's nonce.
Object.assign(globalThis, { __webpack_nonce__: document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce });

// What is scanned while the portal loads is heard from its first character, or not at all.
hearScans();

const begin = async (signingIn: Promise<Session>): Promise<void> => {
  await startLanguage();
  const [config, session] = await inTime(Promise.all([loadConfig(), signingIn]));
  const queryClient = createQueryClient();
  const { applyChange } = createCacheRule(queryClient);
  const portal: Portal = {
    config,
    session,
    queryClient,
    applyChange,
    api: once(
      createClient({
        base: config.api,
        token: session.token,
        fetch: async (...asked) => hearClock(await fetch(...asked)),
        patience: LATE,
        onFailure: keepGroupFailures().note,
      }),
    ),
    live: startLive(config.live, session, queryClient, applyChange),
  };
  const router = makeRouter(portal);
  followFailures(portal, router);
  onReturn(portal.live.wake);
  root.render(<App portal={portal} router={router} />);
};

/** Draws the portal for whoever is signed in, or says why nobody could be. */
export const startApplication = async (signingIn: Promise<Session>): Promise<void> => {
  try {
    await begin(signingIn);
  } catch (error) {
    console.error(error);
    const home = await loadConfig().then(
      ({ endUser }) => new URL(endUser).origin,
      () => location.origin,
    );
    root.render(<BootFailed error={error} home={home} />);
  }
};
