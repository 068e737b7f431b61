import { z } from 'zod';
import type { Outside } from '../outside/fetch.ts';
import { jsonOf } from './said.ts';
import { plainError, type Sent } from './sent.ts';
import type { SmsAddress } from './sms-address.ts';
import { ask, isSent, unread, type Fate, type Sms } from './sms-wire.ts';

/** Sveve's own wire, by sveve.se/apidok/send and /apidok/dlr. `ref` is only echoed: who submits twice sends twice. */

const NAME = 'Sveve';
const MOST = 1071;
const answer = z.object({
  response: z.object({
    msgOkCount: z.int().optional(),
    stdSMSCount: z.int().optional(),
    ids: z.array(z.union([z.int(), z.string()])).nullish(),
    errors: z.array(z.object({ message: z.string().nullish() })).nullish(),
    fatalError: z.string().nullish(),
  }),
});

/** HTTP 200 also where it refuses: what it took is said in the body alone. */
export const sendBySveve = async (outside: Outside, at: Extract<SmsAddress, { wire: 'sveve' }>, sms: Sms): Promise<Sent> => {
  if (sms.text.length > MOST) return { state: 'failed', error: `${NAME} takes ${MOST} characters at most` };
  const said = await ask(outside, NAME, `${at.base}/SMS/SendMessage`, sms.to, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      user: at.user,
      passwd: at.password,
      to: sms.to,
      msg: sms.text,
      from: sms.senderId,
      ref: sms.ref,
      f: 'json',
    }),
  });
  if (isSent(said)) return said;
  const read = answer.safeParse(jsonOf(said.body));
  if (!read.success) return unread(NAME);
  const { msgOkCount = 0, stdSMSCount, ids, errors, fatalError } = read.data.response;
  if (msgOkCount > 0)
    return {
      state: 'accepted',
      providerRef: ids?.[0] === undefined ? null : String(ids[0]),
      ...(stdSMSCount ? { segments: stdSMSCount } : {}),
    };
  const words = (why: string) => `${NAME}: ${plainError(why, sms.to)}`;
  // Of the account or the call as a whole, which is the operator's to mend; what is wrong with a number stands in `errors`.
  if (fatalError) return { state: 'again', error: words(fatalError) };
  const why = errors?.[0]?.message;
  return why ? { state: 'failed', error: words(why) } : unread(NAME);
};

const report = z.object({
  ref: z.string(),
  status: z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]),
  id: z.union([z.int(), z.string()]).nullish(),
  errorCode: z.string().nullish(),
  errorDesc: z.string().nullish(),
});
/** A report as it comes, by GET or POST; null for what is none. */
export const readSveveReport = (told: unknown): { ref: string; fate: Fate } | null => {
  const said = report.safeParse(told);
  if (!said.success) return null;
  const { ref, status, id, errorCode, errorDesc } = said.data;
  const error = [errorDesc, errorCode].filter(Boolean).join(' · ');
  return { ref, fate: { state: status ? 'delivered' : 'failed', error, id: id ? String(id) : null, part: null } };
};
