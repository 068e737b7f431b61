import { root } from '../command.ts';
import path from 'node:path';
import { writeProductionFolder } from '../production-folder.ts';

/** Builds the server's bundle and both front ends, changed or not, and writes them into a folder with all that they need. */
export async function run(): Promise<number> {
  try {
    const folder = await writeProductionFolder(undefined, { force: true });
    console.log(`Written: ${path.relative(root, folder)}/, for ${process.platform} ${process.arch}. Start it with ./hatchway serve there.`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
