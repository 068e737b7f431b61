import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Outside } from '../outside/fetch.ts';
import { isSame } from '../seal.ts';
import { jsonOf } from './said.ts';
import { plainError, type Sent, type Price } from './sent.ts';
import type { SmsAddress } from './sms-address.ts';
import { ask, basic, isSent, unread, type Fate, type Sms } from './sms-wire.ts';

/** Twilio's Messages resource and its status callbacks, by twilio.com/docs/messaging/api/message-resource and /docs/usage/security. */

const NAME = 'Twilio';
const MOST = 1600;
type At = Extract<SmsAddress, { wire: 'twilio' }>;
const resource = z.object({
  sid: z.string(),
  status: z.string(),
  num_segments: z.string().nullish(),
  price: z.string().nullish(),
  price_unit: z.string().nullish(),
  error_code: z.union([z.int(), z.string()]).nullish(),
  error_message: z.string().nullish(),
});
const messagesOf = ({ base, user }: At): string => `${base}/2010-04-01/Accounts/${user}/Messages`;

/** Letters, digits and spaces, and not digits alone. */
const fromOf = (senderId: string): string => (/[A-Za-z]/.test(senderId) ? senderId : 'Hatchway');

export const sendByTwilio = async (outside: Outside, at: At, sms: Sms): Promise<Sent> => {
  if (sms.text.length > MOST) return { state: 'failed', error: `${NAME} takes ${MOST} characters at most` };
  const form = new URLSearchParams({
    To: sms.to,
    Body: sms.text,
    // A service chooses the sender by itself.
    ...(at.service === null ? { From: fromOf(sms.senderId) } : { MessagingServiceSid: at.service }),
    ...(sms.reportUrl === undefined ? {} : { StatusCallback: sms.reportUrl }),
  });
  const said = await ask(outside, NAME, `${messagesOf(at)}.json`, sms.to, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic(at.user, at.password) },
    body: form.toString(),
  });
  if (isSent(said)) return said;
  const read = resource.safeParse(jsonOf(said.body));
  if (!read.success) return unread(NAME);
  const { sid, status, num_segments: parts, error_code: code, error_message: words } = read.data;
  if (status === 'failed' || status === 'undelivered' || status === 'canceled')
    return { state: 'failed', error: `${NAME}: ${plainError([code, words].filter(Boolean).join(' · ') || status, sms.to)}` };
  // Of a service's message it says 0 until a sender is chosen.
  const segments = Number(parts ?? 0);
  return { state: 'accepted', providerRef: sid, ...(segments > 0 ? { segments } : {}) };
};

/** What it was billed at; null where Twilio does not say so yet, or cannot be asked now. */
export const priceAtTwilio = async (outside: Outside, at: At, sid: string): Promise<Price | null> => {
  const said = await ask(outside, NAME, `${messagesOf(at)}/${encodeURIComponent(sid)}.json`, '', {
    method: 'GET',
    headers: { authorization: basic(at.user, at.password) },
  });
  if (isSent(said)) return null;
  const read = resource.safeParse(jsonOf(said.body));
  if (!read.success || read.data.sid !== sid) return null;
  const { price, price_unit: currency } = read.data;
  // What is charged is told as less than nothing.
  const amount = price ? Math.abs(Number(price)) : Number.NaN;
  return Number.isFinite(amount) && currency && /^[a-z]{3}$/i.test(currency) ? { amount, currency: currency.toUpperCase() } : null;
};

/** Whether Twilio sent it: base64 of HMAC-SHA1, by the account's token, over the address and each parameter in the order of their names. */
export const isSignedByTwilio = (token: string, url: string, form: URLSearchParams, signature: string): boolean => {
  const words = [...form].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).flat();
  const right = createHmac('sha1', token)
    .update(url + words.join(''))
    .digest('base64');
  return isSame(right, signature);
};

const WORDS: Readonly<Record<string, string>> = {
  '21610': 'the receiver asked to be sent no more',
  '30003': 'the phone cannot be reached',
  '30004': 'the receiver blocks it',
  '30005': 'the number is unknown',
  '30006': 'the number takes no SMS',
  '30007': 'the phone company took it for spam',
};
const report = z.object({ MessageSid: z.string(), MessageStatus: z.string(), ErrorCode: z.string().optional() });
/** Null for what is no report; without a fate where it says none yet. */
export const readTwilioReport = (form: URLSearchParams): { fate: Fate | null } | null => {
  const said = report.safeParse(Object.fromEntries(form));
  if (!said.success) return null;
  const { MessageSid: id, MessageStatus: status, ErrorCode: code } = said.data;
  if (status === 'delivered' || status === 'read') return { fate: { state: 'delivered', error: '', id, part: null } };
  if (status !== 'undelivered' && status !== 'failed' && status !== 'canceled') return { fate: null };
  const error = [WORDS[code ?? ''] ?? 'it was not delivered', code].filter(Boolean).join(' · ');
  return { fate: { state: 'failed', error, id, part: null } };
};
