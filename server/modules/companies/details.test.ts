import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { sweep } from '../../jobs/sweep.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let counter: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  counter = await ours.person(['delivery_manager']);
});
afterAll(() => server.stop());

const params = () => ({ tenant: ours.id });
const read = (who: TestPerson = admin) => who.api('GET /companies/{tenant}', { params: params() });
type Body = Parameters<typeof admin.api<'PUT /companies/{tenant}'>>[1] extends { body: infer B } | undefined ? B : never;
const change = async (body: Omit<Body, 'version'>, image?: Blob) =>
  admin.api('PUT /companies/{tenant}', {
    params: params(),
    body: { ...body, version: (await read()).version },
    ...(image ? { image } : {}),
  });
const png = async (width = 600) =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width, height: 200, channels: 4, background: '#0b6b64' } })
        .png()
        .toBuffer(),
    ),
  ]);

describe('a company’s details', () => {
  it('begin with what every company has', async () => {
    expect((await read()).settings).toEqual({
      retentionDays: 90, senderName: '', alerts: [], quietHours: null, color: null, doorOpenMinutes: 10, offlineMinutes: 5,
    }); // prettier-ignore
  });

  it('are changed one by one: what is not named stays', async () => {
    const address = { street: 'Storgata 1', postalCode: '0155', city: 'Oslo' };
    const before = await change({
      orgNumber: '999888777',
      address,
      contact: { name: 'Ada', email: 'ada@example.test', tlf: '912 34 567' },
    });
    expect(before).toMatchObject({ orgNumber: '999888777', address, contact: { tlf: '+4791234567' } });
    const after = await change({ name: 'Lockers & Sons', timeZone: 'Europe/Helsinki', settings: { retentionDays: 30 } });
    expect(after).toMatchObject({ name: 'Lockers & Sons', orgNumber: '999888777', address, timeZone: 'Europe/Helsinki' });
    const quiet = await change({ settings: { quietHours: { from: '22:00', to: '07:00' }, senderName: 'Skapet' } });
    expect(quiet.settings).toMatchObject({ retentionDays: 30, quietHours: { from: '22:00', to: '07:00' }, senderName: 'Skapet' });
    expect((await change({ settings: { quietHours: null } })).settings).toMatchObject({ quietHours: null, retentionDays: 30 });
    expect(await read()).toMatchObject({ name: 'Lockers & Sons' });
  });

  it('keep the first of two who save at once', async () => {
    const { version } = await read();
    const save = (name: string) => admin.api('PUT /companies/{tenant}', { params: params(), body: { name, version } });
    const both = await Promise.allSettled([save('One'), save('Two')]);
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(save('Three'))).toEqual([409, 'stale']);
  });

  it('refuse a clock that nobody knows, a number that is none, and an alert that reaches nobody', async () => {
    for (const timeZone of ['Mars/Olympus', '+01:00', 'Europe/Oslo; drop table', ''])
      expect([timeZone, await refusal(change({ timeZone }))]).toEqual([timeZone, [422, 'rule']]);
    expect(await refusal(change({ contact: { name: '', email: '', tlf: '12' } }))).toEqual([422, 'rule']);
    const alert = (channel: 'sms' | 'mail', to: string) => change({ settings: { alerts: [{ event: 'all', channel, to }] } });
    expect(await refusal(alert('sms', 'ada@example.test'))).toEqual([422, 'rule']);
    expect(await refusal(alert('mail', '+4791234567'))).toEqual([422, 'rule']);
    expect((await alert('sms', '912 34 567')).settings.alerts).toEqual([{ event: 'all', channel: 'sms', to: '+4791234567' }]);
  });

  it('give licences to nobody, and are an administrator’s alone', async () => {
    const { version } = await read();
    const body = { version, licenses: ['integrator'] } as Body;
    expect(await refusal(admin.api('PUT /companies/{tenant}', { params: params(), body }))).toEqual([400, 'malformed']);
    const mine = { version, name: 'Mine' };
    expect(await refusal(counter.api('PUT /companies/{tenant}', { params: params(), body: mine }))).toEqual([403, 'forbidden']);
  });

  it('have nobody told of what happens at the doors by a key that may not read it', async () => {
    const key = async (...scopes: string[]) =>
      server.as((await admin.api('POST /key', { body: { name: 'Program', scopes: ['admin:companies', ...scopes] } })).secret);
    const [alone, reading] = [await key(), await key('read')];
    const alert = (to: string, event: 'all' | 'report' = 'report') => ({ event, channel: 'mail' as const, to });
    const put = async (api: typeof alone, alerts: ReturnType<typeof alert>[]) => {
      const { version } = await read();
      return api('PUT /companies/{tenant}', { params: params(), body: { version, settings: { alerts } } });
    };
    await put(reading, [alert('one@example.test'), alert('two@example.test')]);
    expect(await refusal(put(alone, [alert('one@example.test'), alert('theirs@example.test')]))).toEqual([403, 'forbidden']);
    expect(await refusal(put(alone, [alert('one@example.test', 'all')]))).toEqual([403, 'forbidden']);
    // Whom they take out hears less than before, and what else they change is theirs to change.
    expect((await put(alone, [alert('One@example.test')])).settings.alerts).toEqual([alert('one@example.test')]);
  });

  it('let nobody be alerted any more by a key that has ended', async () => {
    const boss = await ours.person(['admin']);
    const key = async (name: string, of: TestPerson, expiresAt: string | null = null) =>
      of.api('POST /key', { body: { name, scopes: ['admin:companies', 'read'], expiresAt } });
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const [leaked, made, brief, stays] = [await key('L', admin), await key('M', boss), await key('B', admin, soon), await key('S', admin)];
    const put = async (api: typeof admin.api, to: readonly string[]) => {
      const { version } = await read();
      const alerts = to.map((one) => ({ event: 'all' as const, channel: 'mail' as const, to: `${one}@example.test` }));
      return api('PUT /companies/{tenant}', { params: params(), body: { version, settings: { alerts } } });
    };
    const told = async () => (await read()).settings.alerts.map(({ to }) => to.replace('@example.test', ''));
    await put(admin.api, ['typed']);
    await put(server.as(leaked.secret), ['typed', 'leaked', 'leaked-too']);
    await put(server.as(made.secret), ['typed', 'leaked', 'leaked-too', 'made']);
    await put(server.as(brief.secret), ['typed', 'leaked', 'leaked-too', 'made', 'brief']);
    await put(server.as(stays.secret), ['typed', 'leaked', 'leaked-too', 'made', 'brief', 'stays']);
    // The list saved around them makes them nobody else's.
    await put(admin.api, ['typed', 'leaked', 'leaked-too', 'made', 'brief', 'stays']);
    const { version } = await read();
    await admin.api('DELETE /key/{_id}', { params: { _id: leaked._id } });
    expect(await told()).toEqual(['typed', 'made', 'brief', 'stays']);
    // Settings that were open since before would bring them back.
    const open = admin.api('PUT /companies/{tenant}', { params: params(), body: { version, settings: { senderName: '' } } });
    expect(await refusal(open)).toEqual([409, 'stale']);
    const [theirs] = await admin.api('GET /companies/{tenant}/memberships', {
      params: params(),
      query: { q: { accountId: boss.accountId } },
    });
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', {
      params: { ...params(), membershipId: theirs?.id ?? '' },
    });
    expect(await told()).toEqual(['typed', 'brief', 'stays']);
    await query(server.database.ownerUrl, 'update api_keys set expires_at = $2 where id = $1', [brief._id, new Date(0).toISOString()]);
    await sweep(server.deps, ours.id);
    expect(await told()).toEqual(['typed', 'stays']);
    const mails = await query<{ cause: string }>(
      server.database.ownerUrl,
      `select cause from messages where tenant_id = $1 and kind = 'alerts-off' and cause like '%' || $2`,
      [ours.id, admin.accountId],
    );
    expect(mails).toHaveLength(3);
    await change({ settings: { alerts: [] } });
  });

  it('show whom the company alerts to its administrators alone', async () => {
    await change({ settings: { alerts: [{ event: 'report', channel: 'mail', to: 'boss@example.test' }] } });
    expect((await read()).settings.alerts).toHaveLength(1);
    expect((await read(counter)).settings.alerts).toEqual([]);
    expect(JSON.stringify(await counter.api('GET /companies'))).not.toContain('boss@');
    expect(JSON.stringify(await admin.api('GET /companies'))).toContain('boss@');
  });
});

describe('the logo', () => {
  const logo = (who: TestPerson, size = '96', headers = {}) =>
    fetch(`${server.url}/v1/companies/${ours.id}/logo?size=${size}`, { headers: { authorization: `Bearer ${who.token}`, ...headers } });

  it('comes as form data, is shown to every member in each size, is replaced and taken away', async () => {
    expect((await logo(counter)).status).toBe(404);
    expect(await change({ name: 'With logo' }, await png())).toMatchObject({ hasLogo: true, name: 'With logo' });
    const first = await logo(counter);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await sharp(Buffer.from(await first.arrayBuffer())).metadata()).width).toBe(96);
    const etag = first.headers.get('etag') ?? '';
    expect((await logo(counter, '96', { 'if-none-match': etag })).status).toBe(304);
    await change({}, await png(300));
    expect((await logo(counter, '480')).headers.get('etag')).not.toBe(etag);
    const gone = await admin.api('DELETE /companies/{tenant}/logo', { params: params() });
    expect(gone.hasLogo).toBe(false);
    expect((await logo(counter)).status).toBe(404);
  });

  it('is a picture', async () => {
    expect(await refusal(change({}, new Blob(['<svg/>'], { type: 'image/png' })))).toEqual([415, 'unsupported-media']);
    expect((await read()).hasLogo).toBe(false);
  });
});
