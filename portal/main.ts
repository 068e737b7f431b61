import { watchChunks } from './app/chunks.ts';
import { LIGHT } from './app/light.ts';
import { startSession } from './app/session.ts';

/** As long as anything here is waited for (ms): then the application says what is wrong. */
const LATE = 30_000;

const start = async (): Promise<void> => {
  watchChunks();
  // The sign-in's answer comes back in the hash; without one the page leaves for it, and fetches nothing of the application.
  const comesBack = /[#&](code|error)=/.test(location.hash);
  const signingIn = startSession(comesBack);
  const failed = signingIn.then(
    () => undefined,
    () => undefined,
  );
  if (!comesBack) await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, LATE))]);
  // Asked for with the application, not once that has run; what fails here fails again where it is awaited.
  import('./app/drawing.ts').catch(() => undefined);
  if (LIGHT.has(location.pathname.replace(/^\/portal/, ''))) import('./features/dashboard/dashboard.tsx').catch(() => undefined);
  const { startApplication } = await import('./application.tsx');
  await startApplication(signingIn);
};

void start();
