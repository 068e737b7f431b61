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
  wall = await testCabinet(server, admin.api, 3);
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

it('a message names the opening hours beside a deadline, and that it falls on a closed day', async () => {
  const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: wall.lockers[2]?.id ?? '' } });
  const cabinet = (await admin.api('GET /cabinets')).find((one) => one.id === wall.id);
  const place = async (change: object) => {
    const [site] = await admin.api('GET /sites', { query: { q: { id: cabinet?.siteId } } });
    await admin.api('PUT /sites/{id}', {
      params: { id: site?.id ?? '' },
      body: { name: site?.name ?? '', version: site?.version ?? 0, ...change },
    });
  };
  const said = async (pickupBy: string, locale: 'en' | 'nb' = 'en') =>
    server.deps.db.tenant(ours.id, async (tx) => {
      await tx.updateTable('occupations').set({ pickup_by: pickupBy, overdue: false }).where('id', '=', id).execute();
      const told = await toldOf(tx, { ...server.deps, now: () => new Date('2026-06-01T10:00:00.000Z') }, ours.id, {
        occupationId: id,
        kind: 'reminder',
        name: 'Ola',
        locale,
      });
      return [bodyOf('sms', 'reminder', told, locale).text, bodyOf('mail', 'reminder', told, locale).text].join('\n');
    });
  const [monday, sunday] = ['2026-11-30T10:00:00.000Z', '2026-11-29T10:00:00.000Z'];
  expect(await said(sunday)).not.toMatch(/Open |Open:|closed/);
  await place({ openingHours: '  06–24 ' });
  expect(await said(sunday)).toMatch(/Until 29 Nov 2026, 11:00 CET\. Open 06-24\.[^]*Open: 06–24/);
  await place({ hours: [1, 2, 3, 4, 5].map((day) => ({ day, from: '08:00', to: '16:00' })), closedDays: ['2026-12-25'] });
  expect(await said(monday)).toMatch(/Until 30 Nov 2026, 11:00 CET\. Open Mon-Fri 08:00-16:00\.[^]*Open: Mon–Fri 08:00–16:00/);
  expect(await said(sunday)).toMatch(/Until 29 Nov 2026, 11:00 CET \(closed that day\)\.[^]*CET \(closed that day\)/);
  expect(await said('2026-12-25T10:00:00.000Z', 'nb')).toContain(
    'Innen 25. des. 2026, 11:00 CET (stengt den dagen). Åpent man-fre 08:00-16:00.',
  );
  // Of house rules of many lines an SMS says nothing, a mail all.
  await place({ hours: [], openingHours: 'Ring the bell.\nMon–Fri 08–16' });
  expect(await said(monday)).toMatch(/^[^]*CET\.\n[^]*Open: Ring the bell\.\nMon–Fri 08–16/);
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
