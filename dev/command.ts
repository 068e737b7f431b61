import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

/** The repository's root, whatever folder a task was started from. */
export const root = path.join(import.meta.dirname, '..');

export type Outcome = { code: number; output: string; seconds: number };

type Options = {
  env?: Record<string, string>;
  cwd?: string;
  /** Gather what it prints instead of showing it at once. */
  quiet?: boolean;
  uid?: number;
  gid?: number;
};

const running = new Set<ChildProcess>();
let isStopping = false;
const STOPPED = 130;

/** Runs a program to its end. It never rejects: a program that can't be started ends with code 127 and says why. Nothing is started once the task was told to stop. */
export function command(program: string, args: string[], { env, quiet = false, ...rest }: Options = {}): Promise<Outcome> {
  if (isStopping) return Promise.resolve({ code: STOPPED, output: '', seconds: 0 });
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      ...rest,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    const parts: Buffer[] = [];
    child.stdout?.on('data', (part: Buffer) => parts.push(part));
    child.stderr?.on('data', (part: Buffer) => parts.push(part));
    const end = (code: number, more = '') => {
      running.delete(child);
      resolve({ code, output: Buffer.concat(parts).toString() + more, seconds: (performance.now() - began) / 1000 });
    };
    child.on('error', (error) => end(127, error.message));
    child.on('close', (code, signal) => end(code ?? (signal === 'SIGINT' ? STOPPED : 1)));
  });
}

/** The same with one of the programs that came with the dependencies, on this very Node. */
export const tool = (file: string, args: string[], options?: Options): Promise<Outcome> =>
  command(process.execPath, [path.join(root, 'node_modules', file), ...args], options);

/** Ends what `command` started, and starts nothing more; the terminal's Ctrl-C reaches them anyway. */
export function stopChildren(signal: NodeJS.Signals): void {
  isStopping = true;
  for (const child of running) child.kill(signal);
}

/** The same, once the task itself is told to stop. */
export function stopChildrenOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopChildren(signal));
}
