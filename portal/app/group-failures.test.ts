import { createClient } from '@hatchway/contract/client.ts';
import { describe, expect, test } from 'vitest';
import { keepGroupFailures } from './group-failures.ts';

describe('failures of group calls', () => {
  const logged: string[] = [];
  const failures = keepGroupFailures((line) => logged.push(line));
  const refuse = () => Promise.resolve(new Response('{"code":"forbidden","status":403}', { status: 403 }));
  const api = createClient({ base: 'https://lockers.example/v1', fetch: refuse, onFailure: failures.note });
  const words = 'API Error: {"code":"forbidden","status":403}';
  const params = { id: 'g', userId: 'u' };

  // shows R8.8, R8.9
  test.each([
    ['POST /groups', () => api('POST /groups', { body: { name: 'Crew' } })],
    ['PUT /groups/{id}', () => api('PUT /groups/{id}', { params, body: { name: 'Crew' } })],
    ['DELETE /groups/{id}', () => api('DELETE /groups/{id}', { params })],
    ['GET /groups/{id}/members', () => api('GET /groups/{id}/members', { params })],
    ['POST /groups/{id}/members/{userId}', () => api('POST /groups/{id}/members/{userId}', { params, body: {} })],
    ['DELETE /groups/{id}/members/{userId}', () => api('DELETE /groups/{id}/members/{userId}', { params })],
    ['GET /accounts', () => api('GET /accounts')],
  ])('%s reaches the caller, recorded and logged', async (call, make) => {
    await expect(make()).rejects.toThrow(words);
    expect(failures.kept().at(-1)).toEqual({ call, message: words });
    expect(logged.at(-1)).toBe(`${call}: ${words}`);
  });

  // shows R8.8, R8.10
  test('of the list is recorded and logged; other calls are not', async () => {
    await expect(api.page('GET /groups')).rejects.toThrow(words);
    expect(logged.at(-1)).toBe(`GET /groups: ${words}`);
    const before = failures.kept().length;
    await expect(api('GET /key')).rejects.toThrow(words);
    expect(failures.kept()).toHaveLength(before);
  });

  test('a request that was given up is no failure', async () => {
    const waiting = ((_: string, init: RequestInit) => Promise.reject(init.signal?.reason as Error)) as typeof fetch;
    const slow = createClient({ base: 'https://lockers.example/v1', fetch: waiting, onFailure: failures.note });
    const before = failures.kept().length;
    const controller = new AbortController();
    const call = slow('GET /groups', { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toThrow('aborted');
    expect(failures.kept()).toHaveLength(before);
  });
});
