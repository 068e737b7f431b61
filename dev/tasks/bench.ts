import { bench } from '@hatchway/bench/run.ts';
import { buildFrontends } from '../frontends.ts';
import { browserTests } from '../suites.ts';

/** Ratios of one run, medians of five, and the frames of a large wall; ends badly when one passes its limit. */
export async function run(): Promise<number> {
  await buildFrontends();
  const ratios = await bench();
  const frames = await browserTests('frames in the browser', ['--project', 'speed', '--workers', '1']);
  return ratios && frames.failed === 0 ? 0 : 1;
}
