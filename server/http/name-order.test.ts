import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../db/test-database.ts';
import { testCompany } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

/** A company that has assets and labels of these names, and how its language is chosen. */
const having = async (names: readonly string[]) => {
  const company = await testCompany(server);
  const { api, token } = await company.person(['admin']);
  const sql = (text: string, values: unknown[]) => query(server.database.ownerUrl, text, values);
  const named = 'select $1, gen_random_uuid(), name';
  await sql(`insert into assets (tenant_id, id, name, created_at, updated_at) ${named}, now(), now() from unnest($2::text[]) as name`, [
    company.id,
    names,
  ]);
  await sql(
    `insert into status_labels (tenant_id, id, name, type, created_at, updated_at)
     ${named}, 'pending', now(), now() from unnest($2::text[]) as name on conflict do nothing`,
    [company.id, names],
  );
  return { api, token, speaks: (locale: string) => sql('update companies set locale = $2 where id = $1', [company.id, locale]) };
};

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
  it('are in the order of the company’s language in every list, and paging skips none', async () => {
    const { api, token, speaks } = await having(NAMES);
    const paged = async (sort: string): Promise<string[]> => {
      const found: string[] = [];
      let next: string | null = `?sort=${sort}&limit=4`;
      while (next !== null) {
        const answer: Response = await fetch(`${server.url}/v1/assets${next}`, { headers: { authorization: `Bearer ${token}` } });
        found.push(...((await answer.json()) as { name: string }[]).map(({ name }) => name));
        next = /<[^?]*(\?[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
      }
      return found;
    };
    // what only case tells apart is one to a list, and its id tells it apart
    const alike = (list: readonly string[]) => list.map((name) => name.toLowerCase());
    for (const [locale, ordered] of [
      ['nb', NORWEGIAN],
      ['en', ENGLISH],
    ] as const) {
      await speaks(locale);
      expect([locale, alike(await paged('name'))]).toEqual([locale, alike(ordered)]);
      expect([locale, alike(await paged('-name'))]).toEqual([locale, alike(ordered.toReversed())]);
      const labels = (await api('GET /statuslabels')).filter((label) => NAMES.includes(label.name)).map(({ name }) => name);
      expect([locale, alike(labels)]).toEqual([locale, [...new Set(alike(ordered))]]);
    }
  });

  it('of every script, with numbers inside, are in its order too', async () => {
    const names = ['Aasen', 'Åse', 'Azur', 'Äng', 'Ævar', 'Øyvind', 'Oeding', 'Öst', 'Ülkü', 'Yngve', 'Đorde', 'Dag', 'Þór', 'Tor', 'Straße', 'Strasse 2', '10 mm', '9 mm', '009 mm x', 'Wall 1.10', 'Wall 1.9', 'A12B2', 'A12B10', 'Łukasz', 'Lukas', 'Яна', 'Ωmega', '王芳', '(Ola)', '«Ola»', "O'Brien", 'OBrian', 'e-post', 'epost 1', 'Kari Berg', 'Kari Berg 1', '👍', 'Zz top', '२ mm']; // prettier-ignore
    const { api, speaks } = await having(names);
    for (const locale of ['nb', 'en'] as const) {
      await speaks(locale);
      const order = new Intl.Collator(locale, { numeric: true });
      const kept = await Promise.all(
        ['name', '-name'].map(async (sort) => (await api('GET /assets', { query: { sort, limit: 100 } })).map(({ name }) => name)),
      );
      const wanted = names.toSorted((a, b) => order.compare(a, b));
      expect([locale, ...kept]).toEqual([locale, wanted, wanted.toReversed()]);
    }
  });
});
