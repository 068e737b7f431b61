import { runRestore } from '@hatchway/server/backups.ts';

export const run = (args: string[]): Promise<number> => runRestore(args, process.env);
