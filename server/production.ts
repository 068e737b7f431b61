import { readConfig } from './config.ts';
import { startServer, type Server } from './main.ts';

/** By the environment's word, which is read before anything is prepared. The bundle begins here (`vite.config.ts`). */
export const startProduction = async (
  environment: NodeJS.ProcessEnv,
  { signal, prepare }: { signal: AbortSignal; prepare: () => Promise<void> },
): Promise<Server> => {
  const config = readConfig(environment);
  await prepare();
  signal.throwIfAborted();
  return startServer(config, { signal });
};
