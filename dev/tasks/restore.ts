import { parseArgs } from 'node:util';
import { startFault } from '@hatchway/server/start-fault.ts';
import { fileOf, placeOf, restore } from '../backup.ts';

/** What `npm run backup` wrote, into a folder or a database that holds nothing yet. */
export async function run(args: string[]): Promise<number> {
  const place = placeOf(process.env);
  try {
    const file = fileOf(parseArgs({ args, options: { from: { type: 'string' } } }).values, 'from', 'restore');
    const { at, tables, rows } = await restore(place, file);
    console.log(
      `Restored as of ${at}: ${rows} rows in ${tables} tables, each as it was saved. Start the server with the SECRET_KEY of then.`,
    );
    return 0;
  } catch (error) {
    const { sentence, exitCode } = startFault(error, place.dataDir);
    console.error(sentence);
    return exitCode;
  }
}
