import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../db/test-database.ts';
import { testCompany } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.stop());

const NAMES = [
  'Ola 10',
  'Åsen',
  'ola 2',
  'Ærlig',
  'Zoo',
  'Østby',
  'Adam',
  'Ola 2',
  'Ångström',
  'adam',
  'Örn',
  'Elise',
  'Élise',
  'a-1',
  'A 1',
];
const NORWEGIAN = [
  'A 1',
  'a-1',
  'adam',
  'Adam',
  'Elise',
  'Élise',
  'ola 2',
  'Ola 2',
  'Ola 10',
  'Zoo',
  'Ærlig',
  'Örn',
  'Østby',
  'Ångström',
  'Åsen',
];
const ENGLISH = [
  'A 1',
  'a-1',
  'adam',
  'Adam',
  'Ærlig',
  'Ångström',
  'Åsen',
  'Elise',
  'Élise',
  'ola 2',
  'Ola 2',
  'Ola 10',
  'Örn',
  'Østby',
  'Zoo',
];

describe('names', () => {
  it.each([
    ['nb', NORWEGIAN],
    ['en', ENGLISH],
  ] as const)('are in the order of the company’s language %s in every list, and paging skips none', async (locale, ordered) => {
    const company = await testCompany(server);
    const admin = await company.person(['admin']);
    await query(server.database.ownerUrl, 'update companies set locale = $2 where id = $1', [company.id, locale]);
    for (const name of NAMES) {
      await admin.api('POST /assets', { body: { name } });
      await admin.api('POST /statuslabels', { body: { name, type: 'pending' } }).catch(() => null);
    }
    const paged = async (sort: string): Promise<string[]> => {
      const found: string[] = [];
      let next: string | null = `?sort=${sort}&limit=2`;
      while (next !== null) {
        const answer: Response = await fetch(`${server.url}/v1/assets${next}`, { headers: { authorization: `Bearer ${admin.token}` } });
        found.push(...((await answer.json()) as { name: string }[]).map(({ name }) => name));
        next = /<[^?]*(\?[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
      }
      return found;
    };
    // what only case tells apart is one to a list, and its id tells it apart
    const alike = (list: readonly string[]) => list.map((name) => name.toLowerCase());
    expect(alike(await paged('name'))).toEqual(alike(ordered));
    expect(alike(await paged('-name'))).toEqual(alike(ordered.toReversed()));
    const labels = (await admin.api('GET /statuslabels')).filter((label) => NAMES.includes(label.name)).map(({ name }) => name);
    expect(alike(labels)).toEqual([...new Set(alike(ordered))]);
  });

  it.each(['nb', 'en'] as const)('of every script, with numbers inside, are in the order of %s', async (locale) => {
    const company = await testCompany(server);
    const admin = await company.person(['admin']);
    await query(server.database.ownerUrl, 'update companies set locale = $2 where id = $1', [company.id, locale]);
    const names = ['Aasen', 'Åse', 'Azur', 'Äng', 'Ævar', 'Øyvind', 'Oeding', 'Öst', 'Ülkü', 'Yngve', 'Đorde', 'Dag', 'Þór', 'Tor', 'Straße', 'Strasse 2', '10 mm', '9 mm', '009 mm x', 'Wall 1.10', 'Wall 1.9', 'A12B2', 'A12B10', 'Łukasz', 'Lukas', 'Яна', 'Ωmega', '王芳', '(Ola)', '«Ola»', "O'Brien", 'OBrian', 'e-post', 'epost 1', 'Kari  Berg', 'Kari Berg 1', '👍', 'Zz top', '२ mm']; // prettier-ignore
    for (const name of names) await admin.api('POST /assets', { body: { name } });
    const order = new Intl.Collator(locale, { numeric: true });
    const kept = await Promise.all(
      ['name', '-name'].map(async (sort) => (await admin.api('GET /assets', { query: { sort, limit: 100 } })).map(({ name }) => name)),
    );
    const wanted = names.map((name) => name.replaceAll(/ +/g, ' ')).toSorted((a, b) => order.compare(a, b));
    expect(kept).toEqual([wanted, wanted.toReversed()]);
  });
});
