import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { createInbox, type Inbox } from '@hatchway/sandbox/inbox/inbox.ts';
import { segmentsOf } from '@hatchway/sandbox/inbox/message.ts';
import { mountSms } from '@hatchway/sandbox/inbox/sms.ts';
import { startSmtp, type Smtp } from '@hatchway/sandbox/inbox/smtp.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { listen } from '@hatchway/server/live/test-listener.ts';
import { testCabinet, type TestCabinet } from '@hatchway/server/test-cabinet.ts';
import { handlers } from '@hatchway/server/jobs/handlers.ts';
import { testCompany, type TestCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, unique, type TestServer } from '@hatchway/server/test-server.ts';

let server: TestServer;
let inbox: Inbox;
let smtp: Smtp;
let gateway: FastifyInstance;
let company: TestCompany;
let counter: TestPerson;
let admin: TestPerson;
let wall: TestCabinet;
let at = 0;
beforeAll(async () => {
  inbox = createInbox();
  smtp = await startSmtp(inbox, 0);
  gateway = Fastify();
  mountSms(gateway, inbox, '/sandbox');
  const sms = await gateway.listen({ host: '127.0.0.1', port: 0 });
  server = await testServer({ config: { smtpUrl: `smtp://127.0.0.1:${smtp.port}`, smsUrl: `${sms}/sandbox/sms` } });
  company = await testCompany(server);
  admin = await company.person(['admin']);
  counter = await company.person(['delivery_manager']);
  wall = await testCabinet(server, admin.api, 9);
});
beforeEach(() => inbox.clear());
afterEach(() => inbox.clearFaults());
afterAll(async () => {
  wall?.end();
  await server.stop();
  await smtp.close();
  await gateway.close();
});

/** A delivery to somebody new, filled and sent. */
const deliver = async (to: 'mail' | 'sms' | 'both') => {
  const receiver = {
    name: 'Kari «Åse» <b>Nordmann</b>',
    ...(to === 'sms' ? {} : { email: `kari-${unique()}@example.test` }),
    ...(to === 'mail' ? {} : { tlf: `+479${String(at).padStart(7, '0')}` }),
  };
  const lockerId = wall.lockers[at++]?.id ?? '';
  const made = await counter.api('POST /occupations/delivery', { body: { lockerId, assetText: 'Pakke', receiver, fill: true } });
  const sent = await counter.api('PUT /occupations', { body: { id: made.id, action: 'send', channel: to } });
  return { id: sent.id, receiver };
};
const messagesOf = (occupationId: string, api = counter.api) => api('GET /messages', { query: { q: JSON.stringify({ occupationId }) } });
const stageOf = async (id: string) => (await counter.api('GET /occupations/{id}', { params: { id } })).stageName;
/** The gateway reports an arrival a moment after it took the message: what was taken counts as such before and after. */
const states = async (id: string) => (await messagesOf(id)).map(({ state }) => (state === 'delivered' ? 'accepted' : state)).toSorted();
const attemptsOf = async (id: string) =>
  (await query<{ attempts: number }>(server.database.ownerUrl, 'select attempts from messages where occupation_id = $1', [id])).map(
    ({ attempts }) => attempts,
  );
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof ApiError ? [error.status, error.problem?.code] : error),
  );

describe('a message', () => {
  it('reaches its receiver by mail and by SMS with link and code, is known to who may act on it alone, and tells who looks on', async () => {
    const listener = await listen(server.url, counter.token);
    await listener.ask({ topic: 'subscribe', event: 'messages' });
    await listener.ask({ topic: 'subscribe', event: 'occupations' });
    const { id, receiver } = await deliver('both');
    await expect.poll(() => stageOf(id)).toBe('CONTACTED');
    await expect.poll(() => states(id)).toEqual(['accepted', 'accepted']);
    const told = await messagesOf(id);
    const message = told.find(({ channel }) => channel === 'mail');
    expect(message).toMatchObject({ state: 'accepted', channel: 'mail', error: null });
    expect(message?.to).not.toContain(receiver.email ?? 'x');
    const [mail] = inbox.list({ to: receiver.email });
    expect(mail?.messageId).toBe(message?.messageId);
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@127\.0\.0\.1>$/);
    expect(mail?.links.find((link) => link.startsWith(`${server.url}/p/`))).toBeDefined();
    expect(mail?.text).toMatch(/Kode: \d{6}/);
    expect(mail?.text).toContain(String(wall.number));
    expect(mail?.html).toContain('&lt;b&gt;Nordmann');
    expect(mail?.html).not.toContain('<b>');
    // In two parts at most, in the phones’ alphabet.
    const [sms] = inbox.list({ to: receiver.tlf });
    expect(sms?.text).toMatch(/Kode \d{6}, skap/);
    expect(segmentsOf(sms?.text ?? '')).toBeLessThanOrEqual(2);
    expect(sms?.ref).toBe(told.find(({ channel }) => channel === 'sms')?.id);
    // What opens a door is nowhere on the wire of the API.
    const code = /Kode: (\d{6})/.exec(mail?.text ?? '')?.[1] ?? 'none';
    expect(JSON.stringify(told)).not.toContain(code);

    const heard = (subscription: string) => listener.events.filter((e) => e.subscription === subscription).at(-1)?.data;
    await expect.poll(() => heard('messages')?.['state']).toMatch(/accepted|delivered/);
    await expect.poll(() => heard('occupations')).toMatchObject({ id, stageName: 'CONTACTED' });
    listener.close();

    const scoped = await company.scoped(['delivery'], [wall.lockers.at(-1)?.id ?? '']);
    const lender = await company.person(['lending_manager']);
    for (const person of [scoped, lender]) {
      expect(await messagesOf(id, person.api)).toEqual([]);
      expect(await refusal(person.api('POST /messages/{id}/send', { params: { id: message?.id ?? '' } }))).toEqual([404, 'not-found']);
    }
    expect(await messagesOf(id, admin.api)).toHaveLength(2);
  });

  it('goes out in the company’s own words once it has some', async () => {
    const sms = { kind: 'ready', channel: 'sms', locale: 'nb' } as const;
    const mail = { kind: 'ready', channel: 'mail', locale: 'nb' } as const;
    await admin.api('PUT /templates', { body: { ...sms, text: 'Hei {name}! Luke {door}, kode {code}. {link}', version: 0 } });
    await admin.api('PUT /templates', {
      body: { ...mail, subject: 'Pakke til {name}', text: 'Kom innom <i>snart</i>.\n\nHilsen {company}', version: 0 },
    });
    try {
      const { id, receiver } = await deliver('both');
      await expect.poll(() => states(id)).toEqual(['accepted', 'accepted']);
      await expect.poll(async () => (await messagesOf(id)).find(({ channel }) => channel === 'sms')?.state).toBe('delivered');
      const [text] = inbox.list({ to: receiver.tlf });
      expect(text?.text).toMatch(/^Hei Kari "Åse" <b>Nordmann<\/b>! Luke \S+, kode \d{6}\. http:\S+\/p\/\S+$/);
      const [letter] = inbox.list({ to: receiver.email });
      expect(letter?.subject).toBe('Pakke til Kari «Åse» <b>Nordmann</b>');
      expect(letter?.text).toContain('Kom innom <i>snart</i>.\n\nHilsen ');
      expect(letter?.html).toContain('Kom innom &lt;i&gt;snart&lt;/i&gt;.');
      // Whatever the words, the way in stays below them.
      expect(letter?.links.some((link) => link.startsWith(`${server.url}/p/`))).toBe(true);
    } finally {
      await admin.api('DELETE /templates', { body: sms });
      await admin.api('DELETE /templates', { body: mail });
    }
  });

  it('counts as accepted when one of two channels is, and failed when both have failed', async () => {
    inbox.setFault({ channel: 'sms', kind: 'refuse', times: 1, to: null, ms: 0 });
    const half = await deliver('both');
    await expect.poll(() => states(half.id)).toEqual(['accepted', 'failed']);
    await expect.poll(() => stageOf(half.id)).toBe('CONTACTED');
    inbox.setFault({ channel: 'sms', kind: 'refuse', times: 1, to: null, ms: 0 });
    inbox.setFault({ channel: 'mail', kind: 'permanent', times: 1, to: null, ms: 0 });
    const none = await deliver('both');
    await expect.poll(() => stageOf(none.id)).toBe('ACQUIRABLE');
    expect(await states(none.id)).toEqual(['failed', 'failed']);
    const { contactError } = await counter.api('GET /occupations/{id}', { params: { id: none.id } });
    expect(contactError).toHaveLength(1);
    expect(contactError[0]).not.toContain(none.receiver.email ?? 'x');
  });

  it('refused for the moment is tried again by itself, under the same Message-ID', async () => {
    inbox.setFault({ channel: 'mail', kind: 'temporary', times: 1, to: null, ms: 0 });
    const { id } = await deliver('mail');
    await expect.poll(async () => (await messagesOf(id))[0]?.error).toMatch(/451/);
    const before = (await messagesOf(id))[0]?.messageId;
    await expect.poll(() => states(id)).toEqual(['accepted']);
    expect(inbox.list().map((mail) => mail.messageId)).toEqual([before]);
  });

  it('whose answer was lost is unknown, is not repeated, and goes out again on a person’s word until what it tells of has ended', async () => {
    inbox.setFault({ channel: 'mail', kind: 'answer-lost', times: 1, to: null, ms: 0 });
    const { id } = await deliver('mail');
    await expect.poll(() => states(id)).toEqual(['unknown']);
    expect(await stageOf(id)).toBe('CONTACTING');
    expect(inbox.list()).toHaveLength(1);
    const [lost] = await messagesOf(id);
    const again = await counter.api('POST /messages/{id}/send', { params: { id: lost?.id ?? '' } });
    expect(again.messageId).not.toBe(lost?.messageId);
    expect(again.cause).not.toBe(lost?.cause);
    await expect.poll(() => states(id)).toEqual(['accepted', 'unknown']);
    await expect.poll(() => stageOf(id)).toBe('CONTACTED');
    expect(inbox.list()).toHaveLength(2);
    await counter.api('DELETE /occupations/{id}', { params: { id }, body: {} });
    expect(await refusal(counter.api('POST /messages/{id}/send', { params: { id: again.id } }))).toEqual([409, 'message-not-sendable']);
  });

  it('waiting by one way to be tried again does not keep the other from being sent again, and is no second telling', async () => {
    inbox.setFault({ channel: 'sms', kind: 'refuse', times: 1, to: null, ms: 0 });
    inbox.setFault({ channel: 'mail', kind: 'temporary', times: 2, to: null, ms: 0 });
    const { id, receiver } = await deliver('both');
    const by = async (channel: string) => (await messagesOf(id)).filter((one) => one.channel === channel);
    await expect.poll(async () => (await attemptsOf(id)).toSorted((a, b) => a - b)).toEqual([1, 2]);
    await expect.poll(() => states(id)).toEqual(['failed', 'queued']);
    const [waiting] = await by('mail');
    const [sms] = await by('sms');
    expect(await refusal(counter.api('POST /messages/{id}/send', { params: { id: waiting?.id ?? '' } }))).toEqual([
      409,
      'message-not-sendable',
    ]);
    const again = await counter.api('POST /messages/{id}/send', { params: { id: sms?.id ?? '' } });
    expect(again.channel).toBe('sms');
    await expect.poll(() => states(id)).toEqual(['accepted', 'accepted', 'failed', 'failed']);
    await expect.poll(() => stageOf(id)).toBe('CONTACTED');
    expect((await by('mail')).find((one) => one.id === waiting?.id)).toMatchObject({ state: 'failed', error: 'no longer needed' });
    await handlers.message(server.deps, { name: 'message', tenantId: company.id, messageId: waiting?.id ?? '' });
    expect(inbox.list({ to: receiver.tlf })).toHaveLength(1);
    expect(inbox.list({ to: receiver.email })).toHaveLength(1);
  });
});

it('killed in the middle, it is sent once where it was not marked, stays unknown where it was, and is as it was after its end', async () => {
  const { id } = await deliver('mail');
  await expect.poll(() => states(id)).toEqual(['accepted']);
  inbox.clear();
  const row = async () =>
    (
      await query<{ id: string; state: string; attempts: number }>(
        server.database.ownerUrl,
        'select id, state, attempts from messages where occupation_id = $1',
        [id],
      )
    )[0];
  const put = (state: string) => query(server.database.ownerUrl, 'update messages set state = $2 where occupation_id = $1', [id, state]);
  const job = { name: 'message' as const, tenantId: company.id, messageId: (await row())?.id ?? '' };
  const run = () => handlers.message(server.deps, job);
  await run();
  expect(inbox.list()).toHaveLength(0);
  expect((await row())?.attempts).toBe(1);

  await put('queued');
  await Promise.all([run(), run()]).catch(() => undefined);
  await run();
  expect(inbox.list()).toHaveLength(1);
  expect((await row())?.state).toBe('accepted');

  await put('sent');
  for (let times = 0; times < 2; times++) {
    await run();
    expect((await row())?.state).toBe('unknown');
  }
  expect(inbox.list()).toHaveLength(1);
});

it('invites by mail in the company’s language; the link is in the mail and nowhere else', async () => {
  const email = `new-${unique()}@example.test`;
  await admin.api('POST /companies/{tenant}/invitations', { params: { tenant: company.id }, body: { email, roles: [] } });
  await expect.poll(() => inbox.list({ to: email })).toHaveLength(1);
  const [mail] = inbox.list({ to: email });
  expect(mail?.subject).toMatch(/^Du er invitert til /);
  const link = mail?.links.find((one) => one.includes('/invit')) ?? '';
  expect((await fetch(link)).status).toBe(200);
  const secret = new URL(link).pathname.split('/').at(-1) ?? '';
  const rows = await query<{ all: string }>(server.database.ownerUrl, `select m::text as all from messages m where kind = 'invitation'`);
  expect(rows.length).toBeGreaterThan(0);
  for (const one of rows) expect(one.all).not.toContain(secret);
});
