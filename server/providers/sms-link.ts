import { smsSize, withoutPictures } from '@hatchway/domain/sms.ts';
import { z } from 'zod';
import type { Outside } from '../outside/fetch.ts';
import { jsonOf } from './said.ts';
import { plainError, type Sent } from './sent.ts';
import type { SmsAddress } from './sms-address.ts';
import { ask, basic, isSent, unread, type Fate, type Sms } from './sms-wire.ts';

/** LINK Mobility's "Common" platform, by its "SMS REST API: MT and Delivery Reports" (1.6 and 2.4). `refId` is only mirrored. */

const NAME = 'LINK Mobility';
const QUEUED = 1005;
const NOBODY_KNOWS = 106000;
const answer = z.object({
  messageId: z.string().nullish(),
  resultCode: z.int(),
  description: z.string().nullish(),
  smsCount: z.int().positive().nullish(),
});

/** Letters and digits, beginning with a letter, two at least: others it does not promise to show. */
const sourceOf = (senderId: string): string => {
  const plain = senderId.replaceAll(' ', '').replace(/^\d+/, '');
  return plain.length >= 2 ? plain : 'Hatchway';
};

export const sendByLink = async (outside: Outside, at: Extract<SmsAddress, { wire: 'link' }>, sms: Sms): Promise<Sent> => {
  // "Unicode 4-byte characters are not supported", whatever the coding (2.4, Capabilities).
  const userData = withoutPictures(sms.text);
  const segments = smsSize(userData).parts;
  const said = await ask(outside, NAME, `${at.base}/sms/send`, sms.to, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: basic(at.user, at.password) },
    body: JSON.stringify({
      source: sourceOf(sms.senderId),
      sourceTON: 'ALPHANUMERIC',
      destination: sms.to,
      destinationTON: 'MSISDN',
      userData,
      dcs: 'TEXT',
      platformId: at.platform,
      platformPartnerId: at.partner,
      refId: sms.ref,
      ignoreResponse: false,
      customParameters: { replySmsCount: 'true' },
      ...(at.gate === null ? { useDeliveryReport: false } : { useDeliveryReport: true, deliveryReportGates: [at.gate] }),
    }),
  });
  if (isSent(said)) return said;
  // Sent, and it says no more.
  if (said.status === 204) return { state: 'accepted', providerRef: null, segments };
  const read = answer.safeParse(jsonOf(said.body));
  if (!read.success) return unread(NAME);
  const { messageId, resultCode, description, smsCount } = read.data;
  if (resultCode === QUEUED) return { state: 'accepted', providerRef: messageId ?? null, segments: smsCount ?? segments };
  const error = `${NAME}: ${resultCode} ${plainError(description ?? '', sms.to)}`.trim();
  return { state: resultCode === NOBODY_KNOWS ? 'unknown' : 'failed', error };
};

const DELIVERED = new Set([1001, 1007]);
/** On its way still, or lost out of sight: neither says that it arrived or will not. */
const UNDECIDED = new Set([4, 5, 1000, QUEUED, 1008, 1010, 1011, 1012]);
const WORDS: Readonly<Record<number, string>> = {
  1002: 'it expired before it could be delivered',
  1004: 'the phone is full',
  2104: 'the subscriber is unknown',
  2105: 'the subscriber is barred',
  2106: 'the number is wrong',
  2107: 'the subscriber is barred for now',
};

const report = z.object({
  refId: z.string(),
  id: z.string().nullish(),
  resultCode: z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]),
  segments: z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]).nullish(),
});
/** Null for what is no report; without a fate where it says none yet. Each part of a split message is reported, as `{id}${n}` from 0. */
export const readLinkReport = (told: unknown): { ref: string; fate: Fate | null } | null => {
  const said = report.safeParse(told);
  if (!said.success) return null;
  const { refId: ref, id, resultCode, segments } = said.data;
  if (UNDECIDED.has(resultCode)) return { ref, fate: null };
  const [, whole = id ?? null, part] = /^(.*)\$(\d{1,3})$/.exec(id ?? '') ?? [];
  const state = DELIVERED.has(resultCode) ? 'delivered' : 'failed';
  const error = state === 'failed' ? `${WORDS[resultCode] ?? 'it was not delivered'} · ${resultCode}` : '';
  return { ref, fate: { state, error, id: whole, part: part === undefined ? null : { no: Number(part), of: segments ?? null } } };
};
