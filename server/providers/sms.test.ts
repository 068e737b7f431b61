import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutside, type Outside } from '../outside/fetch.ts';
import { readSmsAddress } from './sms-address.ts';
import { readLinkReport } from './sms-link.ts';
import { readSveveReport } from './sms-sveve.ts';
import { isSignedByTwilio, priceAtTwilio, readTwilioReport } from './sms-twilio.ts';
import { gatewayOf, sendSms, type Wire } from './sms.ts';

// The bodies are those of the makers' documents: sveve.se/apidok/send and /apidok/dlr; LINK Mobility "SMS REST API, MT and Delivery
// Reports" 1.6; twilio.com/docs/messaging/api/message-resource, /docs/usage/webhooks/webhooks-security, /docs/api/errors.

type Call = { url: string; method: string; headers: IncomingHttpHeaders; body: string };
type Answer = { status: number; body: string } | 'cut' | 'silent';
let gateway: Server;
let port = 0;
const calls: Call[] = [];
let answers: Answer[] = [];
beforeAll(async () => {
  gateway = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      calls.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers, body });
      const answer = answers.shift() ?? { status: 500, body: '' };
      if (answer === 'silent') return;
      if (answer === 'cut') return void request.socket.destroy();
      reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  port = (gateway.address() as AddressInfo).port;
});
beforeEach(() => {
  calls.length = 0;
  answers = [];
});
afterAll(() => new Promise((done) => gateway.close(done)));

const ACCOUNT = `AC${'0'.repeat(32)}`;
const SECRET = 'a-secret-of-24-characters';
const addresses = () => ({
  sveve: `sveve://user:p%40ss@127.0.0.1:${port}?reports=${SECRET}`,
  link: `link://user:pass@127.0.0.1:${port}?platform=COOL&partner=380&gate=w8Tg0tC5&reports=${SECRET}`,
  twilio: `twilio://${ACCOUNT}:token@127.0.0.1:${port}`,
  http: `http://user:pass@127.0.0.1:${port}/send`,
});
const SMS = {
  to: '+4799999999',
  text: 'Hello world',
  senderId: 'Nordlys 1',
  refFor: () => 'ref-1',
  reportUrlFor: (wire: Wire) => `https://us.test/${wire}`,
};
const by = async (wire: Wire, answer: Answer | null, sms: Partial<typeof SMS> = {}, fallback: Wire | null = null) => {
  if (answer) answers.push(answer);
  const urls = { smsUrl: addresses()[wire], smsFallbackUrl: fallback === null ? null : addresses()[fallback] };
  return sendSms(createOutside([port]), urls, { ...SMS, ...sms });
};
const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });
const sent = async (...asked: Parameters<typeof by>) => (await by(...asked)).sent;

const TAKEN = {
  sveve: json(200, { response: { msgOkCount: 1, stdSMSCount: 2, ids: [42_824_112] } }),
  link: json(200, { messageId: 'Dcshuhod0PMAAAFQ+/PbnR3x', resultCode: 1005, description: 'Queued', smsCount: 2 }),
  twilio: json(201, {
    sid: 'SM1',
    status: 'queued',
    num_segments: '2',
    price: null,
    price_unit: 'USD',
    error_code: null,
    error_message: null,
  }),
  http: json(202, { id: 'gw-1', segments: 2 }),
};

describe('each wire', () => {
  it('says what its maker’s document asks for', async () => {
    for (const wire of ['sveve', 'link', 'twilio'] as const) await by(wire, TAKEN[wire]);
    const [sveve, link, twilio] = calls;
    expect(sveve?.url).toBe('/SMS/SendMessage');
    expect(JSON.parse(sveve?.body ?? '')).toEqual({
      user: 'user', passwd: 'p@ss', to: '+4799999999', msg: 'Hello world', from: 'Nordlys 1', ref: 'ref-1', f: 'json',
    }); // prettier-ignore
    expect(link).toMatchObject({ url: '/sms/send', headers: { authorization: 'Basic dXNlcjpwYXNz' } });
    expect(JSON.parse(link?.body ?? '')).toMatchObject({
      source: 'Nordlys1', sourceTON: 'ALPHANUMERIC', destination: '+4799999999', userData: 'Hello world', platformId: 'COOL', platformPartnerId: '380',
      refId: 'ref-1', ignoreResponse: false, useDeliveryReport: true, deliveryReportGates: ['w8Tg0tC5'],
    }); // prettier-ignore
    expect(twilio?.url).toBe(`/2010-04-01/Accounts/${ACCOUNT}/Messages.json`);
    expect(Object.fromEntries(new URLSearchParams(twilio?.body))).toEqual({
      To: '+4799999999', Body: 'Hello world', From: 'Nordlys 1', StatusCallback: 'https://us.test/twilio',
    }); // prettier-ignore
  });

  it.each([
    ['sveve', '42824112'],
    ['link', 'Dcshuhod0PMAAAFQ+/PbnR3x'],
    ['twilio', 'SM1'],
    ['http', 'gw-1'],
  ] as const)('%s: what was taken is known by the gateway’s own id and count', async (wire, id) => {
    expect(await by(wire, TAKEN[wire])).toEqual({ sent: { state: 'accepted', providerRef: id, segments: 2 }, wire });
  });

  it.each([
    ['sveve', json(200, { response: { msgOkCount: 0, stdSMSCount: 0, ids: [], errors: [{ number: '+4799999999', message: 'Ugyldig nummer +4799999999' }] } }), 'Ugyldig nummer …'],
    ['link', json(200, { resultCode: 106_200, description: 'Invalid or missing platformId' }), 'platformId'],
    ['twilio', json(400, { code: 21_211, message: "The 'To' number +4799999999 is not valid.", more_info: 'https://www.twilio.com/docs/errors/21211', status: 400 }), '21211'],
    ['twilio', json(201, { sid: 'SM1', status: 'failed', error_code: 30_008, error_message: 'Unknown error' }), 'Unknown error'],
  ] as const)('%s: a refusal is one, with its words and without the number (%#)', async (wire, answer, words) => {
    const said = await sent(wire, answer);
    expect(said).toMatchObject({ state: 'failed', error: expect.stringContaining(words) as string });
    expect(JSON.stringify(said)).not.toContain('99999999');
  }); // prettier-ignore

  it.each(['sveve', 'link', 'twilio'] as const)('%s: away or busy is tried again; what may have been taken never is', async (wire) => {
    for (const status of [429, 503]) expect(await sent(wire, json(status, {}))).toMatchObject({ state: 'again' });
    for (const status of [500, 502, 504, 408]) expect(await sent(wire, json(status, {}))).toMatchObject({ state: 'unknown' });
    expect(await sent(wire, 'cut')).toMatchObject({ state: 'unknown' });
    expect(await sent(wire, { status: 200, body: '<html>OK</html>' })).toMatchObject({ state: 'unknown' });
    expect(await sent(wire, json(200, { response: {}, resultCode: 106_000 }))).toMatchObject({ state: 'unknown' });
    const nobody = addresses()[wire].replace(`:${port}`, ':1');
    const away = await sendSms(createOutside([1]), { smsUrl: nobody, smsFallbackUrl: null }, SMS);
    expect(away.sent).toMatchObject({ state: 'again' });
  });

  it.each([
    ['sveve', json(200, { response: { msgOkCount: 0, stdSMSCount: 0, ids: [], fatalError: 'Feil brukernavn/passord' } }), 'Feil brukernavn'],
    ['link', json(401, { resultCode: 106_100, description: 'Invalid authentication' }), 'Invalid authentication'],
    ['twilio', json(401, { code: 20_003, message: 'Authenticate', status: 401 }), '20003'],
    ['http', json(401, {}), '401'],
    ...(['sveve', 'link', 'twilio', 'http'] as const).flatMap((wire) => [302, 307, 402, 403, 404].map((status) => [wire, json(status, {}), String(status)] as const)),
  ] as const)('%s: a login, an account or an address that is wrong is the operator’s to mend, and loses nothing (%#)', async (wire, answer, words) => {
    expect(await sent(wire, answer)).toMatchObject({ state: 'again', error: expect.stringContaining(words) as string });
    expect(calls).toHaveLength(1);
    answers.push(answer, TAKEN.twilio);
    expect(await by(wire, null, {}, 'twilio')).toMatchObject({ sent: { state: 'accepted' }, wire: 'twilio' });
  }); // prettier-ignore

  it.each(['sveve', 'link', 'twilio'] as const)('%s: who does not answer in time may have taken it', async (wire) => {
    const outside = createOutside([port]);
    const impatient: Outside = { ...outside, fetch: (url, asked) => outside.fetch(url, { ...asked, timeoutMs: 1_000 }) };
    answers.push('silent');
    const late = await sendSms(impatient, { smsUrl: addresses()[wire], smsFallbackUrl: addresses().http }, SMS);
    expect(late).toEqual({ sent: { state: 'unknown', error: expect.stringContaining('did not answer') as string }, wire });
    expect(calls).toHaveLength(1);
  });

  it.each(['sveve', 'link', 'twilio'] as const)('%s: a private address is never called, and is said', async (wire) => {
    const at = (host: string) => addresses()[wire].replace(`127.0.0.1:${port}`, host);
    const inside = createOutside([], async () => [{ address: '10.0.0.8', family: 4 }]);
    for (const host of ['10.0.0.8', '[fd00::1]', '169.254.169.254', 'gateway.example.com']) {
      const { sent: said } = await sendSms(inside, { smsUrl: at(host), smsFallbackUrl: null }, SMS);
      expect(said).toMatchObject({ state: 'again', error: expect.stringMatching(/cannot be reached: The .* public/) as string });
    }
  });

  it('production never leads it to this machine, nor without TLS', async () => {
    for (const wire of ['sveve', 'link', 'twilio'] as const)
      expect((await sendSms(createOutside([]), { smsUrl: addresses()[wire], smsFallbackUrl: null }, SMS)).sent.state).toBe('again');
    expect(calls).toEqual([]);
  });

  it('a sender is written as each allows it, and a text as each can carry it', async () => {
    for (const wire of ['link', 'twilio'] as const) await by(wire, TAKEN[wire], { senderId: '1960', text: 'Åpent 😀 nå' });
    await by('link', TAKEN.link, { senderId: '24 Timer' });
    // weighed as it goes, where its gateway does not say
    const plain = json(200, { resultCode: 1005 });
    expect(await sent('link', plain, { text: `${'x'.repeat(80)} 😀` })).toMatchObject({ state: 'accepted', segments: 1 });
    expect(await sent('link', { status: 204, body: '' }, { text: 'x'.repeat(161) })).toMatchObject({ state: 'accepted', segments: 2 });
    const [link, twilio, timer] = calls;
    expect(JSON.parse(link?.body ?? '')).toMatchObject({ source: 'Hatchway', userData: 'Åpent :-) nå' });
    expect(Object.fromEntries(new URLSearchParams(twilio?.body))).toMatchObject({ From: 'Hatchway', Body: 'Åpent 😀 nå' });
    expect(JSON.parse(timer?.body ?? '')).toMatchObject({ source: 'Timer' });
    expect(await sent('sveve', null, { text: 'x'.repeat(1072) })).toMatchObject({ state: 'failed' });
    expect(await sent('twilio', null, { text: 'x'.repeat(1601) })).toMatchObject({ state: 'failed' });
    expect(calls).toHaveLength(5);
  });
});

describe('the second gateway', () => {
  it('is asked where the first has surely not taken it, and nowhere else', async () => {
    answers.push(json(503, {}), TAKEN.twilio);
    expect(await by('sveve', null, {}, 'twilio')).toMatchObject({ sent: { state: 'accepted' }, wire: 'twilio' });
    for (const first of [
      json(500, {}),
      'cut',
      json(400, {}),
      json(200, { response: { msgOkCount: 0, errors: [{ message: 'Nei' }] } }),
    ] as const) {
      calls.length = 0;
      expect(await by('sveve', first, {}, 'twilio')).toMatchObject({ wire: 'sveve' });
      expect(calls).toHaveLength(1);
    }
  });
});

describe('what an operator writes', () => {
  it('is read, or its fault said without the login', () => {
    expect(readSmsAddress('sveve://me:pw@sveve.no')).toMatchObject({
      wire: 'sveve',
      base: 'https://sveve.no',
      user: 'me',
      password: 'pw',
      reports: null,
    });
    expect(readSmsAddress('link://me:pw@n-eu.linkmobility.io?platform=COOL&partner=380')).toMatchObject({
      base: 'https://n-eu.linkmobility.io',
      gate: null,
    });
    expect(readSmsAddress(`twilio://${ACCOUNT}:pw@api.twilio.com?service=MG1`)).toMatchObject({ service: 'MG1' });
    for (const [text, words] of [
      ['ftp://me:hidden@host', 'must begin'],
      ['sveve://me@host', 'needs a login'],
      ['sveve://me:hidden%@host', '%25'],
      ['sveve://me:hidden@host?reports=short', '24'],
      ['sveve://me:hidden@host?gate=1', 'gate'],
      ['link://me:hidden@host', 'platform'],
      ['link://me:hidden@host?platform=1&partner=2&gate=3', 'both'],
      ['twilio://me:hidden@api.twilio.com', 'Account SID'],
    ] as const) {
      const said = readSmsAddress(text);
      expect(said).toEqual(expect.stringContaining(words));
      expect(said).not.toContain('hidden');
    }
  });
});

describe('a report', () => {
  it('of Sveve is read as its document has it', () => {
    const told = { number: '4593654321', status: 'true', id: '42824112', ref: 'ABC123', errorCode: '', errorDesc: '' };
    expect(readSveveReport(told)).toEqual({ ref: 'ABC123', fate: { state: 'delivered', error: '', id: '42824112', part: null } });
    expect(readSveveReport({ ...told, status: false, errorCode: '7', errorDesc: 'Unknown subscriber' })?.fate).toMatchObject({
      state: 'failed',
      error: 'Unknown subscriber · 7',
    });
    for (const lie of [{}, null, 'x', { ...told, status: 'maybe' }, { ...told, ref: 7 }]) expect(readSveveReport(lie)).toBeNull();
  });

  it('of LINK Mobility says what is final, part by part', () => {
    const told = { refId: '0', id: 'abc123', operator: 'no.telenor', sentTimestamp: '2015-11-19T09:37:35Z', timestamp: '2015-11-19T09:37:00Z', resultCode: 1001, operatorResultCode: '2', segments: 1, gateCustomParameters: {}, customParameters: { received: '2015-11-19 10:37:36' } }; // prettier-ignore
    expect(readLinkReport(told)).toEqual({ ref: '0', fate: { state: 'delivered', error: '', id: 'abc123', part: null } });
    expect(readLinkReport({ ...told, id: 'abc123$0', segments: 2 })?.fate).toMatchObject({ id: 'abc123', part: { no: 0, of: 2 } });
    expect(readLinkReport({ ...told, operator: null, resultCode: 2106, operatorResultCode: null })?.fate).toMatchObject({
      state: 'failed',
      error: 'the number is wrong · 2106',
    });
    for (const resultCode of [1000, 1011, 1012, 4, 5, 1010]) expect(readLinkReport({ ...told, resultCode })?.fate).toBeNull();
    for (const lie of [{}, null, { ...told, refId: null }, { ...told, resultCode: 'ok' }]) expect(readLinkReport(lie)).toBeNull();
  });

  it('of Twilio is believed by its signature alone', () => {
    const form = new URLSearchParams({
      CallSid: 'CA1234567890ABCDE',
      Caller: '+12349013030',
      Digits: '1234',
      From: '+12349013030',
      To: '+18005551212',
    });
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    // The example that Twilio publishes for checking one's own reckoning.
    expect(isSignedByTwilio('12345', url, form, '0/KCTR6DLpKmkAf8muzZqo1nDgQ=')).toBe(true);
    expect(isSignedByTwilio('12346', url, form, '0/KCTR6DLpKmkAf8muzZqo1nDgQ=')).toBe(false);
    expect(isSignedByTwilio('12345', `${url}1`, form, '0/KCTR6DLpKmkAf8muzZqo1nDgQ=')).toBe(false);
    expect(isSignedByTwilio('12345', url, form, '')).toBe(false);
    const status = (MessageStatus: string, more = {}) =>
      readTwilioReport(new URLSearchParams({ MessageSid: 'SM1', MessageStatus, ...more }))?.fate;
    expect(status('delivered')).toMatchObject({ state: 'delivered', id: 'SM1' });
    expect(status('undelivered', { ErrorCode: '30005' })).toMatchObject({ state: 'failed', error: 'the number is unknown · 30005' });
    expect(status('sent')).toBeNull();
    expect(readTwilioReport(new URLSearchParams('a=b'))).toBeNull();
  });

  it('of Twilio’s price waits until there is one', async () => {
    const at = gatewayOf({ smsUrl: addresses().twilio, smsFallbackUrl: null }, 'twilio');
    if (!at) throw new Error('no address');
    const ask = (answer: Answer) => {
      answers.push(answer);
      return priceAtTwilio(createOutside([port]), at, 'SM1');
    };
    expect(await ask(json(200, { sid: 'SM1', status: 'delivered', price: null, price_unit: 'USD' }))).toBeNull();
    expect(await ask(json(200, { sid: 'SM1', status: 'delivered', price: '-0.00750', price_unit: 'USD' }))).toEqual({
      amount: 0.0075,
      currency: 'USD',
    });
    expect(await ask(json(200, { sid: 'SM2', status: 'delivered', price: '-1', price_unit: 'USD' }))).toBeNull();
    expect(await ask(json(404, {}))).toBeNull();
    expect(calls.at(-1)).toMatchObject({ method: 'GET', url: `/2010-04-01/Accounts/${ACCOUNT}/Messages/SM1.json` });
  });
});
