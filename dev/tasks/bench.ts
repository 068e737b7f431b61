import { bench } from '@hatchway/bench/run.ts';
import { buildFrontends } from '../frontends.ts';

/** Ratios of one run, medians of five; ends badly when one passes its limit. */
export async function run(): Promise<number> {
  await buildFrontends();
  return (await bench()) ? 0 : 1;
}
