import { pino } from 'pino';
import { expect, it } from 'vitest';
import { newApp } from './app.ts';
import type { Config } from './config.ts';
import { createMetrics } from './http/metrics.ts';

const addressSeen = async (trustProxy: boolean, forwarded: string) => {
  const config = { trustProxy, publicUrl: 'https://lockers.example.com' } as Config;
  const app = newApp({ config, log: pino({ level: 'silent' }), metrics: createMetrics() });
  app.get('/whoami', (request) => ({ ip: request.ip }));
  const answer = await app.inject({ url: '/whoami', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': forwarded } });
  await app.close();
  return answer.json<{ ip: string }>().ip;
};

it('counts by the address that the proxy saw, never by one that the caller wrote in front of it', async () => {
  expect(await addressSeen(true, '203.0.113.9')).toBe('203.0.113.9');
  expect(await addressSeen(true, '198.51.100.1, 203.0.113.9')).toBe('203.0.113.9');
  expect(await addressSeen(false, '198.51.100.1')).toBe('10.0.0.1');
});
