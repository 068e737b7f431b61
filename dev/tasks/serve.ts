import { buildFrontends } from '../frontends.ts';
import { runUntilTold } from '../until-told.ts';

/** Production: the server alone, by the environment's word. Nothing of the sandbox is loaded, here or from here. */
export const run = (): Promise<number | undefined> =>
  runUntilTold(
    async (signal) => {
      const { readConfig } = await import('@hatchway/server/config.ts');
      const config = readConfig(process.env);
      await buildFrontends();
      const { startServer } = await import('@hatchway/server/main.ts');
      signal.throwIfAborted();
      return startServer(config, { signal });
    },
    { dataDir: process.env.DATA_DIR ?? '.data' },
  );
