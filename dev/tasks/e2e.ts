import { stopChildrenOnSignal } from '../command.ts';
import { summary } from '../results.ts';
import { browserTests, keycloakTests } from '../suites.ts';

/** The browser journeys alone; arguments go to Playwright (`npm run e2e -- --project plain -g delivery`). `npm run e2e -- keycloak`: those with a real Keycloak. */
export async function run(args: string[]): Promise<number> {
  stopChildrenOnSignal();
  const [first, ...rest] = args;
  const tally = first === 'keycloak' ? await keycloakTests(rest) : await browserTests('browser journeys', args);
  const { text, ok } = summary([tally]);
  console.log(text);
  return ok ? 0 : 1;
}
