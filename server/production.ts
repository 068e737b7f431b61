import { runBackup, runRestore } from './backups.ts';
import { readConfig } from './config.ts';
import { startServer, type Server } from './main.ts';
import { runUntilTold } from './until-told.ts';

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

/** Production as a program, by its arguments: what `npm run build` writes begins here. Answers an exit code, but for a server that goes on. */
export const run = async ([name = '', ...args]: string[], environment: NodeJS.ProcessEnv): Promise<number | undefined> => {
  switch (name) {
    case 'serve':
      return runUntilTold((signal) => startProduction(environment, { signal, prepare: async () => {} }), {
        dataDir: environment['DATA_DIR'] ?? '.data',
        debug: Boolean(environment['DEBUG']),
      });
    case 'backup':
      return runBackup(args, environment);
    case 'restore':
      return runRestore(args, environment);
    default:
      console.error('serve, backup --to <file> or restore --from <file>');
      return 1;
  }
};
