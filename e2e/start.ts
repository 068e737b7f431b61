import type { FullConfig } from '@playwright/test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runningFile, startProcess } from './process.ts';

/** Playwright's global set-up: one whole Hatchway for the run, on free ports and an empty data folder, stopped and removed at the end. */
export default async function start(config: FullConfig): Promise<() => Promise<void>> {
  const hatchway = await startProcess({ quick: true, port: String(config.metadata['port']) });
  mkdirSync(path.dirname(runningFile), { recursive: true });
  // a file, since workers are processes of their own; it holds the keys of this throwaway Hatchway
  writeFileSync(runningFile, JSON.stringify({ ...hatchway.where, folder: hatchway.folder }), { mode: 0o600 });
  return async () => {
    rmSync(runningFile, { force: true });
    await hatchway.stop();
  };
}
