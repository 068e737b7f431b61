import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { sweep } from '../../jobs/sweep.ts';

const DAY = 24 * 3_600_000;

let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead) });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 10);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const receiver = { name: 'Kari Sjelden', tlf: '91234567', email: 'Kari.Sjelden@example.test' };
/** However it is written: the number with its country or without, the address in any letters. */
const HERS = 'kari|sjelden|91234567';

type Made = { id: string; doorTag: string; compartment: number };
type Type = 'delivery' | 'lending' | 'sale' | 'drop-off';
const act = (id: string, action: 'fill' | 'publish' | 'send' | 'finnish' | 'extract') =>
  admin.api('PUT /occupations', { body: { id, action } });
const offered = async (type: Type, more: object = {}): Promise<Made> => {
  const { id: lockerId, doorTag, compartment } = await wall.free();
  const { id } = await admin.api('POST /occupations', { body: { type, lockerId, ...more } });
  await act(id, 'fill');
  await act(id, 'publish');
  return { id, doorTag, compartment };
};
const end = (id: string) => admin.api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'Kari moved away' } });
const keyOf = async (id: string): Promise<{ token: string }> => {
  const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [id]);
  return { token: server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '' };
};
/** She stands at the door with her link: opens it, shuts it, and says that she is done. */
const goes = async ({ id, doorTag, compartment }: Made) => {
  const key = await keyOf(id);
  const visitor = server.as(null);
  await visitor('POST /pickup/open', { body: { key, doorTag } });
  await wall.close(compartment);
  await expect
    .poll(async () => (await visitor('POST /pickup/look', { body: { key } })) as object)
    .toMatchObject({ door: { state: 'closed' } });
  await visitor('POST /pickup/done', { body: { key } });
};

/** Every table of the database that says anything of her, however a row is written. */
const tracesOf = async (words: string): Promise<string[]> => {
  const tables = await query<{ name: string }>(
    server.database.ownerUrl,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const looks = tables.map(({ name }) => `select '${name}' as name where exists (select from ${name} t where t::text ~* $1)`);
  return (await query<{ name: string }>(server.database.ownerUrl, looks.join(' union all '), [words])).map(({ name }) => name);
};

// shows R4.20
it('after retention, and no sooner, no table of the database knows the receiver any more, whatever they did', async () => {
  const written = { assetText: 'Pills for Kari', orderRef: 'sjelden-7', externalRef: '+4791234567' };
  const fetched = await offered('delivery', { receiver, note: 'For Kari', ...written });
  await act(fetched.id, 'send');
  await goes(fetched);
  // Come back once more after the end.
  await server.as(null)('POST /pickup/open', { body: { key: await keyOf(fetched.id), doorTag: fetched.doorTag } });
  await wall.close(fetched.compartment);

  const lent = await offered('lending', { receiver });
  await goes(lent);
  await goes(lent);
  await act(lent.id, 'extract');
  await end(lent.id);

  const drill = await admin.api('POST /assets', { body: { name: 'Drill' } });
  const ofAsset = await offered('lending', { receiver, assetId: drill._id, orderRef: 'Kari' });
  await act(ofAsset.id, 'extract');
  await end(ofAsset.id);

  // Who has it still is known for as long as they have it.
  const out = await offered('lending', { receiver: { name: 'Ola Still', tlf: '98765432' } });
  await goes(out);
  await admin.api('POST /companies/{tenant}/invitations', {
    params: { tenant: ours.id },
    body: { email: 'nina@example.org', roles: ['all'] },
  });

  // What goes on being lent is forgotten by the visit.
  const still = await offered('lending', { receiver });
  await goes(still);
  await goes(still);

  const sold = await offered('delivery', { receiver, price: { amount: 8_900, currency: 'NOK' } });
  const { _id } = await admin.api('POST /payments', { body: { occupationId: sold.id, received: true, payer: receiver } });
  await admin.api('PUT /payments/update', { body: { _id, details: { name: 'Kari Sjelden' } } });
  await goes(sold);
  expect(await admin.api('GET /payments/{id}', { params: { id: _id } })).toMatchObject({ state: 'captured' });

  const door = await wall.free();
  const link = await admin.api('POST /links', { body: { name: 'Returns', purpose: 'drop-off', lockerIds: [door.id] } });
  const token = link.url.split('/l/')[1] ?? '';
  const brought = await server.as(null)('POST /pickup/link/open', { body: { token, name: 'Kari Sjelden', doorTag: door.doorTag } });
  expect(brought).toMatchObject({ outcome: 'opened' });
  const [drop] = await query<{ id: string }>(server.database.ownerUrl, 'select id from occupations where locker_id = $1', [door.id]);
  await end(drop?.id ?? '');

  // Asked to bring something, and what she finds is not empty: she goes on behind the next door, which is set aside in her name.
  const found = await wall.free();
  const asked = await admin.api('POST /occupations', { body: { type: 'drop-off', lockerId: found.id, receiver } });
  await act(asked.id, 'send');
  const hers = { key: await keyOf(asked.id) };
  await server.as(null)('POST /pickup/open', { body: { ...hers, doorTag: found.doorTag } });
  await server.as(null)('POST /pickup/report', { body: { ...hers, kind: 'not-empty' } });
  const inHerName = await query<{ id: string }>(
    server.database.ownerUrl,
    `select id from occupations where created_by->>'name' = 'Kari Sjelden' and stage < 98`,
  );
  expect(inHerName).toHaveLength(1);
  await end(inHerName[0]?.id ?? '');

  // At a door by itself: by a link that opens, by lock control, and by a look.
  const bare = await wall.free();
  const opens = await admin.api('POST /links', { body: { name: 'Cleaners', purpose: 'open', lockerIds: [bare.id] } });
  const key = { token: opens.url.split('/l/')[1] ?? '', name: 'Kari Sjelden', doorTag: bare.doorTag };
  expect(await server.as(null)('POST /pickup/link/open', { body: key })).toMatchObject({ outcome: 'opened' });
  await wall.close(bare.compartment);
  await admin.api('POST /lockers/{id}/open', { params: { id: bare.id }, body: { doorTag: bare.doorTag, reason: 'Kari has lost a glove' } });
  await wall.close(bare.compartment);
  await admin.api('PUT /lockers/{id}/content', { params: { id: bare.id }, body: { content: 'empty', note: 'Kari has it' } });
  const ofDoor = (words: string) =>
    query<{ count: number }>(server.database.ownerUrl, `select count(*)::int from events e where locker_id = $1 and e::text ~* $2`, [
      bare.id,
      words,
    ]).then(([row]) => row?.count);
  expect([await ofDoor(HERS), await ofDoor('Cleaners')]).toEqual([2, 1]);
  const byColleagues = await ofDoor('Ada Admin');

  const waiting = () => query(server.database.ownerUrl, `select 1 from messages where state in ('queued', 'sent')`);
  await expect.poll(waiting).toEqual([]);
  // A provider repeats whom it would not deliver to, in letters of its own.
  await query(server.database.ownerUrl, `update messages set error = '550 no mailbox KARI.SJELDEN@EXAMPLE.TEST'`);
  await query(server.database.ownerUrl, `update messages set error = $1 where id = (select max(id::text)::uuid from messages)`, [
    NOT_NEEDED,
  ]);

  expect(await tracesOf(HERS)).toEqual(expect.arrayContaining(['public.events', 'public.loans', 'public.messages', 'public.payments']));
  const stages = async () =>
    (
      await query<{ stage: number }>(
        server.database.ownerUrl,
        'select distinct stage from occupations where tenant_id = $1 order by stage',
        [ours.id],
      )
    ).map(({ stage }) => stage);
  const before = await tracesOf(HERS);
  expect(before).toEqual(expect.arrayContaining(['public.access_link_uses', 'public.loans']));
  ahead = 89 * DAY;
  await sweep(server.deps, ours.id);
  expect(await stages()).toEqual([3, 7, 98]);
  expect(await tracesOf(HERS)).toEqual(before);
  ahead = 91 * DAY;
  await sweep(server.deps, ours.id);
  expect(await stages()).toEqual([3, 7, 99]);
  expect(await tracesOf(HERS)).toEqual([]);
  expect(await query(server.database.ownerUrl, `select from loans where borrower_name = 'Ola Still'`)).toHaveLength(1);
  expect(await query(server.database.ownerUrl, `select from events e where e::text like '%Ola Still%'`)).not.toEqual([]);
  // An invitation is over when its days are, and forgotten as long after that.
  const invited = `select from invitations where email = 'nina@example.org'`;
  expect(await query(server.database.ownerUrl, invited)).toHaveLength(1);
  ahead = 120 * DAY;
  await sweep(server.deps, ours.id);
  expect(await tracesOf('nina@')).toEqual([]);
  // By the clock of her token.
  ahead = 0;
  expect(await admin.api('GET /occupations', { query: { q: { $text: 'pills' } } })).toEqual([]);
  // What an asset is called, the register knows.
  const kept = await admin.api('GET /occupations/{id}', { params: { id: ofAsset.id } });
  expect(kept).toMatchObject({ stage: 99, assetName: 'Drill', receiver: null });
  expect(await ofDoor('Cleaners')).toBe(0);
  // The company answers for what its people did.
  expect(byColleagues).toBe(2);
  expect(await ofDoor('Ada Admin')).toBe(byColleagues);
  // What was not needed never failed, and does not look like it afterwards.
  expect(await query(server.database.ownerUrl, 'select 1 from messages where error = $1', [NOT_NEEDED])).toHaveLength(1);
});
