import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../command.ts';
import { buildFrontends, frontends } from '../frontends.ts';
import {
  budgetFault,
  budgets,
  entriesOf,
  firstLoad,
  firstScreenFaults,
  gzipSize,
  measure,
  readManifest,
  routeFaults,
  screensIn,
  signInBudget,
} from './budgets.ts';

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
  const built = path.join(root, 'portal', 'dist');
  const manifest = readManifest(built);
  const before = firstLoad(manifest, entriesOf(manifest)).reduce((sum, file) => sum + gzipSize(readFileSync(path.join(built, file))), 0);
  console.log(`portal: ${(before / 1000).toFixed(1)} kB of it before the sign-in, ${signInBudget} allowed`);
  if (before > signInBudget * 1000) faults.push(`portal: ${(before / 1000).toFixed(1)} kB before the sign-in, ${signInBudget} allowed`);
  const routes = path.join(root, 'portal', 'routes');
  const screens = existsSync(routes) ? screensIn(routes).map((file) => `routes/${file}`) : [];
  const early = screens.length === 0 ? ['portal/routes holds no screen'] : routeFaults(manifest, screens);
  return [...faults, ...early, ...firstScreenFaults(manifest)];
}
