import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallInput, Client } from '@hatchway/contract/client.ts';
import { query } from '../../db/test-database.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  stranger = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

const KINDS = [
  'GET /exports/assets',
  'GET /exports/occupations',
  'GET /exports/payments',
  'GET /exports/history',
  'GET /exports/members',
] as const;
type Kind = (typeof KINDS)[number];
const text = async (api: Client, kind: Kind, asked: NonNullable<CallInput<'GET /exports/assets'>['query']> = {}) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await (await api(kind, { query: asked })).arrayBuffer());
const rows = async (...asked: Parameters<typeof text>): Promise<Record<string, string>[]> =>
  parse(await text(...asked), { bom: true, columns: true, delimiter: asked[2]?.locale === 'nb' ? ';' : ',' }) as Record<string, string>[];

const wall = async (doors: number): Promise<string[]> => {
  const site = await admin.api('POST /sites', { body: { name: unique() } });
  const made = Array.from({ length: doors }, (_, at) => ({ doorTag: unique(), compartment: at + 1, size: 'M' as const, height: 300 }));
  const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors: made }] } });
  return cabinet.columns.flatMap((column) => column.doors.map((door) => door.lockerId));
};
const deliver = (lockerId: string, assetText: string, receiver = { name: 'Kari Nordmann', tlf: '+4790000001' }) =>
  admin.api('POST /occupations', { body: { type: 'delivery', lockerId, assetText, receiver } });

describe('a list as a file', () => {
  it('holds what the list holds, disarmed, in the words and the order that were asked for', async () => {
    const mark = unique();
    for (const name of [
      `=HYPERLINK("x") ${mark}`,
      `+1 ${mark}`,
      `-1 ${mark}`,
      `@x ${mark}`,
      `'=1 ${mark}`,
      `''-1 ${mark}`,
      `a;"b",\nc ${mark}`,
    ])
      await admin.api('POST /assets', { body: { name, identifiers: [{ kind: 'ean', value: `${name} 1` }], data: { note: '=1' } } });
    const asked = { q: JSON.stringify({ $text: mark }), sort: 'name', locale: 'en' } as const;
    const file = await text(admin.api, 'GET /exports/assets', asked);
    expect(file.startsWith('\uFEFFID,Name,External ID,Identifiers,Status label')).toBe(true);
    expect(file.endsWith('\r\n')).toBe(true);
    const found = await rows(admin.api, 'GET /exports/assets', asked);
    const list = await admin.api('GET /assets', { query: { q: { $text: mark }, sort: 'name' } });
    expect(found.map((row) => row['ID'])).toEqual(list.map((row) => row._id));
    expect(found.map((row) => row['Name'])).toEqual(list.map(({ name }) => (/^'*[=+@-]/.test(name) ? `'${name}` : name)));
    expect(found[0]).toMatchObject({ Data: '{"note":"=1"}', Picture: 'no' });
    // What was saved can be given back: nothing is new in it.
    const back = await admin.api('POST /assets/import', { body: { dryRun: true }, file: new Blob([file]) });
    expect(back).toMatchObject({ made: 0, changed: 0, unchanged: 7, refused: 0 });
    const norwegian = await text(admin.api, 'GET /exports/assets', { ...asked, locale: 'nb' });
    expect(norwegian.startsWith('\uFEFFID;Navn;Ekstern ID')).toBe(true);
    expect(norwegian).toContain(';Registrert her;');
    expect(norwegian).toContain(';Opprettet (Europe/Oslo);');
    expect(await admin.api('POST /assets/import', { body: { dryRun: true }, file: new Blob([norwegian]) })).toMatchObject({ unchanged: 7 });
    expect((await text(admin.api, 'GET /exports/assets', { ...asked, separator: ';' })).startsWith('\uFEFFID;Name')).toBe(true);
  });

  it('is named by the day that it is for the company', async () => {
    const name = async (timeZone: string) => {
      const { version } = await admin.api('GET /companies/{tenant}', { params: { tenant: ours.id } });
      await admin.api('PUT /companies/{tenant}', { params: { tenant: ours.id }, body: { version, timeZone } });
      const answer = await fetch(`${server.url}/v1/exports/members`, { headers: { authorization: `Bearer ${admin.token}` } });
      return /\d{4}-\d\d-\d\d/.exec(answer.headers.get('content-disposition') ?? '')?.[0] ?? '';
    };
    // A day and an hour apart: whatever the hour is, it is never the same day at both.
    expect(Date.parse(await name('Pacific/Kiritimati'))).toBeGreaterThan(Date.parse(await name('Pacific/Pago_Pago')));
    await name('Europe/Oslo');
  });

  it('speaks the language that the person has chosen, and is saved under a name', async () => {
    await admin.api('PUT /accounts/me', { body: { locale: 'nb' } });
    expect(await refusal(admin.api('PUT /accounts/me', { body: { locale: null } as never }))).toEqual([400, 'malformed']);
    const answer = await fetch(`${server.url}/v1/exports/members`, { headers: { authorization: `Bearer ${admin.token}` } });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''Medlemmer%20\d{4}-\d\d-\d\d\.csv$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain('Navn;E-post;Mobilnummer;Roller');
    await admin.api('PUT /accounts/me', { body: { locale: 'en' } });
    expect((await rows(admin.api, 'GET /exports/members')).map((row) => row['Roles'])).toContain('Administrator');
  });

  it('is longer than a page, without a row lost or doubled', async () => {
    const far = await testCompany(server);
    const owner = await far.person(['admin']);
    await query(
      server.database.ownerUrl,
      `insert into assets (tenant_id, id, name, created_at, updated_at)
       select $1, gen_random_uuid(), 'Thing ' || n, now() - (n / 3) * interval '1 second', now() from generate_series(1, 1002) n`,
      [far.id],
    );
    const found = await rows(owner.api, 'GET /exports/assets');
    expect(found).toHaveLength(1_002);
    expect(new Set(found.map((row) => row['Name'])).size).toBe(1_002);
  });

  it('is whole also where rows change their places while it is fetched, and is not read ahead of who fetches it', async () => {
    const far = await testCompany(server);
    const owner = await far.person(['admin']);
    await query(
      server.database.ownerUrl,
      `insert into assets (tenant_id, id, name, data, created_at, updated_at)
       select $1, gen_random_uuid(), 'A' || lpad(n::text, 5, '0'), jsonb_build_object('text', repeat('x', 9000)), now(), now()
       from generate_series(1, 3001) n`,
      [far.id],
    );
    const answer = await fetch(`${server.url}/v1/exports/assets?sort=name`, { headers: { authorization: `Bearer ${owner.token}` } });
    const reader = answer.body?.getReader();
    const decoder = new TextDecoder();
    let file = decoder.decode((await reader?.read())?.value, { stream: true });
    const renamed = `update assets set name = 'A00000' where tenant_id = $1 and name = 'A03000' returning id`;
    const [moved] = await query<{ id: string }>(server.database.ownerUrl, renamed, [far.id]);
    await query(server.database.ownerUrl, `delete from assets where tenant_id = $1 and name = 'A02999'`, [far.id]);
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      file += decoder.decode(next.value, { stream: true });
    // Each row is one line here, and to read 27 MB as CSV takes longer than to fetch them.
    const lines = file.trimEnd().split('\r\n').slice(1);
    const found = lines.map((line) => line.split(',', 2));
    expect(found).toHaveLength(3_000);
    expect(new Set(found.map(([id]) => id)).size).toBe(3_000);
    // At the place that it had, by the name that it has.
    expect([found[2998]?.[0], found.slice(2997).map(([, name]) => name)]).toEqual([moved?.id, ['A02998', 'A00000', 'A03001']]);

    // A right that is withdrawn while it is fetched breaks it off, instead of ending it as if it were whole.
    const broken = await fetch(`${server.url}/v1/exports/assets`, { headers: { authorization: `Bearer ${owner.token}` } });
    const half = broken.body?.getReader();
    await half?.read();
    await query(server.database.ownerUrl, 'delete from memberships where account_id = $1', [owner.accountId]);
    const rest = async () => {
      for (let next = await half?.read(); next && !next.done;) next = await half?.read();
    };
    await expect(rest()).rejects.toThrow(/terminated/);
  });

  it('holds only what the caller may see', async () => {
    const [near = '', far = ''] = await wall(2);
    const [first, second] = [`Near ${unique()}`, `Far ${unique()}`];
    await deliver(near, first);
    await deliver(far, second);
    const seen = async (api: Client) => {
      const contents = (await rows(api, 'GET /exports/occupations', { locale: 'en' })).map((row) => row['Content']);
      return [contents.includes(first), contents.includes(second)];
    };
    expect(await seen(admin.api)).toEqual([true, true]);
    expect(await seen((await ours.person(['delivery_manager'])).api)).toEqual([true, true]);
    expect(await seen((await ours.person(['lending_manager'])).api)).toEqual([false, false]);
    const scoped = await ours.scoped(['delivery'], [near]);
    expect(await seen(scoped.api)).toEqual([true, false]);
    expect(await seen(stranger.api)).toEqual([false, false]);
    const history = await text(scoped.api, 'GET /exports/history', { locale: 'en' });
    const doors = await admin.api('GET /lockers', { query: { q: { id: { $in: [near, far] } } } });
    expect(doors.map(({ id, doorTag }) => [id === near, history.includes(doorTag)])).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, false],
      ]),
    );
    expect(await refusal(scoped.api('GET /exports/members'))).toEqual([403, 'forbidden']);
    const key = await admin.api('POST /key', { body: { name: unique(), scopes: ['delivery'] } });
    expect(await seen(server.as(key.secret))).toEqual([true, true]);
    expect(await refusal(server.as(key.secret)('GET /exports/members'))).toEqual([403, 'forbidden']);
  });

  it('of payments is for those who may read them, with sums as the language writes them', async () => {
    const [door = ''] = await wall(1);
    const made = await admin.api('POST /occupations', {
      body: { type: 'sale', lockerId: door, assetText: unique(), quantity: 3, price: { amount: 8950, currency: 'NOK' } },
    });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    const payment = await admin.api('POST /payments', { body: { occupationId: made.id, payer: { name: '=Kari' } } });
    const asked = { q: JSON.stringify({ occupationId: made.id }) };
    const [english] = await rows(admin.api, 'GET /exports/payments', { ...asked, locale: 'en' });
    expect(english).toMatchObject({ ID: payment._id, Amount: '89.50', Currency: 'NOK', Payer: "'=Kari" });
    const [norwegian] = await rows(admin.api, 'GET /exports/payments', { ...asked, locale: 'nb' });
    expect(norwegian).toMatchObject({ Beløp: '89,50', Betaler: "'=Kari", Betalingstjeneste: 'Kontant eller terminal' });
    expect(norwegian?.['Opprettet (Europe/Oslo)']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await refusal((await ours.person(['delivery_manager'])).api('GET /exports/payments'))).toEqual([403, 'forbidden']);
    expect(await rows(stranger.api, 'GET /exports/payments', asked)).toEqual([]);
  });

  it.each([
    ['JPY', '5000', '5000'],
    ['KWD', '5.000', '5,000'],
  ])('writes sums with as many digits as %s has', async (currency, english, norwegian) => {
    const [door = ''] = await wall(1);
    const body = { type: 'sale' as const, lockerId: door, assetText: unique(), quantity: 1, price: { amount: 5000, currency } };
    const made = await admin.api('POST /occupations', { body });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id: made.id, action } });
    const payment = await admin.api('POST /payments', { body: { occupationId: made.id } });
    const sum = async (path: 'GET /exports/payments' | 'GET /exports/occupations', id: string, locale: 'en' | 'nb') => {
      const [row] = await rows(admin.api, path, { q: JSON.stringify({ [path.endsWith('payments') ? 'occupationId' : 'id']: id }), locale });
      return [row?.Amount ?? row?.Beløp ?? row?.Price ?? row?.Pris, row?.Currency ?? row?.Valuta];
    };
    expect(payment.amount).toBe(5000);
    for (const path of ['GET /exports/payments', 'GET /exports/occupations'] as const) {
      expect(await sum(path, made.id, 'en')).toEqual([english, currency]);
      expect(await sum(path, made.id, 'nb')).toEqual([norwegian, currency]);
    }
  });

  it('of the history says until when something was extended', async () => {
    const [door = ''] = await wall(1);
    const made = await deliver(door, unique());
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    const amend = async (pickupBy: string) => {
      const { version } = await admin.api('GET /occupations/{id}', { params: { id: made.id } });
      await admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: { version, pickupBy } });
    };
    await amend('2040-01-02T12:00:00Z');
    await amend('2040-01-01T12:00:00Z');
    const asked = { q: JSON.stringify({ occupationId: made.id, type: 'occupation_amended' }), sort: 'at' };
    const told = async (locale: 'en' | 'nb') =>
      (await rows(admin.api, 'GET /exports/history', { ...asked, locale })).map((row) => row['Event'] ?? row['Hendelse']);
    expect(await told('en')).toEqual(['Extended until 2040-01-02 13:00:00', 'New deadline: 2040-01-01 13:00:00']);
    expect(await told('nb')).toEqual(['Forlenget til 2040-01-02 13:00:00', 'Ny frist: 2040-01-01 13:00:00']);
  });

  it('holds no secret', async () => {
    const [door = ''] = await wall(1);
    const made = await deliver(door, unique());
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'send' } });
    const head = Object.keys((await rows(admin.api, 'GET /exports/occupations', { locale: 'en' }))[0] ?? {});
    expect(head.filter((word) => /token|code|secret|link/i.test(word))).toEqual([]);
  });

  it.each(KINDS)('%s takes the list’s own question, and refuses any other before it begins', async (kind) => {
    for (const wrong of [
      { q: '{"nosuch":1}' },
      { sort: 'nosuch' },
      // What is the same for all files is asked of one.
      ...(kind === KINDS[0] ? [{ q: '{' }, { limit: '1' }, { cursor: 'x' }, { locale: 'sv' }, { separator: '|' }] : []),
    ])
      expect([wrong, await refusal(admin.api(kind, { query: wrong as never }))]).toEqual([wrong, [400, 'malformed']]);
    const id = kind === 'GET /exports/assets' || kind === 'GET /exports/payments' ? '_id' : 'id';
    expect(await rows(admin.api, kind, { q: JSON.stringify({ [id]: crypto.randomUUID() }) })).toEqual([]);
    expect(await rows(admin.api, kind, { q: JSON.stringify({ tenantId: crypto.randomUUID() }) })).toEqual([]);
  });
});
