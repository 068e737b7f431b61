import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { bodyOf } from './texts.ts';
import { toldOf } from './told.ts';
import { NOTHING } from './words.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testCabinet(server, admin.api, 2);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

it('a message promises no time that has passed, and says in which zone it counts', async () => {
  const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: wall.lockers[0]?.id ?? '' } });
  const deps = { ...server.deps, now: () => new Date('2026-06-01T10:00:00.000Z') };
  const said = async (pickupBy: string, overdue: boolean, locale: 'en' | 'nb' = 'en') =>
    server.deps.db.tenant(ours.id, async (tx) => {
      await tx.updateTable('occupations').set({ pickup_by: pickupBy, overdue }).where('id', '=', id).execute();
      const told = await toldOf(tx, deps, ours.id, { occupationId: id, kind: 'reminder', name: 'Ola', locale });
      return [bodyOf('sms', 'reminder', told, locale).text, bodyOf('mail', 'reminder', told, locale).text] as const;
    });
  const [short, long] = await said('2027-06-30T10:00:00.000Z', false);
  expect([short, long]).toEqual([
    expect.stringContaining('Until 30 Jun 2027, 12:00 CEST.'),
    expect.stringContaining('Until: 30 Jun 2027, 12:00 CEST'),
  ]);
  const [late, lateMail] = await said('2025-01-31T10:00:00.000Z', true);
  expect([late, lateMail]).toEqual([
    expect.stringContaining('Was due 31 Jan 2025, 11:00 CET.'),
    expect.stringContaining('Was due: 31 Jan 2025, 11:00 CET'),
  ]);
  expect(`${late}${lateMail}`).not.toContain('Until');
  expect((await said('2025-01-31T10:00:00.000Z', true, 'nb'))[0]).toContain('Fristen var 31. jan. 2025, 11:00 CET.');
  // Its cabinet was away for as long: it is not late, and when it will be this does not say.
  expect((await said('2025-01-31T10:00:00.000Z', false))[0]).not.toMatch(/Until|Was due/);
});

it('a message to bring something back names it; any other keeps to itself what lies in the locker', async () => {
  const { id } = await admin.api('POST /occupations', {
    body: { type: 'recall', lockerId: wall.lockers[1]?.id ?? '', assetText: 'Tablet 7' },
  });
  const thing = (kind: 'request' | 'reminder') =>
    server.deps.db.tenant(ours.id, async (tx) => {
      const told = await toldOf(tx, server.deps, ours.id, { occupationId: id, kind, name: 'Ola', locale: 'en' });
      return bodyOf('sms', kind, told, 'en').text;
    });
  expect(await thing('request')).toContain('asks you to bring back Tablet 7: locker');
  expect(await thing('reminder')).not.toContain('Tablet 7');
  // A company's own words can name it too; where nobody wrote down what it is, they say what ours say.
  const own = (told: string | null, locale: 'en' | 'nb') =>
    bodyOf('sms', 'request', { ...NOTHING, company: 'Nordlys', name: 'Ola', type: 'recall', thing: told }, locale, {
      subject: null,
      text: 'Bring {thing}!',
    }).text;
  expect([own('Tablet 7', 'en'), own(null, 'en'), own(null, 'nb')]).toEqual([
    'Bring Tablet 7!',
    'Bring what you have!',
    'Bring det du har!',
  ]);
});
