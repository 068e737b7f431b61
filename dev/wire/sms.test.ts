import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mountGateways } from '@hatchway/sandbox/inbox/gateways.ts';
import { createInbox, type Inbox } from '@hatchway/sandbox/inbox/inbox.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { handlers } from '@hatchway/server/jobs/handlers.ts';
import { refOf } from '@hatchway/server/modules/messages/report-address.ts';
import { testCabinet, type TestCabinet } from '@hatchway/server/test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, type TestServer } from '@hatchway/server/test-server.ts';

// Each gateway in its maker's own wire, played by the sandbox: sending, reports, the second gateway, and what it cost.

const SECRET = 'a-secret-of-24-characters';
const ACCOUNT = `AC${'1'.repeat(32)}`;
let server: TestServer;
let inbox: Inbox;
let gateway: FastifyInstance;
let base: string;
let company: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  inbox = createInbox();
  gateway = Fastify();
  mountGateways(gateway, inbox, '');
  base = await gateway.listen({ host: '127.0.0.1', port: 0 });
  server = await testServer({ config: { sandboxPorts: [Number(new URL(base).port)], smsUrl: 'http://127.0.0.1:1' } });
  company = await testCompany(server);
  admin = await company.person(['admin']);
  wall = await testCabinet(server, admin.api, 20);
  for (const wire of ['sveve', 'link'])
    await fetch(`${base}/${wire}/reports`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${server.url}/hooks/sms/${wire}/${SECRET}` }),
    });
});
const addressOf = (wire: 'sveve' | 'link' | 'twilio', password = 'right'): string => {
  const at = `${password}@${new URL(base).host}/${wire}`;
  if (wire === 'sveve') return `sveve://user:${at}?reports=${SECRET}`;
  if (wire === 'link') return `link://user:${at}?platform=COOL&partner=380&gate=w8Tg0tC5&reports=${SECRET}`;
  return `twilio://${ACCOUNT}:${at}`;
};
const set = (first: string, second: string | null = null) => Object.assign(server.deps.config, { smsUrl: first, smsFallbackUrl: second });
beforeEach(() => inbox.clear());
afterEach(() => inbox.clearFaults());
afterAll(async () => {
  wall?.end();
  await server.stop();
  await gateway.close();
});

type Row = {
  id: string;
  tenant_id: string;
  state: string;
  attempts: number;
  error: string | null;
  gateway: string | null;
  segments: number | null;
  provider_ref: string | null;
};
const rowOf = async (occupationId: string): Promise<Row | undefined> =>
  (
    await query<Row>(server.database.ownerUrl, 'select * from messages where occupation_id = $1 order by created_at desc', [occupationId])
  )[0];
let no = 0;
/** Who sends it stands in the text. */
const called = (name: string) => query(server.database.ownerUrl, 'update companies set name = $2 where id = $1', [company.id, name]);
const deliver = async () => {
  const tlf = `+4791${String(++no).padStart(6, '0')}`;
  const { id } = await admin.api('POST /occupations/delivery', {
    body: { lockerId: (await wall.free()).id, assetText: 'Pakke', receiver: { name: 'Kari', tlf }, fill: true, send: true },
  });
  return { id, tlf };
};
const fault = (kind: 'refuse' | 'accept-then-fail' | 'answer-lost' | 'away' | 'busy' | 'forged') =>
  inbox.setFault({ channel: 'sms', kind, times: 1, to: null, ms: 0 });
const settles = async (id: string, state: string) => {
  await expect.poll(async () => (await rowOf(id))?.state).toBe(state);
  return (await rowOf(id)) as Row;
};

describe.each(['sveve', 'link', 'twilio'] as const)('%s', (wire) => {
  beforeEach(() => set(addressOf(wire)));

  it('takes an SMS letter by letter, in more parts, and it is delivered when the reports of all have come', async () => {
    await called('Åse Пётр Ærlig');
    const { id, tlf } = await deliver();
    const row = await settles(id, 'delivered');
    const [sms] = inbox.list({ to: tlf });
    expect(inbox.list()).toHaveLength(1);
    expect(sms?.text).toContain('Åse Пётр Ærlig');
    expect(sms?.segments).toBeGreaterThan(1);
    expect(row).toMatchObject({ gateway: wire, segments: sms?.segments, error: null });
    expect(row.provider_ref).not.toBeNull();
  });

  it('what the phone company could not deliver is said so, and so is what was refused', async () => {
    fault('accept-then-fail');
    expect((await settles((await deliver()).id, 'failed')).error).toMatch(/unknown|Ukjent/);
    fault('refuse');
    const refused = await settles((await deliver()).id, 'failed');
    expect(refused).toMatchObject({ segments: null, provider_ref: null });
  });

  it('whose answer is lost may have taken it: it is never sent twice by guess, also not by the other gateway', async () => {
    set(addressOf(wire), addressOf(wire === 'twilio' ? 'sveve' : 'twilio'));
    fault('answer-lost');
    const { id, tlf } = await deliver();
    expect(await settles(id, 'unknown')).toMatchObject({ gateway: wire });
    expect(inbox.list({ to: tlf })).toHaveLength(1);
  });

  it('a report that lies about whose it is changes nothing', async () => {
    fault('forged');
    const { id } = await deliver();
    const row = await settles(id, 'accepted');
    const post = (path: string, body: Record<string, string>) =>
      fetch(`${server.url}/hooks/sms/${path}`, { method: 'POST', body: new URLSearchParams(body) });
    const ref = refOf({ tenantId: row.tenant_id, messageId: row.id });
    const right = { ref, refId: ref, status: 'true', resultCode: '1001' };
    const told = (other: string) => ({ ...right, ref: other, refId: other });
    const lies: [string, Record<string, string>, number][] =
      wire === 'twilio'
        ? [[`twilio/${row.tenant_id}.${row.id}.${'A'.repeat(43)}`, { MessageSid: 'x', MessageStatus: 'delivered' }, 404]]
        : [
            [`${wire}/${SECRET.replace('a', 'b')}`, right, 404],
            [`${wire}/x`, right, 404],
            [`${wire === 'sveve' ? 'link' : 'sveve'}/${SECRET}`, right, 404],
            // The secret is right: of no company, of none of ours, of another number at the gateway, and no report at all.
            [`${wire}/${SECRET}`, told(refOf({ tenantId: row.id, messageId: row.tenant_id })), 200],
            [`${wire}/${SECRET}`, told('x'), 200],
            [`${wire}/${SECRET}`, { ...right, id: '1' }, 200],
            [`${wire}/${SECRET}`, { nothing: 'x' }, 400],
          ];
    for (const [path, body, status] of lies) expect([path, body, (await post(path, body)).status]).toEqual([path, body, status]);
    expect(await rowOf(id)).toMatchObject({ state: 'accepted' });
  });
});

it('a login that is wrong is said, and the message goes out once it is mended', async () => {
  set(addressOf('sveve', 'wrong'));
  const { id, tlf } = await deliver();
  // Its second try follows at once here; the third one is an hour away.
  await expect.poll(async () => (await rowOf(id))?.attempts).toBe(2);
  const row = await settles(id, 'queued');
  expect(row.error).toMatch(/brukernavn/i);
  expect(inbox.list()).toEqual([]);
  set(addressOf('sveve'));
  await handlers.message(server.deps, { name: 'message', tenantId: company.id, messageId: row.id });
  await settles(id, 'delivered');
  expect(inbox.list({ to: tlf })).toHaveLength(1);
});

it('busy, a gateway is tried again under the same message, and it arrives once', async () => {
  set(addressOf('link'));
  fault('busy');
  const { id, tlf } = await deliver();
  await settles(id, 'delivered');
  expect(inbox.list({ to: tlf })).toHaveLength(1);
});

it('the second gateway takes what the first surely has not, and each is known by its own name', async () => {
  set(addressOf('sveve'), addressOf('twilio'));
  fault('away');
  const { id, tlf } = await deliver();
  expect(await settles(id, 'delivered')).toMatchObject({ gateway: 'twilio' });
  expect(inbox.list({ to: tlf })).toHaveLength(1);
  const second = await deliver();
  expect(await settles(second.id, 'delivered')).toMatchObject({ gateway: 'sveve' });
});

it('the operator sees what a company’s SMS weighed and cost, month by month, and nobody else does', async () => {
  set(addressOf('twilio'));
  const { id } = await deliver();
  const { id: messageId } = await settles(id, 'delivered');
  await handlers['sms-price'](server.deps, { name: 'sms-price', tenantId: company.id, messageId, tries: 0 });
  const params = { id: company.id };
  const [month] = await server.operator('GET /operator/companies/{id}/sms', { params });
  const rows = await query<{ state: string; segments: number; price_millionths: string | null }>(
    server.database.ownerUrl,
    `select * from messages where tenant_id = $1 and channel = 'sms' and segments is not null`,
    [company.id],
  );
  const taken = rows.filter(({ state }) => state !== 'unknown');
  const segments = taken.reduce((sum, row) => sum + row.segments, 0);
  expect(month).toMatchObject({ messages: taken.length, segments, unsure: rows.length - taken.length });
  const amount = rows.reduce((sum, row) => sum + Number(row.price_millionths ?? 0), 0) / 1e6;
  expect(month?.prices).toEqual([{ currency: 'USD', amount, messages: 1 }]);
  expect(month?.month).toBe(server.deps.now().toISOString().slice(0, 7));
  // The company sees what it weighed; what was billed for it is between the gateway and the operator.
  const { prices: _prices, ...weighed } = month ?? {};
  expect(await admin.api('GET /stats/messages')).toEqual([
    weighed,
    ...Array.from({ length: 11 }, () => expect.objectContaining({ messages: 0, segments: 0 }) as object),
  ]);
  const other = await testCompany(server);
  const theirs = await server.operator('GET /operator/companies/{id}/sms', { params: { id: other.id } });
  expect(theirs.map(({ messages, prices }) => [messages, prices])).toEqual(Array.from({ length: 12 }, () => [0, []]));
  await expect(admin.api('GET /operator/companies/{id}/sms', { params })).rejects.toMatchObject({ status: 401 });
  await expect(server.operator('GET /operator/companies/{id}/sms', { params: { id: messageId } })).rejects.toMatchObject({ status: 404 });
});
