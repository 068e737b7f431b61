import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOutside } from '@hatchway/server/outside/fetch.ts';
import { openShop } from '@hatchway/server/providers/woo.ts';
import { openTool } from '@hatchway/server/providers/tools.ts';
import { root } from '../command.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

// `npm run sandbox -- <name>` as a process of its own: what it prints is enough to connect a client.

const start = async (name: string): Promise<{ port: number; said: string; child: ChildProcess }> => {
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(root, 'dev/boot.mjs'), 'sandbox', name, '--port', String(port)], { cwd: root });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const ready = () => {
    if (!said.includes('Ctrl-C')) throw new Error(`Not ready: ${said}`);
  };
  await vi.waitFor(ready, { timeout: 60_000, interval: 50 });
  return { port, said, child };
};
const told = (said: string, name: string): string => new RegExp(`^ {2}${name} +(\\S+)`, 'm').exec(said)?.[1] ?? '';
const end = async (child: ChildProcess): Promise<unknown> => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
};

describe('alone', () => {
  it('the asset tool answers both wires at its root, and shows its page', { timeout: 70_000 }, async () => {
    const { port, said, child } = await start('assets');
    const [origin, key] = [`http://127.0.0.1:${port}`, told(said, 'Key of both')];
    for (const kind of ['tcm', 'snipeit'] as const) {
      const tool = openTool(kind, createOutside([port]), origin, key);
      expect(await tool.test()).toEqual({ kind: 'ok', value: null });
      const page = await tool.assets({ since: null, cursor: null });
      expect(page.kind === 'ok' && page.value.rows.map(({ identifier }) => identifier)).toContain('T-001');
    }
    expect((await fetch(origin)).url).toBe(`${origin}/sandbox/assets`);
    const page = await fetch(`${origin}/hardware/4`, { redirect: 'manual' });
    expect(page.headers.get('location')).toBe('/sandbox/assets#asset-4');
    expect(await end(child)).toBe(0);
  });

  it('the webshop takes the keys that it prints, and shows its page', { timeout: 70_000 }, async () => {
    const { port, said, child } = await start('woo');
    const keys = { consumerKey: told(said, 'consumer_key'), consumerSecret: told(said, 'consumer_secret') };
    expect(await openShop(createOutside([port]), told(said, 'Shop'), keys).test()).toEqual({ kind: 'ok', value: null });
    expect((await fetch(`http://127.0.0.1:${port}`)).url).toBe(`http://127.0.0.1:${port}/sandbox/woo`);
    expect(await end(child)).toBe(0);
  });
});
