import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../command.ts';
import { buildFrontends, frontends } from '../frontends.ts';
import { budgetFault, budgets, measure, readManifest, routeFaults, screensIn } from './budgets.ts';

const bases = { portal: '/portal/', pickup: '/' } as const;

/** Builds what changed, then weighs the first load of both front ends and looks for screens that ride along with it. */
export async function frontendFaults(): Promise<string[]> {
  try {
    await buildFrontends();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const faults: string[] = [];
  for (const frontend of frontends) {
    const dist = path.join(root, frontend, 'dist');
    const sizes = measure(dist, bases[frontend]);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    console.log(`${frontend}: ${(total / 1000).toFixed(1)} kB gzip of script and style on first load, ${budgets[frontend]} allowed`);
    const fault = budgetFault(frontend, sizes, budgets[frontend]);
    if (fault) faults.push(fault);
  }
  const routes = path.join(root, 'portal', 'routes');
  const screens = existsSync(routes) ? screensIn(routes).map((file) => `routes/${file}`) : [];
  const early =
    screens.length === 0 ? ['portal/routes holds no screen'] : routeFaults(readManifest(path.join(root, 'portal', 'dist')), screens);
  return [...faults, ...early];
}
