import fs from 'node:fs';
import path from 'node:path';
import { runBackup, runRestore } from './backups.ts';
import { readConfig } from './config.ts';
import { startServer, type Server } from './main.ts';
import { EXIT_CONFIG, Refusal } from './start-fault.ts';
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

const USAGE = 'serve, backup --to <file> or restore --from <file>';

/** Nothing of anybody's lies in `home`, the program's own folder: a new version takes its place. */
const refuseWithin = (home: string, dataDir: string): void => {
  const way = path.relative(fs.realpathSync(home), path.resolve(dataDir));
  if (way.split(path.sep)[0] !== '..' && !path.isAbsolute(way))
    throw new Refusal(
      `DATA_DIR (${path.resolve(dataDir)}) lies in the folder of Hatchway itself, whose place a new version takes: name another.`,
    );
};

/** Production as a program, by its arguments: what `npm run build` writes begins here. Answers an exit code, but for a server that goes on. */
export const run = async ([name = '', ...args]: string[], environment: NodeJS.ProcessEnv, home: string): Promise<number | undefined> => {
  const dataDir = environment['DATA_DIR'] ?? '.data';
  const prepare = async () => refuseWithin(home, dataDir);
  switch (name) {
    case 'serve':
      return runUntilTold((signal) => startProduction(environment, { signal, prepare }), { dataDir, debug: Boolean(environment['DEBUG']) });
    case 'backup':
      return runBackup(args, environment);
    case 'restore':
      return runRestore(args, environment, prepare);
    default:
      console.error(USAGE);
      return EXIT_CONFIG;
  }
};
