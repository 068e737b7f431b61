import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startFault } from '@hatchway/server/start-fault.ts';
import { backUp, fileOf, placeOf } from '../backup.ts';

/** All rows of the database as they are at one moment, into one file; a server may go on meanwhile. */
export async function run(args: string[]): Promise<number> {
  const place = placeOf(process.env);
  try {
    const file = fileOf(parseArgs({ args, options: { to: { type: 'string' } } }).values, 'to', 'backup');
    await backUp(place, file);
    console.log(
      `Written: ${file}, ${statSync(file).size} bytes. SECRET_KEY is not in it, and without it what was sealed is lost: keep both.`,
    );
    return 0;
  } catch (error) {
    const { sentence, exitCode } = startFault(error, place.dataDir);
    console.error(sentence);
    return exitCode;
  }
}
