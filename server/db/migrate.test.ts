import { identifierClass, identifierForm } from '@hatchway/domain/identifier.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { asApp, asOwner, migrate, readMigrations, type Migration } from './migrate.ts';
import { query } from './test-database.ts';

const { ownerUrl: cluster, appPassword } = inject('cluster');
const name = `hatchway_migrate_${randomBytes(4).toString('hex')}`;
const url = new URL(cluster);
url.pathname = `/${name}`;
const empty = url.href;
const files: Migration[] = [
  { name: '001_a.sql', sql: 'create table a (x int);' },
  { name: '002_b.sql', sql: 'create table b (x int); -- the last line is a comment' },
];
const run = (migrations: Migration[]) => migrate(empty, { appPassword, migrations });
const tables = async () =>
  (await query<{ t: string }>(empty, `select tablename as t from pg_tables where schemaname = 'public' order by 1`)).map((row) => row.t);

beforeAll(async () => void (await query(cluster, `create database ${name}`)));
afterAll(async () => void (await query(cluster, `drop database ${name} with (force)`)));

test('runs each file once, also when two servers start at once', async () => {
  const both = await Promise.all([run(files), run(files)]);
  expect(both.flat().sort()).toEqual(['001_a.sql', '002_b.sql']);
  expect(await run(files)).toEqual([]);
  expect(await tables()).toEqual(['a', 'b', 'migrations']);
});

test('a file that fails leaves nothing behind, names its line, and runs after it was mended', async () => {
  const bad = { name: '003_c.sql', sql: 'create table c (x int);\nselect 1;\ncreate table d (x nonsense);' };
  await expect(run([...files, bad])).rejects.toThrow('Migration 003_c.sql: type "nonsense" does not exist (line 3)');
  expect(await tables()).toEqual(['a', 'b', 'migrations']);
  expect(await run([...files, { ...bad, sql: 'create table c (x int)' }])).toEqual(['003_c.sql']);
});

test('refuses a file that was changed after it ran, and a database that is newer than the program', async () => {
  const changed = files.map((file) => (file.name === '001_a.sql' ? { ...file, sql: `${file.sql} ` } : file));
  await expect(run(changed)).rejects.toThrow('Migration 001_a.sql was changed after it ran on this database');
  await expect(run(files)).rejects.toThrow('This database is newer than the program: it has run 003_c.sql');
});

test('a table that is somebody else’s keeps no server from starting', async () => {
  await query(empty, 'create table theirs (tenant_id uuid)');
  expect(await run([...files, { name: '003_c.sql', sql: 'create table c (x int)' }])).toEqual([]);
  await query(empty, 'drop table theirs');
});

test('what the owner makes later the server may use, and no more than use', async () => {
  await query(asOwner(empty), 'create table jobs.queue (x int)');
  const app = asApp(empty, appPassword);
  await query(app, 'insert into jobs.queue values (1)');
  expect(await query(app, 'delete from jobs.queue returning x')).toEqual([{ x: 1 }]);
  await expect(query(app, 'truncate jobs.queue')).rejects.toMatchObject({ code: '42501' });
  await expect(query(app, 'create table jobs.mine (x int)')).rejects.toMatchObject({ code: '42501' });
});

// A gap is work that is not here yet: files run by name, and one that comes late runs when it comes.
test('file names are numbered without a double', () => {
  const numbers = readMigrations().map((file) => Number(/^(\d{3})_[a-z-]+\.sql$/.exec(file.name)?.[1]));
  expect(numbers.filter((number) => !(number > 0))).toEqual([]);
  expect(new Set(numbers).size).toBe(numbers.length);
});

const all = readMigrations();
const base = `${name}_base`;
const addressOf = (database: string): string => {
  const at = new URL(cluster);
  at.pathname = `/${database}`;
  return at.href;
};
beforeAll(async () => void (await query(cluster, `create database ${base}`)));
afterAll(async () => void (await query(cluster, `drop database ${base} with (force)`)));
/**
 * A database as it was before the migration of that number; `on` runs that one, or so many of all.
 * It is a copy of one that goes on from test to test: they stand in the order of their numbers.
 */
const before = async (number: string, work: (at: string, on: (to?: number) => Promise<unknown>) => Promise<void>): Promise<void> => {
  const own = `${name}_${number}`;
  const first = all.findIndex((file) => file.name.startsWith(number));
  await migrate(addressOf(base), { appPassword, migrations: all.slice(0, first) });
  await query(cluster, `create database ${own} template ${base} strategy file_copy`);
  try {
    await work(addressOf(own), (to = first + 1) => migrate(addressOf(own), { appPassword, migrations: all.slice(0, to) }));
  } finally {
    await query(cluster, `drop database ${own} with (force)`);
  }
};

test('a company that was there before its first labels were made with it has them too, and nobody has others for their own', () =>
  before('034', async (at, on) => {
    const labels = (tenant: string) =>
      query<{ id: string; name: string; type: string }>(at, 'select id, name, type from status_labels where tenant_id = $1 order by name', [
        tenant,
      ]);
    const [nb, en, theirs] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [id, locale] of [
      [nb, 'nb'],
      [en, 'en'],
      [theirs, 'nb'],
    ])
      await query(at, "insert into companies (id, name, locale, created_at, updated_at) values ($1, 'Company', $2, now(), now())", [
        id,
        locale,
      ]);
    await query(
      at,
      "insert into status_labels (tenant_id, id, name, type, created_at, updated_at) values ($1, gen_random_uuid(), 'Ny', 'pending', now(), now())",
      [theirs],
    );
    await on();
    expect((await labels(nb)).map((label) => [label.name, label.type])).toEqual([
      ['Arkivert', 'archived'],
      ['Klar', 'deployable'],
      ['Til reparasjon', 'undeployable'],
      ['Venter', 'pending'],
    ]);
    expect((await labels(en)).map((label) => label.name)).toEqual(['Archived', 'In repair', 'Pending', 'Ready']);
    expect((await labels(theirs)).map((label) => label.name)).toEqual(['Ny']);
    for (const { id } of await labels(nb)) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
  }));

test('an address that was kept in capitals has the form in which it is kept now', () =>
  before('039', async (at, on) => {
    await query(
      at,
      `insert into companies (id, name, locale, created_at, updated_at) values (gen_random_uuid(), 'Company', 'nb', now(), now());
       insert into accounts (id, name, email, created_at, updated_at) values (gen_random_uuid(), 'A', 'Anna@X.no', now(), now());
       insert into invitations (tenant_id, id, email, state, expires_at, invited_by_kind, created_at, updated_at)
         select id, gen_random_uuid(), 'Anna@X.no', 'pending', now(), 'system', now(), now() from companies;
       insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, receiver_name, receiver_email, created_by, created_at, updated_at)
         select id, gen_random_uuid(), 'delivery', 'delivery', 98, now(), null, 'A1', 'Anna', 'Anna@X.no', '{}', now(), now() from companies;
       insert into loans (tenant_id, id, occupation_id, borrower_email, out_at, due_at, created_at, updated_at)
         select tenant_id, gen_random_uuid(), id, 'Anna@X.no', now(), now(), now(), now() from occupations`,
      [],
    );
    await on();
    const found = `select email from accounts union all select email from invitations
      union all select receiver_email from occupations union all select borrower_email from loans`;
    expect(await query(at, found)).toEqual(Array.from({ length: 4 }, () => ({ email: 'anna@x.no' })));
  }));

test('a reminder that was sent before is known by its hours around the deadline', () =>
  before('040', async (at, on) => {
    await query(at, "insert into companies (id, name, locale, created_at, updated_at) values (gen_random_uuid(), 'C', 'nb', now(), now())");
    // The locker that each lies in is not looked at.
    await query(at, 'alter table occupations disable trigger all');
    const sent = async (tag: string, reminded: string, message: string | null) => {
      await query(
        at,
        `with o as (
           insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, pickup_by, reminded, created_by, created_at, updated_at)
           select id, gen_random_uuid(), 'delivery', 'delivery', 3, now(), gen_random_uuid(), $1::text, now() + '2 hours', $2::jsonb, '{}', now(), now() from companies
           returning tenant_id, id)
         insert into messages (tenant_id, id, occupation_id, cause, kind, channel, message_id, state, to_masked, to_sealed, created_at, updated_at)
         select tenant_id, gen_random_uuid(), id, 'reminder', 'reminder', 'mail', '', 'sent', '', '', now() + $3::text::interval, now() from o
         where $3::text is not null`,
        [tag, reminded, message],
      );
    };
    await sent('NONE', '[]', null);
    // Sent 24 hours before the deadline, a moment after its time: 22 hours ago.
    await sent('SENT', '[0]', '-22 hours +20 seconds');
    await sent('UNTOLD', '[0]', null);
    await on();
    expect(await query(at, 'select door_tag, reminded_hours from occupations order by door_tag')).toEqual([
      { door_tag: 'NONE', reminded_hours: null },
      { door_tag: 'SENT', reminded_hours: -24 },
      { door_tag: 'UNTOLD', reminded_hours: -2 },
    ]);
  }));

test('who brought a loan back or finished a payment with a link is forgotten there too, and what a provider said of a forgotten address', () =>
  before('042', async (at, on) => {
    const by = (id: string) => `{"kind":"person","id":${id},"name":"Kari"}`;
    const [visitor, member] = [by('null'), by('"m"')];
    await query(
      at,
      `insert into companies (id, name, locale, created_at, updated_at) values (gen_random_uuid(), 'Company', 'nb', now(), now());
       insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, created_by, created_at, updated_at)
         select id, gen_random_uuid(), 'lending', 'lending', 99, now(), null, 'A1', '{}', now(), now() from companies;
       insert into loans (tenant_id, id, occupation_id, borrower_name, out_at, due_at, returned_at, ended_by, created_at, updated_at)
         select tenant_id, gen_random_uuid(), o.id, n.name, now(), now(), now(), n.ended_by::jsonb, n.at, now()
         from occupations o, (values (null, '${visitor}', now()), ('Kari', '${visitor}', now() + interval '1 s'), (null, '${member}', now() + interval '2 s')) as n (name, ended_by, at);
       insert into messages (tenant_id, id, cause, kind, channel, to_masked, to_sealed, message_id, state, error, created_at, updated_at)
         select id, gen_random_uuid(), n.masked, 'ready', 'mail', n.masked, '', n.masked, 'failed', 'no mailbox KARI@X.NO', now(), now()
         from companies, (values (''), ('k•••@x.no')) as n (masked);
       insert into payments (tenant_id, id, provider, reference, amount, state, events, created_at, updated_at)
         select id, gen_random_uuid(), 'manual', '1', 1, 'captured', '[{"at":"2026-01-01T10:00:00.000Z","state":"initiated","amount":1,"by":"Ada"},
           {"at":"2026-01-01T11:00:00.000Z","state":"captured","amount":1,"by":"Kari"}]', now(), now() from companies;
       insert into events (tenant_id, id, type, at, actor_kind, actor_id, payment_id)
         select tenant_id, gen_random_uuid(), n.type, n.at::timestamptz, 'person', n.actor, id
         from payments, (values ('payment_initiated', '2026-01-01T10:00:00Z', 'a'), ('payment_captured', '2026-01-01T11:00:00Z', null)) as n (type, at, actor)`,
      [],
    );
    await on();
    expect(await query(at, `select ended_by->>'name' as name from loans order by created_at`)).toEqual([
      { name: '' },
      { name: 'Kari' },
      { name: 'Kari' },
    ]);
    expect(await query(at, 'select to_masked, error from messages order by to_masked')).toEqual([
      { to_masked: '', error: null },
      { to_masked: 'k•••@x.no', error: 'no mailbox KARI@X.NO' },
    ]);
    expect(await query(at, `select jsonb_path_query_array(events, '$[*].by') as by from payments`)).toEqual([{ by: ['Ada', ''] }]);
  }));

test('whoever set something aside by a link is forgotten once that is archived, and nobody else is', () =>
  before('064', async (at, on) => {
    await query(at, "insert into companies (id, name, locale, created_at, updated_at) values (gen_random_uuid(), 'C', 'nb', now(), now())");
    const [guest, staff] = ['{"kind":"person","id":null,"name":"Rita"}', '{"kind":"person","id":"a","name":"Ada"}'];
    const kept = (tag: string, stage: number, by: string) =>
      query(
        at,
        `insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, created_by, opened_by, created_at, updated_at)
         select id, gen_random_uuid(), 'delivery', 'delivery', $2, now(), null, $1, $3::jsonb, $3::jsonb, now(), now() from companies`,
        [tag, stage, by],
      );
    await kept('archived', 99, guest);
    await kept('ended', 98, guest);
    await kept('theirs', 99, staff);
    await on();
    const names = `select door_tag, created_by->>'name' as made, opened_by->>'name' as opened from occupations order by door_tag`;
    expect(await query(at, names)).toEqual([
      { door_tag: 'archived', made: '', opened: '' },
      { door_tag: 'ended', made: 'Rita', opened: 'Rita' },
      { door_tag: 'theirs', made: 'Ada', opened: 'Ada' },
    ]);
  }));

test('what was there before a word had its signs is found by them', () =>
  before('072', async (at, on) => {
    const ours = randomUUID();
    await query(
      at,
      `insert into assets (tenant_id, id, name, identifiers, created_at, updated_at)
       select '${ours}', gen_random_uuid(), name, '[{"kind": "serial", "value": "S/1"}]', now(), now()
       from unnest(array['Skap #12', 'Skap 12']) as name`,
      [],
    );
    await query(
      at,
      `insert into events (tenant_id, id, type, at, actor_kind, actor_name)
       select '${ours}', gen_random_uuid(), 'locker_opened', now(), 'person', 'Kari #' || n from generate_series(1, 2000) as n`,
      [],
    );
    await on();
    await query(at, 'analyze events', []); // of so many the index is asked
    const found = (sql: string) => query(at, `select set_config('app.tenant_id', '${ours}', true), (${sql}) as found`);
    expect(await found(`select string_agg(name, ', ') from assets where id in (select search_assets('#12'))`)).toMatchObject([
      { found: 'Skap #12' },
    ]);
    expect(await found(`select count(*)::int from assets where id in (select search_assets('s/1'))`)).toMatchObject([{ found: 2 }]);
    expect(await found(`select count(*)::int from search_visits('#2000')`)).toMatchObject([{ found: 1 }]);
  }));

test('what was written before with its marks beside the letters is found by the letter that has them', () =>
  before('072', async (at, on) => {
    const ours = randomUUID();
    const name = 'Andre\u0301 −5';
    await query(
      at,
      `set session_replication_role = replica;
       insert into accounts (id, name, email, created_at, updated_at) values ('${ours}', '${name}', 'a@x.no', now(), now());
       insert into memberships (tenant_id, id, account_id, created_at, updated_at) values ('${ours}', gen_random_uuid(), '${ours}', now(), now());
       insert into assets (tenant_id, id, name, created_at, updated_at) values ('${ours}', gen_random_uuid(), '${name}', now(), now());
       insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, name, size, created_at, updated_at)
         values ('${ours}', gen_random_uuid(), gen_random_uuid(), 1, 'A1', '${name}', 'M', now(), now());
       insert into occupations (tenant_id, id, type, service, stage, stage_at, door_tag, receiver_name, created_by, created_at, updated_at)
         values ('${ours}', gen_random_uuid(), 'delivery', 'delivery', 98, now(), 'A1', '${name}', '{}', now(), now());
       insert into payments (tenant_id, id, provider, reference, amount, state, payer, created_at, updated_at)
         values ('${ours}', gen_random_uuid(), 'manual', '1', 1, 'captured', '{"name": "${name}"}', now(), now());
       insert into events (tenant_id, id, type, at, actor_kind, actor_name)
         select '${ours}', gen_random_uuid(), 'locker_opened', now(), 'person', case n when 1 then '${name}' else 'Kari ' || n end
         from generate_series(1, 2000) as n`,
      [],
    );
    await on();
    await query(at, 'analyze events', []); // of so many the index is asked
    for (const find of ['search_accounts', 'search_assets', 'search_lockers', 'search_occupations', 'search_payments', 'search_visits'])
      for (const word of ['andr\u00e9', '-5'])
        expect([
          find,
          word,
          await query(
            at,
            `select set_config('app.tenant_id', '${ours}', true), (select count(*)::int from ${find}('${word}')) as found`,
            [],
          ),
        ]).toMatchObject([find, word, [{ found: 1 }]]);
  }));

test('a name that was kept with what nobody sees has its one form, unless two of a company would then be one', () =>
  before('073', async (at, on) => {
    const [ours, other] = [randomUUID(), randomUUID()];
    const named = [
      [ours, 'Bla\u030akors'],
      [ours, 'Kai\u00adarbeid'],
      [ours, 'Vakt'],
      [ours, 'va\u200bkt'],
      [other, 'Blåkors'],
    ];
    for (const [tenant, kept] of named)
      await query(
        at,
        `set session_replication_role = replica; insert into groups (tenant_id, id, name, created_at, updated_at)
         values ('${tenant}', gen_random_uuid(), '${kept}', now(), now())`,
        [],
      );
    await on();
    const kept = await query<{ name: string }>(at, 'select name from groups where tenant_id = $1', [ours]);
    expect(kept.map((row) => row.name).toSorted()).toEqual(['Blåkors', 'Kaiarbeid', 'Vakt', 'va\u200bkt']);
  }));

test('of two assets whose identifiers are one the older is found, and both keep what is written on them', () =>
  before('075', async (at, on) => {
    const ours = randomUUID();
    const carry = async (made: string, kind: string, value: string): Promise<string> => {
      const id = randomUUID();
      await query(
        at,
        `set session_replication_role = replica;
         insert into assets (tenant_id, id, name, identifiers, created_at, updated_at)
           values ('${ours}', '${id}', 'Drill', '[{"kind": "${kind}", "value": "${value}"}]', '${made}', now());
         insert into asset_identifiers (tenant_id, kind, value, asset_id) values ('${ours}', lower('${kind}'), '${value}', '${id}')`,
        [],
      );
      return id;
    };
    await carry('2026-02-02', 'serial', 'inv38260');
    const older = await carry('2026-02-01', 'Serial', 'INV-38260');
    const upc = await carry('2026-02-01', 'upc', '036000291452');
    await carry('2026-02-02', 'ean', '0036000291452');
    await on(all.length);
    expect(await query(at, 'select asset_id, class, form from asset_identifiers order by class desc', [])).toEqual([
      { asset_id: older, class: 'serial', form: 'inv38260' },
      { asset_id: upc, class: 'barcode', form: '00036000291452' },
    ]);
    expect(await query(at, 'select count(*)::int from assets', [])).toEqual([{ count: 4 }]);
    const written = [
      'INV-38260',
      'inv 38260',
      'ＩＮＶ３８２６０',
      'A–1',
      'Åß-1',
      '036000291452',
      '12345678',
      '0000012345678',
      '1234567',
      '123456789',
      '---',
      '7033-A/12',
      'x_1',
      '0\u00a01',
    ];
    for (const value of written)
      expect(await query(at, 'select identifier_form($1) as form', [value])).toEqual([{ form: identifierForm(value) }]);
    for (const kind of [
      'Serial',
      'EAN-13',
      'ean 13',
      'UPC_A',
      'GTIN',
      'tag',
      'Strekkode',
      'my-kind',
      'RFID',
      'Barcode',
      'EAN-8',
      'gtin 8',
      'EAN/UPC',
      'ITF-14',
      'ISBN',
      'isbn 10',
      'Strekkodenr.',
      'JAN-nummer',
      'ean99',
      'upce',
      'barcodes',
    ])
      expect(await query(at, 'select identifier_class($1) as class', [kind])).toEqual([{ class: identifierClass(kind) }]);
  }));
