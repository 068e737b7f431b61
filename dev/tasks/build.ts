import { buildBundle, buildFrontends } from '../frontends.ts';

/** Builds the server's bundle and both front ends, changed or not. */
export async function run(): Promise<number> {
  try {
    await Promise.all([buildBundle('server', { force: true }), buildFrontends({ force: true })]);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
