import { stopChildrenOnSignal } from '../command.ts';
import { summary } from '../results.ts';
import { browserTests } from '../suites.ts';

/** The browser journeys alone; arguments go to Playwright (`npm run e2e -- --project plain -g delivery`). */
export async function run(args: string[]): Promise<number> {
  stopChildrenOnSignal();
  const { text, ok } = summary([await browserTests('browser journeys', args)]);
  console.log(text);
  return ok ? 0 : 1;
}
