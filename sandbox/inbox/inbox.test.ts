import { mkdtempSync, rmSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInbox, type Inbox } from './inbox.ts';
import { linksIn, segmentsOf, type Message } from './message.ts';
import { mountInbox } from './routes.ts';
import { startSmtp, type Smtp } from './smtp.ts';

let inbox: Inbox;
let smtp: Smtp;
let app: FastifyInstance;
let base: string;

beforeEach(async () => {
  inbox = createInbox();
  smtp = await startSmtp(inbox, 0);
  app = Fastify();
  mountInbox(app, inbox);
  base = `${await app.listen({ host: '127.0.0.1', port: 0 })}/sandbox`;
});
afterEach(async () => {
  await smtp.close();
  await app.close();
});

const mailTo = (to: string, more: { html?: string; messageId?: string } = {}) => {
  const transport = createTransport({ host: '127.0.0.1', port: smtp.port });
  return transport
    .sendMail({
      from: 'Demo <lockers@demo.test>',
      to,
      subject: 'Pakken din er klar – hent den',
      text: 'Åpne http://127.0.0.1:8080/p/abc.',
      ...more,
    })
    .finally(() => transport.close());
};
const post = (path: string, body: unknown) =>
  fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const listed = async (query = '') => (await (await fetch(`${base}/inbox/messages${query}`)).json()) as Message[];
const SMS = { to: '+4790000001', text: 'Kode 123456. http://127.0.0.1:8080/p/abc', ref: 'm-1', senderId: 'Demo' };

describe('mail', () => {
  test('arrives with its words, links and Message-ID', async () => {
    await mailTo('kari@demo.test', { html: '<a href="http://127.0.0.1:8080/p/abc?a=1&amp;b=2">Åpne</a>', messageId: '<one@demo.test>' });
    const [message] = await listed('?to=Kari@demo.test');
    expect(message).toMatchObject({
      channel: 'mail',
      from: 'Demo <lockers@demo.test>',
      to: ['kari@demo.test'],
      subject: 'Pakken din er klar – hent den',
      messageId: '<one@demo.test>',
      links: ['http://127.0.0.1:8080/p/abc', 'http://127.0.0.1:8080/p/abc?a=1&b=2'],
    });
    expect(message?.text).toContain('Åpne');
  });

  test('is shown in a frame that runs nothing', async () => {
    await mailTo('kari@demo.test', { html: '<script>alert(1)</script><p>Hei' });
    const [message] = inbox.list();
    const answer = await fetch(`${base}/inbox/messages/${message?.id}/mail`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/sandbox (?!.*allow-scripts)/);
  });

  test.each([
    ['temporary', 451],
    ['permanent', 550],
  ] as const)('fault %s answers %i once and keeps nothing', async (kind, code) => {
    await post('/inbox/faults', { channel: 'mail', kind });
    await expect(mailTo('kari@demo.test')).rejects.toMatchObject({ responseCode: code });
    expect(inbox.list()).toHaveLength(0);
    await mailTo('kari@demo.test');
    expect(inbox.list()).toHaveLength(1);
  });

  test('fault answer-lost keeps the message and drops the line', async () => {
    await post('/inbox/faults', { channel: 'mail', kind: 'answer-lost' });
    const error: unknown = await mailTo('kari@demo.test').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toHaveProperty('responseCode');
    expect(inbox.list()).toHaveLength(1);
  });

  test('a fault for one receiver leaves the others alone', async () => {
    await post('/inbox/faults', { channel: 'mail', kind: 'permanent', to: 'ola@demo.test' });
    await mailTo('kari@demo.test');
    await expect(mailTo('ola@demo.test')).rejects.toMatchObject({ responseCode: 550 });
    expect(inbox.list().map((message) => message.to)).toEqual([['kari@demo.test']]);
  });
});

describe('sms gateway', () => {
  test('takes a message and lists it newest first, by its receiver too', async () => {
    const answer = await post('/sms', SMS);
    expect(answer.status).toBe(202);
    const { id } = (await answer.json()) as { id: string };
    await post('/sms', { ...SMS, to: '+4790000002', ref: 'm-2' });
    expect((await listed()).map((message) => message.ref)).toEqual(['m-2', 'm-1']);
    expect(await listed('?to=4790000001')).toMatchObject([{ id, from: 'Demo', links: ['http://127.0.0.1:8080/p/abc'], segments: 1 }]);
  });

  test.each([
    { ...SMS, to: '90000001' },
    { ...SMS, text: '' },
    { ...SMS, senderId: 'More than eleven' },
    { ...SMS, reportUrl: 'https://example.com/x' },
    [],
  ])('turns away what no gateway would take (%#)', async (body) => {
    expect((await post('/sms', body)).status).toBe(400);
    expect(inbox.list()).toHaveLength(0);
  });

  test('fault refuse answers 422 and keeps nothing', async () => {
    await post('/inbox/faults', { channel: 'sms', kind: 'refuse' });
    expect((await post('/sms', SMS)).status).toBe(422);
    expect(inbox.list()).toHaveLength(0);
  });

  test('fault accept-then-fail is accepted, then reported as failed', async () => {
    const reports: unknown[] = [];
    app.log.level = 'silent';
    const receiver = Fastify();
    receiver.post('/report', (request) => {
      reports.push(request.body);
      return {};
    });
    const reportUrl = `${await receiver.listen({ host: '127.0.0.1', port: 0 })}/report`;
    await post('/inbox/faults', { channel: 'sms', kind: 'accept-then-fail' });
    const answer = await post('/sms', { ...SMS, reportUrl });
    const { id } = (await answer.json()) as { id: string };
    await expect.poll(() => reports).toMatchObject([{ id, ref: 'm-1', state: 'failed' }]);
    expect(await (await fetch(`${base}/sms/${id}`)).json()).toEqual({ id, ref: 'm-1', state: 'failed' });
    await receiver.close();
  });

  test('fault answer-lost keeps the message though nobody hears so', async () => {
    await post('/inbox/faults', { channel: 'sms', kind: 'answer-lost' });
    await expect(post('/sms', SMS)).rejects.toThrow('fetch failed');
    expect(inbox.list()).toHaveLength(1);
  });

  test('fault slow answers late', async () => {
    await post('/inbox/faults', { channel: 'sms', kind: 'slow', ms: 300 });
    const started = performance.now();
    expect((await post('/sms', SMS)).status).toBe(202);
    expect(performance.now() - started).toBeGreaterThan(280);
  });

  test('an unknown fault is refused, and cleared faults hit nobody', async () => {
    expect((await post('/inbox/faults', { channel: 'sms', kind: 'permanent' })).status).toBe(400);
    await post('/inbox/faults', { channel: 'sms', kind: 'refuse', times: null });
    expect((await post('/sms', SMS)).status).toBe(422);
    expect((await post('/sms', SMS)).status).toBe(422);
    await fetch(`${base}/inbox/faults`, { method: 'DELETE' });
    expect((await post('/sms', SMS)).status).toBe(202);
  });
});

test('events tell of what comes and goes', async () => {
  const stop = new AbortController();
  const answer = await fetch(`${base}/inbox/events`, { signal: stop.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const until = async (word: string) => {
    while (!heard.includes(word)) heard += (await reader.read()).value ?? '';
  };
  await until('retry');
  await post('/sms', SMS);
  await until('"kind":"added"');
  await fetch(`${base}/inbox/messages`, { method: 'DELETE' });
  await until('"kind":"cleared"');
  expect(await listed()).toEqual([]);
  stop.abort();
});

test('messages survive a restart, removed ones stay gone, a torn line does no harm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'));
  const first = createInbox({ folder });
  const message = {
    channel: 'sms',
    from: 'Demo',
    to: ['+4790000001'],
    subject: null,
    html: null,
    links: [],
    ref: null,
    messageId: null,
    segments: 1,
    state: 'delivered',
  } as const;
  const gone = first.add({ ...message, to: ['+4790000001'], links: [], text: 'gone' });
  first.add({ ...message, to: ['+4790000001'], links: [], text: 'kept' });
  first.remove(gone.id);
  appendFileSync(join(folder, 'inbox.jsonl'), '{"id":"torn');
  expect(
    createInbox({ folder })
      .list()
      .map((one) => one.text),
  ).toEqual(['kept']);
  expect(createInbox({ folder }).list()).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test('pages come with a strict policy and scripts without types', async () => {
  for (const page of ['/', '/inbox']) {
    const answer = await fetch(base + page);
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
    expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)|<style|style="/);
  }
  const script = await fetch(`${base}/pages/inbox.ts`);
  expect(script.headers.get('content-type')).toContain('javascript');
  expect(await script.text()).not.toContain('import type {');
});

test('reads links and counts parts of an SMS', () => {
  expect(linksIn('Se (https://a.test/p/x1). Eller https://a.test/p/x1, http://b.test/?q=1!')).toEqual([
    'https://a.test/p/x1',
    'http://b.test/?q=1',
  ]);
  expect([
    segmentsOf('a'.repeat(160)),
    segmentsOf('a'.repeat(161)),
    segmentsOf('æ€'.repeat(54)),
    segmentsOf('–'.repeat(70)),
    segmentsOf('–'.repeat(71)),
    segmentsOf(`${'a'.repeat(152)}€${'a'.repeat(152)}`),
    segmentsOf(`${'–'.repeat(66)}😀${'–'.repeat(66)}`),
  ]).toEqual([1, 2, 2, 1, 2, 3, 3]);
});
