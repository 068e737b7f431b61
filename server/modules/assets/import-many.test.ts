import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let keeper: TestPerson;
beforeAll(async () => {
  server = await testServer();
  keeper = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

const send = (content: string, dryRun: boolean) =>
  keeper.api('POST /assets/import', { body: { dryRun }, file: new Blob([content], { type: 'text/csv' }) });

describe('a file of assets', () => {
  it('of 10,000 rows is done at once, and twice at the same time makes nothing twice', async () => {
    const mark = unique();
    const content = [
      'name,externalId,identifier.tag',
      ...Array.from({ length: 10_000 }, (_, at) => `Thing ${at},${mark}-${at},${mark}-${at}`),
    ].join('\n');
    // Whoever comes second finds what the first one made.
    const both = await Promise.all([send(content, false), send(content, false)]);
    expect(both.map(({ made, unchanged }) => `${made} made, ${unchanged} unchanged`).toSorted()).toEqual([
      '0 made, 10000 unchanged',
      '10000 made, 0 unchanged',
    ]);
    const page = await keeper.api.page('GET /assets', { query: { q: { $text: mark }, limit: 1, count: 'true' } });
    expect(page.total).toBe(10_000);
    expect(await send(content, false)).toMatchObject({ made: 0, changed: 0, unchanged: 10_000 });
    const second = await send(content.replaceAll('Thing', 'Object'), false);
    expect(second).toMatchObject({ made: 0, changed: 10_000 });
  });
});
