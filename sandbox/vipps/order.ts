import { isLoopback } from '../loopback.ts';
import { isRefusal, malformed, refuse, type Refusal } from './refusals.ts';

export type Amount = { currency: string; value: number };

/** What a merchant asks a payer for: the body of a create, as far as the provider looks at it. */
export type Order = {
  amount: Amount;
  reference: string;
  userFlow: 'WEB_REDIRECT' | 'NATIVE_REDIRECT' | 'PUSH_MESSAGE' | 'QR';
  paymentMethod: { type: 'WALLET' | 'CARD' };
  returnUrl: string | null;
  paymentDescription: string | null;
  phoneNumber: string | null;
  scope: string | null;
  metadata: Record<string, string> | null;
  qrFormat: { format: string; size: number };
  expiresAt: number | null;
};

/** An øre or a cent, but a whole krone in Norway. */
const LEAST: Record<string, number> = { NOK: 100, DKK: 1, EUR: 1 };
const MOST = 65_000_000;
const FLOWS = ['WEB_REDIRECT', 'NATIVE_REDIRECT', 'PUSH_MESSAGE', 'QR'] as const;
const FORMATS = ['TEXT/TARGETURL', 'IMAGE/SVG+XML', 'IMAGE/PNG'];
const SCOPES = ['openid', 'name', 'address', 'email', 'phoneNumber', 'birthDate', 'nin'];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const isOneOf = <T extends string>(all: readonly T[], value: unknown): value is T => all.some((one) => one === value);
const wrong = (name: string, reason: string) => malformed({ name, reason });
const missing = (name: string) => refuse(400, '4140', 'Missing required parameter', `The parameter ${name} is required`);

/** https, or an app's own scheme; plain http to this machine alone, which the sandbox allows beyond the provider. */
export function isReturnUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  if (protocol === 'http:') return isLoopback(hostname);
  return !['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'].includes(protocol);
}

export function readAmount(value: unknown, name = 'amount'): Amount | Refusal {
  if (!isObject(value)) return wrong(name, 'an amount is needed');
  const { currency, value: units } = value;
  if (typeof currency !== 'string' || !(currency in LEAST)) return wrong(`${name}.currency`, 'one of NOK, DKK, EUR is needed');
  if (typeof units !== 'number' || !Number.isInteger(units) || units < 0 || units > MOST)
    return refuse(400, '4040', 'Invalid amount', 'A whole number of øre or cents is needed');
  return { currency, value: units };
}

function readCustomer(customer: unknown): string | null | Refusal {
  if (customer === undefined || customer === null) return null;
  if (!isObject(customer)) return wrong('customer', 'an object is needed');
  const named = ['phoneNumber', 'personalQr', 'customerToken'].filter((name) => customer[name] !== undefined && customer[name] !== null);
  if (named.length !== 1) return wrong('customer', 'exactly one of phoneNumber, personalQr and customerToken is needed');
  const { phoneNumber } = customer;
  if (phoneNumber === undefined || phoneNumber === null) return 'another way';
  if (typeof phoneNumber !== 'string' || !/^\d{10,15}$/.test(phoneNumber))
    return refuse(400, '4070', 'Invalid phone number', 'Country code and number are needed, digits alone');
  return phoneNumber;
}

function faultOfMetadata(metadata: unknown): Refusal | null {
  if (metadata === undefined || metadata === null) return null;
  if (!isObject(metadata)) return wrong('metadata', 'an object is needed');
  const pairs = Object.entries(metadata);
  if (pairs.length > 5) return refuse(400, '4100', 'Metadata capacity exceeded');
  if (pairs.some(([key]) => key.length > 100)) return refuse(400, '4120', 'Metadata key length exceeded');
  if (pairs.some(([, text]) => typeof text !== 'string')) return wrong('metadata', 'texts are needed');
  if (pairs.some(([, text]) => String(text).length > 500)) return refuse(400, '4130', 'Metadata value length exceeded');
  return null;
}

function readExpiry(body: Json, now: number): number | null | Refusal {
  if (body.expiresAt === undefined || body.expiresAt === null) return null;
  const at = typeof body.expiresAt === 'string' && /^\d{4}-\d\d-\d\d[Tt]/.test(body.expiresAt) ? Date.parse(body.expiresAt) : Number.NaN;
  if (Number.isNaN(at)) return wrong('expiresAt', 'a time as RFC 3339 writes it is needed');
  if (body.userFlow !== 'PUSH_MESSAGE' && body.userFlow !== 'QR') return wrong('expiresAt', 'goes with PUSH_MESSAGE and QR alone');
  if (at < now + 10 * MINUTE) return refuse(400, '6120', 'Expiration date is too soon');
  if (at > now + 60 * DAY) return refuse(400, '6110', 'Expiration date is too late');
  return isObject(body.receipt) ? at : refuse(400, '6130', 'Long living payments require a receipt');
}

function readQrFormat(value: unknown): Order['qrFormat'] | Refusal {
  if (value === undefined || value === null) return { format: 'IMAGE/SVG+XML', size: 1024 };
  const { format, size = 1024 } = isObject(value) ? value : {};
  if (!isOneOf(FORMATS, format)) return wrong('qrFormat.format', `one of ${FORMATS.join(', ')} is needed`);
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 100 || size > 2000)
    return wrong('qrFormat.size', '100 to 2000 is needed');
  return { format, size };
}

/** Reads the body of a create as the provider does. */
export function readOrder(body: unknown, now: number): Order | Refusal {
  if (!isObject(body)) return wrong('body', 'a JSON object is needed');
  const { reference, userFlow, returnUrl, paymentDescription, profile, metadata } = body;
  const amount = readAmount(body.amount);
  if (isRefusal(amount)) return amount;
  if (amount.value < (LEAST[amount.currency] ?? 0)) return refuse(400, '6010', 'Amount too small');
  if (typeof reference !== 'string' || !/^[a-zA-Z0-9-]{8,64}$/.test(reference))
    return wrong('reference', 'must match ^[a-zA-Z0-9-]{8,64}$');
  const type = isObject(body.paymentMethod) ? body.paymentMethod.type : undefined;
  if (type !== 'WALLET' && type !== 'CARD') return wrong('paymentMethod.type', 'WALLET or CARD is needed');
  if (!isOneOf(FLOWS, userFlow)) return wrong('userFlow', `one of ${FLOWS.join(', ')} is needed`);
  if (type === 'CARD' && userFlow !== 'WEB_REDIRECT') return wrong('userFlow', 'CARD goes with WEB_REDIRECT alone');
  const hasReturn = returnUrl !== undefined && returnUrl !== null;
  if (userFlow === 'WEB_REDIRECT' && !hasReturn) return missing('returnUrl');
  if (hasReturn && !isReturnUrl(returnUrl))
    return refuse(400, '4090', 'Invalid URL', 'returnUrl must begin with https:// or an app’s scheme');
  if (body.receiptUrl !== undefined && body.receiptUrl !== null && !isReturnUrl(body.receiptUrl))
    return refuse(400, '4090', 'Invalid URL', 'receiptUrl must begin with https:// or an app’s scheme');
  const customer = readCustomer(body.customer);
  if (customer !== null && typeof customer !== 'string') return customer;
  if (userFlow === 'PUSH_MESSAGE' && customer === null) return missing('customer');
  const description = paymentDescription ?? null;
  if (description !== null && (typeof description !== 'string' || description.length < 3 || description.length > 100))
    return wrong('paymentDescription', '3 to 100 characters are needed');
  const scope = isObject(profile) && profile.scope !== undefined ? profile.scope : null;
  if (scope !== null && (typeof scope !== 'string' || !scope.split(' ').every((one) => SCOPES.includes(one))))
    return refuse(400, '4080', 'Invalid scope');
  const metadataFault = faultOfMetadata(metadata);
  if (metadataFault) return metadataFault;
  const qrFormat = readQrFormat(body.qrFormat);
  if (isRefusal(qrFormat)) return qrFormat;
  const expiresAt = readExpiry(body, now);
  if (expiresAt !== null && typeof expiresAt !== 'number') return expiresAt;
  return {
    amount,
    reference,
    userFlow,
    paymentMethod: { type },
    returnUrl: hasReturn ? returnUrl : null,
    paymentDescription: description,
    phoneNumber: customer !== null && /^\d/.test(customer) ? customer : null,
    scope,
    metadata: (metadata as Record<string, string> | null | undefined) ?? null,
    qrFormat,
    expiresAt,
  };
}
