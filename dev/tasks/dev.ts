import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { root } from '../command.ts';
import { frontends } from '../frontends.ts';

/**
 * `npm run dev`: the server starts again when its files change, and both front ends are built again when theirs do. It is the same
 * program on the same port as `npm start`, so what one sees here is what is delivered; its server runs out of the sources.
 */
export function run(args: string[]): Promise<number> {
  const children: ChildProcess[] = [];
  const begin = (program: string, ...rest: string[]) => {
    const child = spawn(program, rest, { cwd: root, stdio: 'inherit' });
    children.push(child);
    return child;
  };
  for (const frontend of frontends)
    begin(
      process.execPath,
      path.join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      frontend,
      '--config',
      `${frontend}/vite.config.ts`,
      '--watch',
      '--logLevel',
      'warn',
    );
  const watched = ['server', 'domain', 'contract', 'sandbox', 'dev'].map((folder) => `--watch-path=${folder}`);
  const server = begin(process.execPath, ...watched, '--watch-preserve-output', 'dev/boot.mjs', 'start', '--sources', ...args);
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => children.forEach((child) => child.kill(signal)));
    server.on('exit', (code) => {
      for (const child of children) child.kill();
      resolve(code ?? 0);
    });
  });
}
