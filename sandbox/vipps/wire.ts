import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { befallen } from '../befall.ts';
import type { Faults } from '../faults.ts';
import { isLoopback } from '../loopback.ts';
import type { FaultKind } from './faults.ts';
import type { Hooks } from './hooks.ts';
import { viewOf, type Done, type Ledger, type Payment } from './ledger.ts';
import type { Merchant } from './merchant.ts';
import { isObject, readAmount, readOrder } from './order.ts';
import { entraOf, gatewayOf, isRefusal, malformed, problemOf, refuse, type Refusal } from './refusals.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A minute, for one payment: developer.vippsmobilepay.com, docs/APIs/epayment-api/api-guide/errors. */
const CHANGES = 5;
const READS = 120;
/** For one event of one sales unit: docs/APIs/webhooks-api/events. */
const WEBHOOKS = 25;
const EVENTS = ['created', 'authorized', 'captured', 'cancelled', 'refunded', 'aborted', 'expired', 'terminated'].map(
  (name) => `epayments.payment.${name}.v1`,
);

type WireOptions = {
  /** What stands before the provider's own paths; '' for none. */
  prefix: string;
  /** Where the payer goes; null where the provider names no address. */
  pageOf: (payment: Payment) => string | null;
};
/** A call that got past the gateway. `body` is undefined where it is no JSON. */
type Call = { msn: string; reference: string; key: string; asked: string; body: unknown };

const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};

/** No body at all is an empty object, as the provider takes a cancel. */
function bodyOf(request: FastifyRequest): unknown {
  const text = typeof request.body === 'string' ? request.body : '';
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The provider's public wire: access token, ePayment v1 and webhooks v1, below `prefix`. Every answer is one that its documents give. */
export function mountWire(
  app: FastifyInstance,
  ledger: Ledger,
  hooks: Hooks,
  faults: Faults<FaultKind>,
  { prefix, pageOf }: WireOptions,
): void {
  const tokens = new Map<string, { msn: string; until: number }>();
  const calls = new Map<string, number[]>();

  const merchantWith = (part: Partial<Merchant>): Merchant | undefined =>
    ledger.merchants().find((one) => Object.entries(part).every(([name, value]) => one[name as keyof Merchant] === value));

  /** Seconds until it may be asked again; 0 now. */
  const secondsToWait = (what: string, limit: number): number => {
    const now = ledger.now();
    const recent = (calls.get(what) ?? []).filter((at) => at > now - MINUTE);
    const first = recent[0];
    if (first !== undefined && recent.length >= limit) return Math.ceil((first + MINUTE - now) / 1000);
    calls.set(what, [...recent, now]);
    return 0;
  };

  const turnAway = (reply: FastifyReply, status: number, words: string) => reply.code(status).send(gatewayOf(status, words));
  const tooMany = (reply: FastifyReply, seconds: number) =>
    turnAway(reply.header('retry-after', String(seconds)), 429, `Too many calls; ask again in ${seconds} seconds.`);
  const answer = (request: FastifyRequest, reply: FastifyReply, result: Done | Refusal) => {
    if (!isRefusal(result)) return reply.code(result.status).send(result.body);
    const instance = request.url.slice(prefix.length).replace(/^\/(epayment|webhooks)/, '');
    return reply
      .code(result.refused)
      .type('application/problem+json')
      .send(JSON.stringify(problemOf(result, instance)));
  };

  const isBadDay = (request: FastifyRequest, reply: FastifyReply, reference: string | null): Promise<boolean> =>
    befallen(faults, reference, request, reply, {
      outage: () => turnAway(reply, 503, 'The service is not available'),
      'rate-limit': () => tooMany(reply, 60),
    });

  const internalError: Refusal = refuse(500, '3010', 'Internal error');

  type Kind = {
    /** Calls that are counted together, and how many a minute are let through. */ name?: string;
    limit?: number;
    changes?: boolean;
  };
  const handle =
    ({ name = '', limit = Infinity, changes = false }: Kind, run: (call: Call) => Done | Refusal) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const body = bodyOf(request);
      const { reference: inPath } = request.params as { reference?: string };
      const inBody = isObject(body) && typeof body.reference === 'string' ? body.reference : '';
      const reference = inPath ?? inBody;
      if (await isBadDay(request, reply, reference)) return reply;

      const subscriptionKey = headerOf(request, 'ocp-apim-subscription-key');
      const merchant = merchantWith({ subscriptionKey });
      if (!merchant) return turnAway(reply, 401, `Access denied: ${subscriptionKey === '' ? 'no' : 'unknown'} subscription key.`);
      const token = tokens.get(headerOf(request, 'authorization').replace(/^Bearer /i, ''));
      if (!token || token.until <= ledger.now()) return turnAway(reply, 401, 'Access denied: no access token, or one that has run out.');
      const msn = headerOf(request, 'merchant-serial-number');
      const seconds = secondsToWait(`${name} ${changes ? msn : subscriptionKey} ${reference}`, limit);
      if (seconds > 0) return tooMany(reply, seconds);

      if (!/^\d{4,7}$/.test(msn))
        return answer(request, reply, malformed({ name: 'Merchant-Serial-Number', reason: '4 to 7 digits are needed' }));
      if (msn !== token.msn || msn !== merchant.msn)
        return answer(request, reply, { refused: 403, title: 'Forbidden', detail: 'The keys are those of another sales unit' });
      const long = ['name', 'version', 'plugin-name', 'plugin-version'].filter(
        (one) => headerOf(request, `vipps-system-${one}`).length > 30,
      );
      if (long.length > 0)
        return answer(request, reply, malformed(...long.map((one) => ({ name: `Vipps-System-${one}`, reason: 'at most 30 characters' }))));
      const key = headerOf(request, 'idempotency-key');
      if (changes && (key === '' || key.length > 50))
        return answer(request, reply, malformed({ name: 'Idempotency-Key', reason: '1 to 50 characters are needed' }));
      if (body === undefined) return answer(request, reply, malformed({ name: 'body', reason: 'is no JSON' }));
      if (changes && faults.take(['error'], reference)) return answer(request, reply, internalError);
      const result = run({ msn, reference, key, asked: `${request.url} ${JSON.stringify(body)}`, body });
      if (changes && faults.take(['answer-lost'], reference)) return answer(request, reply, internalError);
      return answer(request, reply, result);
    };

  const getToken = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (await isBadDay(request, reply, null)) return reply;
    const subscriptionKey = headerOf(request, 'ocp-apim-subscription-key');
    if (!merchantWith({ subscriptionKey }))
      return turnAway(reply, 401, `Access denied: ${subscriptionKey === '' ? 'no' : 'unknown'} subscription key.`);
    const now = ledger.now();
    const clientId = headerOf(request, 'client_id');
    const merchant = merchantWith({ clientId });
    if (!merchant)
      return reply.code(400).send(entraOf('unauthorized_client', 700016, `No application is known by the identifier '${clientId}'.`, now));
    if (merchant.clientSecret !== headerOf(request, 'client_secret'))
      return reply.code(401).send(entraOf('invalid_client', 7000215, 'The client secret is not valid.', now));
    // as long as in the provider's test environment
    const expires = Math.floor((now + HOUR) / 1000);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { appid: clientId, iat: Math.floor(now / 1000), exp: expires };
    const token = `${part({ typ: 'JWT', alg: 'RS256' })}.${part(claims)}.${randomBytes(32).toString('base64url')}`;
    tokens.set(token, { msn: merchant.msn, until: now + HOUR });
    return reply.send({
      token_type: 'Bearer',
      expires_in: '3599',
      ext_expires_in: '3599',
      expires_on: String(expires),
      not_before: String(Math.floor(now / 1000)),
      resource: '00000002-0000-0000-c000-000000000000',
      access_token: token,
    });
  };

  const registerWebhook = ({ msn, body }: Call): Done | Refusal => {
    const { url, events } = isObject(body) ? body : {};
    if (typeof url !== 'string' || !URL.canParse(url)) return malformed({ name: 'url', reason: 'a URL is needed' });
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
      return malformed({ name: 'url', reason: 'must use https' });
    if (!Array.isArray(events) || events.length === 0) return malformed({ name: 'events', reason: 'at least one is needed' });
    const names = (events as unknown[]).map(String);
    const unknown = names.filter((name) => !EVENTS.includes(name));
    if (unknown.length > 0) return malformed({ name: 'events', reason: `not known: ${unknown.join(', ')}` });
    const own = ledger.webhooks().filter((one) => one.msn === msn);
    if (names.some((name) => own.filter((one) => one.events.includes(name)).length >= WEBHOOKS))
      return malformed({ name: 'events', reason: `at most ${WEBHOOKS} registrations for one event` });
    const webhook = { id: randomUUID(), msn, url, events: names, secret: randomBytes(64).toString('base64') };
    ledger.addWebhook(webhook);
    return { status: 201, body: { id: webhook.id, secret: webhook.secret } };
  };
  const removeWebhook =
    (id: string) =>
    (call: Call): Done | Refusal => {
      if (!ledger.webhooks().some((one) => one.id === id && one.msn === call.msn))
        return { refused: 404, title: 'Not Found', detail: 'There is no such webhook' };
      ledger.removeWebhook(id);
      hooks.forget(id);
      return { status: 204, body: undefined };
    };

  const read =
    (run: (payment: Payment) => unknown) =>
    (call: Call): Done | Refusal => {
      const payment = ledger.find(call.msn, call.reference);
      return isRefusal(payment) ? payment : { status: 200, body: run(payment) };
    };
  const withAmount = (call: Call, run: typeof ledger.capture): Done | Refusal => {
    const amount = readAmount(isObject(call.body) ? call.body.modificationAmount : undefined, 'modificationAmount');
    return isRefusal(amount) ? amount : run(call, amount);
  };

  const routes = (api: FastifyInstance) => {
    // The provider reads what it is sent by itself, whatever kind the sender calls it.
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    api.setNotFoundHandler((_request, reply) => turnAway(reply, 404, 'Resource not found'));
    api.setErrorHandler((error, request, reply) => {
      request.log.error({ err: error }, 'sandbox: the payment provider failed');
      return answer(request, reply, internalError);
    });

    api.post('/accesstoken/get', getToken);
    const payments = '/epayment/v1/payments';
    const one = `${payments}/:reference`;
    const changing = (name: string) => ({ name, limit: CHANGES, changes: true });
    api.post(
      payments,
      handle(changing('create'), (call) => {
        const order = readOrder(call.body, ledger.now());
        if (isRefusal(order)) return order;
        return ledger.create(call, order, (payment) => {
          const redirectUrl = pageOf(payment);
          return { ...(redirectUrl === null ? {} : { redirectUrl }), reference: order.reference };
        });
      }),
    );
    api.get(
      one,
      handle(
        { name: 'get', limit: READS },
        read((payment) => viewOf(payment, pageOf)),
      ),
    );
    api.get(
      `${one}/events`,
      handle(
        { name: 'events', limit: READS },
        read((payment) => payment.events),
      ),
    );
    api.post(
      `${one}/capture`,
      handle(changing('capture'), (call) => withAmount(call, ledger.capture)),
    );
    api.post(
      `${one}/refund`,
      handle(changing('refund'), (call) => withAmount(call, ledger.refund)),
    );
    api.post(
      `${one}/cancel`,
      handle(changing('cancel'), (call) => ledger.cancel(call, isObject(call.body) && call.body.cancelTransactionOnly === true)),
    );
    api.post(
      '/epayment/v1/test/payments/:reference/approve',
      handle({}, (call) => {
        const payment = ledger.find(call.msn, call.reference);
        if (isRefusal(payment)) return payment;
        return ledger.act(payment, 'approve') ?? { status: 200, body: undefined };
      }),
    );
    api.post('/webhooks/v1/webhooks', handle({}, registerWebhook));
    api.get(
      '/webhooks/v1/webhooks',
      handle({}, ({ msn }) => {
        const own = ledger.webhooks().filter((webhook) => webhook.msn === msn);
        return { status: 200, body: { webhooks: own.map(({ id, url, events }) => ({ id, url, events })) } };
      }),
    );
    api.delete<{ Params: { id: string } }>('/webhooks/v1/webhooks/:id', (request, reply) =>
      handle({}, removeWebhook(request.params.id))(request, reply),
    );
  };
  app.register(async (api) => routes(api), { prefix });
}
