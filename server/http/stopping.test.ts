import http from 'node:http';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { waitersFor } from '../db/test-database.ts';
import { testCompany } from '../test-company.ts';
import { testServer } from '../test-server.ts';

type Answer = { status: number; text: string; headers: http.IncomingHttpHeaders };
const ask = (agent: http.Agent, url: string, token: string, put?: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = http.request(url, { agent, method: put ? 'PUT' : 'GET', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    request.on('error', reject);
    request.end(put ? JSON.stringify(put) : undefined);
  });

describe('a server that is told to stop', () => {
  it('answers what is under way, takes nothing new, and then ends', async () => {
    const server = await testServer();
    const { api, token } = await (await testCompany(server)).person(['admin']);
    const asset = await api('POST /assets', { body: { name: 'Before' } });
    const address = `${server.url}/v1/assets/${asset._id}`;
    const kept = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const other = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const owner = new pg.Client({ connectionString: server.database.ownerUrl });
    await owner.connect();
    // The row is held, so the change waits inside its transaction.
    await owner.query('begin');
    await owner.query('select 1 from assets where id = $1 for update', [asset._id]);
    const underWay = ask(kept, address, token, { name: 'After', version: 1 });
    await expect.poll(() => waitersFor(server.database.ownerUrl, owner)).toBeGreaterThan(0);
    let stopped = false;

    const stop = server.stop().then(() => (stopped = true));
    const refused = await expect
      .poll(() =>
        ask(other, address, token).then(
          (answer) => answer.status,
          (error: NodeJS.ErrnoException) => error.code,
        ),
      )
      .toSatisfy((answer: unknown) => answer === 503 || answer === 'ECONNREFUSED' || answer === 'ECONNRESET')
      .then(() => true);

    expect([refused, stopped]).toEqual([true, false]);

    await owner.query('commit');
    const answer = await underWay;
    expect(answer.headers.connection).toBe('close');
    expect([answer.status, (JSON.parse(answer.text) as { name: string }).name]).toEqual([200, 'After']);
    await owner.end();
    await stop;
    await expect(ask(other, address, token)).rejects.toThrow(/ECONNREFUSED/);
    kept.destroy();
    other.destroy();
  });
});
