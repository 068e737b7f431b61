import { runBackup } from '@hatchway/server/backups.ts';

export const run = (args: string[]): Promise<number> => runBackup(args, process.env);
