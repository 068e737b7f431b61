import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** A process as told apart from a later one with the same pid; undefined where it has ended. */
export function processOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const started = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
    return started === '' ? undefined : `${pid} ${started}`;
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before may hold anything
    // A container's first process may never reap the orphan of a killed parent: a zombie has ended.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${pid} ${fields[19]}`; // ticks from boot to its start
  } catch {
    return undefined;
  }
}

/** For asking often: elsewhere than on Linux processOf starts a program. */
export function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return processOf(pid) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a process runs with `folder` as its working folder, which a PostgreSQL server has its data folder as. */
export function standsIn(pid: number, folder: string): boolean {
  try {
    if (process.platform === 'linux') return fs.readlinkSync(`/proc/${pid}/cwd`) === folder;
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(folder);
  } catch {
    return false;
  }
}

/**
 * Takes a file for this process alone, until it gives it back or ends, in whatever way. Throws where another holds it: two servers that
 * share one embedded database would each stop it under the other.
 */
export function hold(file: string): () => void {
  const us = processOf(process.pid) ?? String(process.pid);
  for (;;) {
    try {
      fs.writeFileSync(file, us, { flag: 'wx' });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const pid = Number.parseInt(holder, 10);
    if (pid > 0 && processOf(pid) === holder) throw new Error(`The database is in use by process ${pid} (${file}). Stop that one first.`);
    fs.rmSync(file, { force: true });
  }
}
