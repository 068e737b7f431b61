import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createMetrics } from './metrics.ts';
import { openFrontend, servePages } from './pages.ts';

let app: FastifyInstance;
const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-pages-'));
const front = (name: string, assets: string) => {
  const at = path.join(folder, name);
  mkdirSync(path.join(at, assets), { recursive: true });
  writeFileSync(path.join(at, assets, 'main-abc123.js'), '// hashed');
  for (const file of ['index.html', 'boot.js']) writeFileSync(path.join(at, file), '__NONCE__ own __IDENTITY__;');
  return openFrontend(at);
};
beforeAll(async () => {
  app = newApp({ config: { publicUrl: 'https://x.test' } as Config, log: pino({ level: 'silent' }), metrics: createMetrics() });
  await servePages(app, {
    portal: front('portal', 'assets'),
    pickup: front('pickup', 'pickup-assets'),
    live: 'wss://x.test',
    identity: 'https://id.test',
  });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['/', 'no-store'],
  ['/portal/lockers', 'no-store'],
  ['/boot.js', 'no-cache'],
  ['/portal/boot.js', 'no-cache'],
  ['/pickup-assets/main-abc123.js', 'public, max-age=31536000, immutable'],
  ['/portal/assets/main-abc123.js', 'public, max-age=31536000, immutable'],
])('%s is kept by browsers as "%s": for a year only what has another name in the next build', async (url, kept) => {
  const answer = await app.inject({ url });
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, kept]);
});

it.each(['/', '/%', '/nosuch', '/portal/assets/nosuch.js', '/portal'])('%s is answered with a policy of what it may load', async (url) => {
  const { headers } = await app.inject({ url });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
});

it.each(['/portal/', '/c/1234'])('lets %s ask and frame the identity provider that stands elsewhere', async (url) => {
  const { headers, body } = await app.inject({ url });
  expect(body).toContain('own https://id.test;');
  expect(headers['content-security-policy']).toContain("connect-src 'self' wss://x.test https://id.test;");
  expect(headers['content-security-policy']).toContain("frame-src 'self' https://id.test;");
});
