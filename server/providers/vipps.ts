import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { KeyFault } from '@hatchway/domain/integration.ts';
import type { ProviderWord } from '@hatchway/domain/provider.ts';
import type { Outside } from '../outside/fetch.ts';
import { isSame } from '../seal.ts';
import { jsonOf, reach, type Said } from './said.ts';
import { plainError } from './sent.ts';

/**
 * Vipps MobilePay's ePayment v1, access tokens and webhooks v1, as developer.vippsmobilepay.com gives them. The addresses, bodies and
 * headers are the provider's own words.
 */

export type VippsKeys = { merchantSerialNumber: string; clientId: string; clientSecret: string; subscriptionKey: string };
type Begun = { redirectUrl: string | null };
type Event = { name: string; success: boolean; key: string | null };
export type Payment = ProviderWord & Begun;
type Begin = {
  reference: string;
  /** Minor units. */
  amount: number;
  currency: string;
  description: string;
  returnUrl: string;
  /** The payer's number in E.164: the request is pushed to their phone. Null: they go to `redirectUrl`. */
  tlf: string | null;
};
type Part = { reference: string; amount: number; currency: string };

/** What a payment provider does for us. Every change is carried out once a key, however often it is sent. */
export type PaymentProvider = {
  create(payment: Begin, key: string): Promise<Said<Begun>>;
  get(reference: string): Promise<Said<Payment>>;
  /** What happened to it, oldest first; `key`: of whichever change of ours brought it about. */
  events(reference: string): Promise<Said<Event[]>>;
  capture(part: Part, key: string): Promise<Said<null>>;
  refund(part: Part, key: string): Promise<Said<null>>;
  /** `unlessReserved`: left as it is where its payer has approved it meanwhile. */
  cancel(reference: string, key: string, unlessReserved: boolean): Promise<Said<null>>;
  /** Whether the keys are taken, in words where not. */
  test(): Promise<Said<null>>;
  /** Asks to be told at an address of ours; answers its id and the secret that it signs with. */
  register(url: string): Promise<Said<{ id: string; secret: string }>>;
  /** Ends a registration; one that is not there has ended. */
  unregister(id: string): Promise<Said<null>>;
};

const PRODUCTION = 'https://api.vipps.no';
const TEST = 'https://apitest.vipps.no';
export const vippsAddress = (operators: string | null, testMode: boolean): string => operators ?? (testMode ? TEST : PRODUCTION);

const amount = z.object({ value: z.int(), currency: z.string() });
const payment = z.object({
  state: z.enum(['CREATED', 'AUTHORIZED', 'ABORTED', 'EXPIRED', 'TERMINATED']),
  aggregate: z.object({ authorizedAmount: amount, capturedAmount: amount, refundedAmount: amount, cancelledAmount: amount }),
  redirectUrl: z.string().nullish(),
});
const events = z.array(z.object({ name: z.string(), success: z.boolean(), idempotencyKey: z.string().nullish() }));
const token = z.object({ access_token: z.string(), expires_in: z.union([z.string(), z.number()]) });
const begun = z.object({ redirectUrl: z.string().nullish() });
const registered = z.object({ id: z.string(), secret: z.string() });
const problem = z.object({
  title: z.string().nullish(),
  detail: z.string().nullish(),
  // of the token's, and of the gateway in front
  error_description: z.string().nullish(),
  message: z.string().nullish(),
  extraDetails: z.array(z.object({ name: z.string(), reason: z.string() })).nullish(),
});
const WEBHOOK_EVENTS = ['created', 'authorized', 'captured', 'cancelled', 'refunded', 'aborted', 'expired', 'terminated'].map(
  (name) => `epayments.payment.${name}.v1`,
);
const SYSTEM = {
  'Vipps-System-Name': 'Hatchway',
  'Vipps-System-Version': '1',
  'Vipps-System-Plugin-Name': 'hatchway-portal',
  'Vipps-System-Plugin-Version': '1',
};

/** What it says is wrong, in one line without secrets. */
const reasonOf = (status: number, body: Buffer): string => {
  const said = problem.safeParse(jsonOf(body));
  if (!said.success) return `${status}`;
  const { title, detail, error_description: about, message, extraDetails } = said.data;
  const more = (extraDetails ?? []).map(({ name, reason }) => `${name} ${reason}`);
  return plainError([`${status}`, title ?? message ?? about, detail, ...more].filter(Boolean).join(' · '), '');
};

/** Which of the keys its token's refusal is about: Entra's own numbers, and the gateway's words. */
const wrongKey = (body: Buffer): KeyFault => {
  const said = body.toString('utf8');
  if (/AADSTS7000215/.test(said)) return 'wrong-client-secret';
  if (/AADSTS(700016|90013|900144)/.test(said)) return 'wrong-client-id';
  return /subscription key/i.test(said) ? 'wrong-subscription-key' : 'keys-refused';
};

type Held = { token: string; until: number };
/** Tokens are kept while they last, in this process, for each set of keys. */
const tokens = new Map<string, Held>();

export const openVipps = (outside: Outside, base: string, keys: VippsKeys, now: () => number): PaymentProvider => {
  const held = createHash('sha256')
    .update(JSON.stringify([base, keys]))
    .digest('base64url');
  const ours = {
    'Ocp-Apim-Subscription-Key': keys.subscriptionKey,
    'Merchant-Serial-Number': keys.merchantSerialNumber,
    ...SYSTEM,
  };

  const tokenOf = async (fresh: boolean): Promise<Said<string>> => {
    const kept = tokens.get(held);
    if (!fresh && kept && kept.until > now()) return { kind: 'ok', value: kept.token };
    const headers = { client_id: keys.clientId, client_secret: keys.clientSecret, ...ours };
    const answer = await reach(outside, `${base}/accesstoken/get`, { method: 'POST', headers });
    if ('kind' in answer) return { ...answer, kind: 'away' };
    const { status } = answer;
    if (status === 200) {
      const said = token.safeParse(jsonOf(answer.body));
      if (!said.success) return { kind: 'away', error: 'The answer holds no token', status };
      // A minute early, so that none runs out on its way.
      tokens.set(held, { token: said.data.access_token, until: now() + (Number(said.data.expires_in) - 60) * 1000 });
      return { kind: 'ok', value: said.data.access_token };
    }
    const isTheirs = status === 429 || status >= 500;
    return isTheirs
      ? { kind: 'away', error: reasonOf(status, answer.body), status }
      : { kind: 'keys', error: wrongKey(answer.body), status };
  };

  const call = async <T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { schema, body, key }: { schema: z.ZodType<T>; body?: unknown; key?: string },
    fresh = false,
  ): Promise<Said<T>> => {
    const bearer = await tokenOf(fresh);
    if (bearer.kind !== 'ok') return bearer;
    const headers = {
      authorization: `Bearer ${bearer.value}`,
      ...ours,
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    };
    const answer = await reach(outside, `${base}${path}`, { method, headers, body });
    if ('kind' in answer) return answer;
    const { status } = answer;
    if (status >= 200 && status < 300) {
      const said = schema.safeParse(jsonOf(answer.body));
      return said.success
        ? { kind: 'ok', value: said.data }
        : { kind: 'unknown', error: `${status}, in words that cannot be read`, status };
    }
    // A token that was withdrawn before its time is asked for anew, once.
    if (status === 401 && !fresh) return call(method, path, { schema, body, ...(key === undefined ? {} : { key }) }, true);
    const error = reasonOf(status, answer.body);
    if (status === 401 || status === 403) return { kind: 'keys', error, status };
    if (status === 408 || status === 429) return { kind: 'away', error, status };
    return { kind: status >= 500 ? 'unknown' : 'refused', error, status };
  };

  const at = (reference: string) => `/epayment/v1/payments/${encodeURIComponent(reference)}`;
  const anything = z.unknown().transform(() => null);
  const modify =
    (what: 'capture' | 'refund') =>
    ({ reference, amount: value, currency }: Part, key: string) =>
      call('POST', `${at(reference)}/${what}`, { schema: anything, body: { modificationAmount: { currency, value } }, key });

  return {
    create: ({ reference, amount: value, currency, description, returnUrl, tlf }, key) => {
      const how =
        tlf === null ? { userFlow: 'WEB_REDIRECT' } : { userFlow: 'PUSH_MESSAGE', customer: { phoneNumber: tlf.replace(/^\+/, '') } };
      const body = {
        amount: { currency, value },
        paymentMethod: { type: 'WALLET' },
        reference,
        returnUrl,
        paymentDescription: description,
        ...how,
      };
      const schema = begun.transform(({ redirectUrl }) => ({ redirectUrl: redirectUrl ?? null }));
      return call('POST', '/epayment/v1/payments', { schema, body, key });
    },
    get: (reference) => {
      const schema = payment.transform(({ state, aggregate, redirectUrl }) => ({
        state: state.toLowerCase() as ProviderWord['state'],
        authorized: aggregate.authorizedAmount.value,
        captured: aggregate.capturedAmount.value,
        refunded: aggregate.refundedAmount.value,
        cancelled: aggregate.cancelledAmount.value,
        redirectUrl: redirectUrl ?? null,
      }));
      return call('GET', at(reference), { schema });
    },
    events: (reference) => {
      const schema = events.transform((all) =>
        all.map(({ name, success, idempotencyKey }) => ({ name, success, key: idempotencyKey ?? null })),
      );
      return call('GET', `${at(reference)}/events`, { schema });
    },
    capture: modify('capture'),
    refund: modify('refund'),
    cancel: (reference, key, unlessReserved) =>
      call('POST', `${at(reference)}/cancel`, { schema: anything, body: unlessReserved ? { cancelTransactionOnly: true } : {}, key }),
    test: async () => {
      const said = await tokenOf(true);
      if (said.kind !== 'ok') return said;
      // Its number is looked at by the payments alone: a payment that is not there is what right keys are told.
      const asked = await call('GET', at('hatchway-test-of-keys'), { schema: anything });
      if (asked.kind === 'keys') return { ...asked, error: 'wrong-merchant' satisfies KeyFault };
      return asked.kind === 'ok' || asked.status === 404 ? { kind: 'ok', value: null } : asked;
    },
    register: (url) => call('POST', '/webhooks/v1/webhooks', { schema: registered, body: { url, events: WEBHOOK_EVENTS } }),
    unregister: async (id) => {
      const said = await call('DELETE', `/webhooks/v1/webhooks/${encodeURIComponent(id)}`, { schema: anything });
      return said.kind === 'refused' && said.status === 404 ? { kind: 'ok', value: null } : said;
    },
  };
};

type Signed = {
  /** As it came, byte for byte. */
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The address that was registered: what a proxy made of host and path does not count. */
  url: string;
  /** The UTF-8 bytes of the secret as it was given, not decoded. */
  secret: string;
};
/** Whether a webhook was signed with the secret of its registration. */
export const isSignedByVipps = ({ body, headers, url, secret }: Signed): boolean => {
  const one = (name: string): string => [headers[name]].flat()[0] ?? '';
  const { host, pathname, search } = new URL(url);
  const hash = createHash('sha256').update(body).digest('base64');
  const text = `POST\n${pathname}${search}\n${one('x-ms-date')};${host};${hash}`;
  const signature = createHmac('sha256', secret).update(text).digest('base64');
  const expected = `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`;
  return isSame(one('x-ms-content-sha256'), hash) && isSame(one('authorization'), expected);
};
