import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { bodyOf } from './texts.ts';
import { toldOf, untilAt } from './told.ts';
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
  expect(await said(sunday)).toMatch(/Until 29 Nov 2026, 11:00 CET\.\nOpen 06-24\.[^]*Open: 06–24/);
  await place({ hours: [1, 2, 3, 4, 5].map((day) => ({ day, from: '08:00', to: '16:00' })), closedDays: ['2026-12-25'] });
  expect(await said(monday)).toMatch(/Until 30 Nov 2026, 11:00 CET\.\nOpen Mon-Fri 08:00-16:00\.[^]*Open: Mon–Fri 08:00–16:00/);
  expect(await said(sunday)).toMatch(/Until 29 Nov 2026, 11:00 CET \(closed that day\)\.[^]*CET \(closed that day\)/);
  expect(await said('2026-12-25T10:00:00.000Z', 'nb')).toContain(
    'Innen 25. des. 2026, 11:00 CET (stengt den dagen).\nÅpent man-fre 08:00-16:00.',
  );
  // Of house rules of many lines an SMS says nothing, a mail all.
  await place({ hours: [], openingHours: 'Ring the bell.\nMon–Fri 08–16' });
  expect(await said(monday)).toMatch(/^[^]*CET\.\n[^]*Open: Ring the bell\.\nMon–Fri 08–16/);
});

it('an SMS names the hours of the day of the deadline where those of the week are too long for it', async () => {
  const week = [1, 2, 3, 4, 5].map((day) => ({ day, from: `0${day}:00`, to: '16:00' }));
  const place = { hours: [...week, { day: 6, from: '22:00', to: '02:00' }], closedDays: ['2026-12-25'], openingHours: '' };
  const said = (until: string, passed: 'late' | null, own: string | null, channel: 'sms' | 'mail' = 'sms') => {
    const told = { ...NOTHING, company: 'Nordlys', name: 'Ola', passed, ...untilAt(place, until, 'en', 'Europe/Oslo') };
    return bodyOf(channel, 'reminder', told, 'en', own === null ? null : { subject: 'Reminder', text: own }).text;
  };
  const whole = 'Mon 01:00–16:00, Tue 02:00–16:00, Wed 03:00–16:00, Thu 04:00–16:00, Fri 05:00–16:00, Sat 22:00–02:00';
  expect(said('2026-11-30T10:00:00Z', null, null)).toMatch(/11:00 CET\.\nOpen Mon 01:00-16:00\.$/);
  // Past midnight it is the evening before that is meant.
  expect(said('2026-11-29T00:30:00Z', null, null)).toMatch(/01:30 CET\.\nOpen Sat 22:00-02:00\.$/);
  expect(said('2026-11-29T12:00:00Z', null, null)).toMatch(/13:00 CET \(closed that day\)\.$/);
  expect(said('2026-12-25T12:00:00Z', null, null)).toMatch(/13:00 CET \(closed that day\)\.$/);
  // The day on which it was due helps nobody who is late.
  expect(said('2026-11-30T10:00:00Z', 'late', null)).toMatch(/11:00 CET\.$/);
  expect(said('2026-11-30T10:00:00Z', null, null, 'mail')).toContain(`Open: ${whole}`);
  // A company's own words: the same, and the whole week where no day of it is meant.
  expect(said('2026-11-30T10:00:00Z', null, '{code}\nOpen: {hours}')).toBe('Open: Mon 01:00-16:00');
  expect(said('2026-11-29T12:00:00Z', null, 'Open: {hours}')).toBe(`Open: ${whole.replaceAll('–', '-')}`);
  expect(said('2026-11-30T10:00:00Z', null, 'Open: {hours}', 'mail')).toContain(`\nOpen: ${whole}\n`);
  const rules = (own: string | null) =>
    bodyOf(
      'sms',
      'reminder',
      { ...NOTHING, company: 'N', name: '', until: 'then', hours: 'Ring the bell.\n06–24' },
      'en',
      own === null ? null : { subject: null, text: own },
    ).text;
  expect([rules(null), rules('{hours}')]).toEqual([expect.not.stringContaining('bell'), 'Ring the bell. 06-24']);
  const unsaid = { ...NOTHING, company: 'N', name: '', ...untilAt({ hours: [], closedDays: [], openingHours: ' ' }, null, 'nb', 'UTC') };
  expect(bodyOf('sms', 'ready', unsaid, 'nb', { subject: null, text: 'Hei\nÅpent {hours}.' }).text).toBe('Hei');
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
