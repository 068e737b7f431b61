import { bench } from '@hatchway/bench/run.ts';
import { buildFrontends } from '../frontends.ts';
import { browserTests, newcomerTests } from '../suites.ts';

/** Ratios of one run, medians of five, the frames of a large wall, and the seconds of a start; ends badly when one passes its limit. */
export async function run(): Promise<number> {
  await buildFrontends();
  const ratios = await bench();
  const frames = await browserTests('frames in the browser', ['--project', 'speed', '--workers', '1']);
  const starts = await newcomerTests({ measured: true });
  return ratios && frames.failures.length === 0 && starts.tally.failures.length === 0 ? 0 : 1;
}
