import { buildFrontends } from '../frontends.ts';

/** Builds both front ends, changed or not. */
export async function run(): Promise<number> {
  try {
    await buildFrontends({ force: true });
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
