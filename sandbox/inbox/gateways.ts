import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Inbox } from './inbox.ts';
import { loopback, post, take } from './take.ts';

/** What a login is refused for, so that a wrong one can be tried. Any other one is right. */
const WRONG = 'wrong';
const NUMBER = /^\+[1-9]\d{5,14}$/;
const TEXT = (most: number, text: unknown): text is string => typeof text === 'string' && text !== '' && text.length <= most;
const FORM = 'application/x-www-form-urlencoded';

function loginOf(request: FastifyRequest): { user: string; password: string } | null {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  const [user = '', password = ''] = Buffer.from(token, 'base64').toString('utf8').split(/:(.*)/s);
  return scheme === 'Basic' && user !== '' && password !== '' && password !== WRONG ? { user, password } : null;
}

type Body = Readonly<Record<string, unknown>>;
const bodyOf = (request: FastifyRequest): Body => (typeof request.body === 'object' && request.body !== null ? (request.body as Body) : {});
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The wires of Sveve (`{prefix}/sveve`), LINK Mobility (`/link`) and Twilio (`/twilio`), as their public documents have them. What they
 * take lies in the one inbox. Sveve and LINK report to one address each, which their support is told: here `PUT {prefix}/sveve/reports`
 * with {url}.
 */
export function mountGateways(app: FastifyInstance, inbox: Inbox, prefix: string): void {
  const reportsTo = new Map<string, string>();
  for (const wire of ['sveve', 'link'])
    app.put(`${prefix}/${wire}/reports`, (request, reply) => {
      const url = wordOf(bodyOf(request)['url']);
      if (!loopback(url)) return reply.code(400).send({ error: 'url: an address of this machine is needed' });
      reportsTo.set(wire, url);
      return reply.code(204).send();
    });
  const tell = async (wire: string, forged: boolean, type: string, body: string) => {
    const url = reportsTo.get(wire);
    if (url !== undefined) await post(forged ? `${url.slice(0, -4)}AAAA` : url, type, body);
  };
  mountSveve(app, inbox, `${prefix}/sveve`, (forged, body) => tell('sveve', forged, FORM, body));
  mountLink(app, inbox, `${prefix}/link`, (forged, body) => tell('link', forged, 'application/json', body));
  void app.register((forms, _options, done) => {
    forms.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    );
    mountTwilio(forms, inbox, `${prefix}/twilio`);
    done();
  });
}

type Tell = (forged: boolean, body: string) => Promise<void>;

/** What it refuses, it refuses with HTTP 200. */
function mountSveve(app: FastifyInstance, inbox: Inbox, at: string, tell: Tell): void {
  let last = 42_824_111;
  const nothing = { msgOkCount: 0, stdSMSCount: 0, ids: [] };
  app.post(`${at}/SMS/SendMessage`, (request, reply) => {
    const { user, passwd, to, msg, from, ref, f } = bodyOf(request);
    if (f !== 'json') return reply.type('text/xml').send('<sms><response/></sms>');
    const fatal = (fatalError: string) => reply.send({ response: { ...nothing, fatalError } });
    if (wordOf(user) === '' || wordOf(passwd) === '' || passwd === WRONG) return fatal('Feil brukernavn/passord');
    if (!TEXT(1071, msg)) return fatal('Meldingsteksten mangler eller er for lang');
    const refused = (number: string, message: string) => ({ response: { ...nothing, errors: [{ number, message }] } });
    if (!NUMBER.test(wordOf(to))) return reply.send(refused(wordOf(to), 'Telefonnummeret er ugyldig'));
    if (wordOf(ref).length > 36 || !/^[A-Za-z0-9 ]{0,11}$/.test(wordOf(from))) return fatal('Ugyldig parameter');
    const id = ++last;
    return take(
      inbox,
      request,
      reply,
      { to: wordOf(to), text: msg, ref: wordOf(ref) || null, from: wordOf(from) || '27333' },
      {
        accepted: ({ segments }) => [200, { response: { msgOkCount: 1, stdSMSCount: segments, ids: [id] } }],
        refused: () => [200, refused(wordOf(to), 'Nummeret kan ikke nås')],
        busy: () => [429, { response: { ...nothing, fatalError: 'For mange forespørsler' } }],
        report: (_taken, state, forged) => {
          const why = state === 'failed' ? { errorCode: '1', errorDesc: 'Ukjent abonnent' } : { errorCode: '', errorDesc: '' };
          const told = { number: wordOf(to).slice(1), status: String(state === 'delivered'), id: String(id), ref: wordOf(ref), ...why };
          return tell(forged, new URLSearchParams(told).toString());
        },
      },
    );
  });
}

function mountLink(app: FastifyInstance, inbox: Inbox, at: string, tell: Tell): void {
  const no = (resultCode: number, description: string) => ({ resultCode, description });
  app.post(`${at}/sms/send`, (request, reply) => {
    if (loginOf(request) === null) return reply.code(401).send(no(106_100, 'Invalid authentication'));
    const { source, destination, userData, platformId, platformPartnerId, refId, useDeliveryReport, deliveryReportGates } = bodyOf(request);
    if (!wordOf(platformId)) return reply.code(400).send(no(106_200, 'Invalid or missing platformId'));
    if (!wordOf(platformPartnerId)) return reply.code(400).send(no(106_201, 'Invalid or missing platformPartnerId'));
    if (!NUMBER.test(wordOf(destination)) || !/^[A-Za-z][A-Za-z0-9]{1,10}$/.test(wordOf(source)) || !TEXT(254 * 153, userData))
      return reply.code(400).send(no(106_000, 'Invalid request'));
    if (/[\u{10000}-\u{10ffff}]/u.test(userData)) return reply.code(400).send(no(106_000, 'Unicode 4-byte characters are not supported'));
    const isReported = useDeliveryReport === true && Array.isArray(deliveryReportGates) && deliveryReportGates.length > 0;
    return take(
      inbox,
      request,
      reply,
      { to: wordOf(destination), text: userData, ref: wordOf(refId) || null, from: wordOf(source) },
      {
        accepted: ({ id, segments }) => [200, { messageId: id, resultCode: 1005, description: 'Queued', smsCount: segments }],
        refused: () => [400, no(106_000, 'Unknown Error')],
        busy: () => [429, no(3, 'Maximum throttling exceeded')],
        report: async ({ id, segments }, state, forged) => {
          const now = new Date().toISOString();
          const told = {
            refId: refId ?? null,
            operator: 'no.telenor',
            sentTimestamp: now,
            timestamp: now,
            operatorResultCode: '2',
            segments,
          };
          const resultCode = state === 'delivered' ? 1001 : 2104;
          const names = segments === 1 ? [id] : Array.from({ length: segments }, (_none, no) => `${id}$${no}`);
          if (isReported)
            for (const name of names) await tell(forged, JSON.stringify({ ...told, id: name, resultCode, gateCustomParameters: {} }));
        },
      },
    );
  });
}

/** X-Twilio-Signature: base64 of HMAC-SHA1 over the address and each parameter in the order of their names. */
const signed = (token: string, url: string, form: Readonly<Record<string, string>>): string => {
  const words = Object.keys(form).toSorted().map((name) => name + form[name]); // prettier-ignore
  return createHmac('sha1', token).update(url + words.join('')).digest('base64'); // prettier-ignore
};

function mountTwilio(app: FastifyInstance, inbox: Inbox, at: string): void {
  const no = (status: number, code: number, message: string): [number, unknown] => [
    status,
    { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  ];
  type Params = { account: string; sid: string };
  const isLetIn = (request: FastifyRequest<{ Params: Params }>) => loginOf(request)?.user === request.params.account;
  const sidOf = (id: string) => `SM${id.replaceAll('-', '')}`;
  const resource = (account: string, id: string, more: Body) => ({
    sid: sidOf(id),
    account_sid: account,
    api_version: '2010-04-01',
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    price_unit: 'USD',
    ...more,
  });
  app.post<{ Params: Params }>(`${at}/2010-04-01/Accounts/:account/Messages.json`, (request, reply) => {
    const say = ([status, body]: [number, unknown]) => reply.code(status).send(body);
    if (!isLetIn(request)) return say(no(401, 20_003, 'Authenticate'));
    const { To: to, Body: text, From: from, MessagingServiceSid: service, StatusCallback: callback } = bodyOf(request);
    if (!NUMBER.test(wordOf(to))) return say(no(400, 21_211, "The 'To' number is not a valid phone number."));
    if (!TEXT(1600, text)) return say(no(400, 21_617, 'The concatenated message body exceeds the 1600 character limit'));
    if (!wordOf(service) && !(/^[A-Za-z0-9 ]{1,11}$/.test(wordOf(from)) && /[A-Za-z]/.test(wordOf(from))))
      return say(no(400, 21_212, "The 'From' number is not valid"));
    if (callback !== undefined && !loopback(wordOf(callback))) return say(no(400, 21_609, "The 'StatusCallback' URL is not valid"));
    const { account } = request.params;
    const token = loginOf(request)?.password ?? '';
    return take(
      inbox,
      request,
      reply,
      { to: wordOf(to), text, ref: null, from: wordOf(from) || wordOf(service) },
      {
        accepted: ({ id, segments }) => [
          201,
          resource(account, id, {
            status: 'queued',
            to,
            from: from ?? null,
            body: text,
            num_segments: service ? '0' : String(segments),
            price: null,
          }),
        ],
        refused: () => no(400, 21_610, 'Attempt to send to unsubscribed recipient'),
        busy: () => no(429, 20_429, 'Too Many Requests'),
        report: async ({ id }, state, forged) => {
          if (callback === undefined) return;
          const last = state === 'delivered' ? { MessageStatus: 'delivered' } : { MessageStatus: 'undelivered', ErrorCode: '30005' };
          for (const stage of [{ MessageStatus: 'sent' }, last]) {
            const form = {
              AccountSid: account,
              ApiVersion: '2010-04-01',
              MessageSid: sidOf(id),
              SmsSid: sidOf(id),
              To: wordOf(to),
              ...stage,
            };
            const signature = signed(forged ? `${token} forged` : token, wordOf(callback), form);
            await post(wordOf(callback), FORM, new URLSearchParams(form).toString(), { 'x-twilio-signature': signature });
          }
        },
      },
    );
  });
  app.get<{ Params: Params }>(`${at}/2010-04-01/Accounts/:account/Messages/:sid.json`, (request, reply) => {
    if (!isLetIn(request)) return reply.code(401).send(no(401, 20_003, 'Authenticate')[1]);
    const message = inbox.list({ channel: 'sms' }).find(({ id }) => sidOf(id) === request.params.sid);
    if (!message) return reply.code(404).send(no(404, 20_404, 'The requested resource was not found')[1]);
    const segments = message.segments ?? 1;
    const price = `-${(0.0565 * segments).toFixed(5)}`;
    return reply.send(resource(request.params.account, message.id, { status: message.state, num_segments: String(segments), price }));
  });
}
