import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './command.ts';

type Ended = { code: number | null; said: string };

const boot = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'dev/boot.mjs'), ...args], { cwd: root, env: { ...process.env, ...env } });
    let said = '';
    const hear = (part: Buffer) => {
      said += part.toString();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', (code) => resolve({ code, said }));
  });

describe('the entry of every npm script', () => {
  it('names the tasks when asked for one that is not there', async () => {
    const { code, said } = await boot(['fly']);
    expect(code).toBe(1);
    expect(said).toMatch(/no task "fly".*start, serve, dev, build, check/s);
  });

  it('passes on the task’s exit code', async () => {
    const { code, said } = await boot(['company', 'suspend'], { OPERATOR_KEY: 'op_0123456789abcdef' });
    expect(code).toBe(1);
    expect(said).toMatch(/--id is missing/);
  });

  it('refuses HOST for a start whose people sign in with a known password', async () => {
    const { code, said } = await boot(['start'], { HOST: '0.0.0.0' });
    expect(code).toBe(1);
    expect(said).toMatch(/loopback only/);
  });
});
