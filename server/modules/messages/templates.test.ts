import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { refusal, testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let admin: TestPerson;
let other: TestPerson;
beforeAll(async () => {
  server = await testServer();
  admin = await (await testCompany(server)).person(['admin']);
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
