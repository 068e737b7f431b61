import { bench } from '@hatchway/bench/run.ts';
import { buildFrontends } from '../frontends.ts';
import { browserTests, newcomerTests } from '../suites.ts';

/**
 * Ratios of one run, medians of five, the seconds of a start, and the frames of a large wall; ends badly when one passes its limit.
 * `npm run bench -- reading`: that part of the ratios alone (reading, size, live, registering).
 */
export async function run(parts: string[]): Promise<number> {
  await buildFrontends();
  const ratios = await bench(parts);
  if (parts.length > 0) return ratios ? 0 : 1;
  const starts = await newcomerTests({ measured: true });
  const frames = await browserTests('frames in the browser', ['--project', 'speed', '--workers', '1']);
  return ratios && frames.failures.length === 0 && starts.tally.failures.length === 0 ? 0 : 1;
}
