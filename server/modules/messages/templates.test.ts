import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { bodyOf } from './texts.ts';
import { toldOf, untilAt } from './told.ts';
import { NOTHING } from './words.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let other: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  other = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

const READY = { kind: 'ready', channel: 'sms', locale: 'en' } as const;
const word = (body: object) => admin.api('PUT /templates', { body: { ...READY, text: 'Come: {link}', version: 0, ...body } });
const one = async (key: { kind: string; channel: string; locale: string }, who = admin) => {
  const all = await who.api('GET /templates');
  const found = all.find((row) => row.kind === key.kind && row.channel === key.channel && row.locale === key.locale);
  if (!found) throw new Error('no such template');
  return found;
};

describe('templates', () => {
  it('are ours for every kind, channel and language until somebody words them, and can be sent as they are', async () => {
    const all = await admin.api('GET /templates');
    expect(all).toHaveLength(17 * 2 * 2);
    expect(all.every((row) => !row.own && row.version === 0 && (row.subject === null) === (row.channel === 'sms'))).toBe(true);
    expect(await one(READY)).toMatchObject({
      text: '{company}: something is waiting for you in locker {door}, {site}. {link} Code {code}, cabinet {cabinet}. Until {until}.\nOpen {hours}.',
    });
    // Ours as a template says what ours says: whoever saves it unchanged changes nothing.
    for (const { kind, channel, locale, subject, text } of all) {
      const key = { kind, channel, locale };
      const ours = await admin.api('POST /templates/preview', { body: key });
      expect([key, await admin.api('POST /templates/preview', { body: { ...key, subject, text } })]).toEqual([key, ours]);
    }
  });

  it('are worded, changed and given back, each company its own', async () => {
    const made = await word({});
    expect(made).toMatchObject({ ...READY, own: true, version: 1, text: 'Come: {link}' });
    expect(await one(READY)).toEqual(made);
    expect(await one(READY, other)).toMatchObject({ own: false });
    expect(await one({ ...READY, locale: 'nb' })).toMatchObject({ own: false });
    expect(await refusal(word({}))).toEqual([409, 'stale']);
    expect(await word({ text: 'Now: {code}', version: 1 })).toMatchObject({ version: 2 });
    expect(await refusal(word({ version: 1 }))).toEqual([409, 'stale']);
    await other.api('DELETE /templates', { body: READY });
    expect(await one(READY)).toMatchObject({ own: true });
    expect(await admin.api('DELETE /templates', { body: READY })).toMatchObject({ own: false, version: 3 });
    expect(await admin.api('DELETE /templates', { body: READY })).toMatchObject({ own: false });
    const twice = await Promise.allSettled([word({ version: 3 }), word({ version: 3 })]);
    expect(twice.map((two) => two.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await admin.api('DELETE /templates', { body: READY });
  });

  it('are neither written over nor given back by whoever saw them before somebody else did that', async () => {
    const key = { kind: 'ready', channel: 'sms', locale: 'nb' } as const;
    const twice = await Promise.allSettled([word(key), word(key)]);
    expect(twice.map((two) => two.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const first = await one(key);
    // Given back and worded anew meanwhile: its version does not come again.
    await admin.api('DELETE /templates', { body: { ...key, version: first?.version } });
    expect(await one(key)).toMatchObject({ own: false, version: 2 });
    const anew = await word({ ...key, text: 'Anew: {link}', version: 2 });
    expect(await refusal(word({ ...key, text: 'Old: {link}', version: first?.version }))).toEqual([409, 'stale']);
    expect(await refusal(admin.api('DELETE /templates', { body: { ...key, version: first?.version } }))).toEqual([409, 'stale']);
    expect(await one(key)).toEqual(anew);
    await admin.api('DELETE /templates', { body: { ...key, version: anew.version } });
  });

  it('are refused with the name of what is wrong', async () => {
    const problem = async (body: object) => {
      const error = await word(body).catch((thrown: unknown) => thrown);
      if (!(error instanceof ApiError)) throw new Error('expected a refusal');
      return [error.status, error.problem?.detail, error.problem?.errors?.[0]?.pointer];
    };
    expect(await problem({ text: '{link} {surname}' })).toEqual([422, 'There is no placeholder {surname} here', '/text']);
    expect(await problem({ text: 'Come by' })).toEqual([422, 'The text must hold {link} or {code}', '/text']);
    expect(await problem({ subject: 'Hi' })).toEqual([422, 'An SMS has no subject', '/subject']);
    expect(await problem({ channel: 'mail', subject: null })).toEqual([422, 'A mail needs a subject', '/subject']);
    expect(await problem({ channel: 'mail', subject: '{x}' })).toEqual([422, 'There is no placeholder {x} here', '/subject']);
    expect((await problem({ channel: 'mail', subject: 'a\nb' }))[0]).toBe(400);
    expect(await refusal(admin.api('POST /templates/preview', { body: { ...READY, text: '{nope} {link}' } }))).toEqual([422, 'rule']);
  });

  it('of a recall tell what is to be brought back, which no other may, and show it in the preview', async () => {
    const all = await admin.api('GET /templates');
    expect(all.filter(({ placeholders }) => placeholders.includes('thing')).map(({ kind }) => kind)).toEqual(Array(4).fill('recall'));
    const key = { kind: 'recall', channel: 'sms', locale: 'en' } as const;
    expect((await one(key)).text).toContain('asks you to bring back {thing}: locker {door}');
    // each that the editor offers is filled with something
    const { placeholders } = await one(key);
    const text = placeholders.map((name) => `${name}=[{${name}}]`).join(' ');
    const shown = await admin.api('POST /templates/preview', { body: { ...key, text } });
    expect(shown.text).toContain('thing=[Cordless drill]');
    expect(shown.text).not.toMatch(/=\[\]|[{}]/);
    expect(await refusal(word({ text: '{thing} {link}' }))).toEqual([422, 'rule']);
  });

  it('are previewed as they would be sent, counted as phones count', async () => {
    const sms = await admin.api('POST /templates/preview', { body: { ...READY, text: '{company} {code}' } });
    expect(sms).toMatchObject({ html: null, sms: { alphabet: 'gsm', parts: 1 } });
    expect(sms.sms?.characters).toBe(sms.text.length);
    const cyrillic = await admin.api('POST /templates/preview', { body: { ...READY, text: 'Ваш код {code}' } });
    expect(cyrillic.sms).toMatchObject({ alphabet: 'unicode', parts: 1 });
    const mail = { kind: 'ready', channel: 'mail', locale: 'nb' } as const;
    const shown = await admin.api('POST /templates/preview', {
      body: { ...mail, subject: 'Til {name}', text: '<b>Hei</b>\n\nHent på {site}' },
    });
    expect(shown.subject).toBe('Til Kari Nordmann');
    expect(shown.html).toContain('&lt;b&gt;Hei&lt;/b&gt;');
    expect(shown.html).not.toContain('<b>Hei');
    expect(shown.text).toContain('Hent på ');
  });

  it.each(['en', 'nb'] as const)('are previewed with a time to come, by the company’s clock and in %s', async (locale) => {
    const { text } = await admin.api('POST /templates/preview', { body: { ...READY, locale, text: '{until}. {link}' } });
    const [, day, month, year] = /^(\d+)\.? (\S+) (\d{4}), \d\d:00 CES?T\. http/.exec(text) ?? [];
    const names = Array.from({ length: 12 }, (_, at) => new Intl.DateTimeFormat(locale === 'nb' ? 'nb-NO' : 'en-GB', { day: 'numeric', month: 'short' }).formatToParts(new Date(2026, at, 1)).find(({ type }) => type === 'month')?.value); // prettier-ignore
    const shown = Date.UTC(Number(year), names.indexOf(month), Number(day));
    expect(shown).toBeGreaterThan(Date.now());
    expect(shown).toBeLessThan(Date.now() + 5 * 86_400_000);
  });
});

describe('what a message says', () => {
  let cabinetId: string;
  let lockers: string[];
  beforeAll(async () => {
    const site = await admin.api('POST /sites', { body: { name: 'Here' } });
    const doors = [1, 2, 3].map((compartment) => ({ doorTag: `SAYS-${compartment}`, compartment, size: 'M' as const, height: 300 }));
    const made = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    cabinetId = made.id;
    lockers = made.columns.flatMap((column) => column.doors.map(({ lockerId }) => lockerId));
  });

  it('a message promises no time that has passed, and says in which zone it counts', async () => {
    const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lockers[0] ?? '' } });
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
    const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lockers[2] ?? '' } });
    const cabinet = (await admin.api('GET /cabinets')).find((one) => one.id === cabinetId);
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
      body: { type: 'recall', lockerId: lockers[1] ?? '', assetText: 'Tablet 7' },
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
});
