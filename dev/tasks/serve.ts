import { pathToFileURL } from 'node:url';
import type * as Production from '@hatchway/server/production.ts';
import { stopChildren } from '../command.ts';
import { buildBundle, buildFrontends } from '../frontends.ts';
import { runUntilTold } from '@hatchway/server/until-told.ts';

/** Production: the server alone, by the environment's word. Nothing of the sandbox is loaded, here or from here. */
export const run = (): Promise<number | undefined> =>
  runUntilTold(
    async (signal) => {
      const bundle = await buildBundle('server');
      signal.throwIfAborted();
      const { startProduction } = (await import(pathToFileURL(bundle).href)) as typeof Production;
      return startProduction(process.env, { signal, prepare: () => buildFrontends() });
    },
    { dataDir: process.env.DATA_DIR ?? '.data', debug: Boolean(process.env.DEBUG), onTold: stopChildren },
  );
