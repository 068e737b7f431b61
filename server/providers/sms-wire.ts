import type { Outside } from '../outside/fetch.ts';
import { OutsideError } from '../outside/fetch.ts';
import { jsonOf } from './said.ts';
import { plainError, type Sent } from './sent.ts';

/** `ref` is ours and comes back in reports. `reportUrl`: where the fate of this one is told, by a gateway that asks for it with each. */
export type Sms = { to: string; text: string; ref: string; senderId: string; reportUrl?: string };
/** What a report says of a message, by whatever wire it came. `part`: of one that was split, where each part is reported by itself. */
export type Fate = { state: 'delivered' | 'failed'; error: string; id: string | null; part: { no: number; of: number | null } | null };

type Answer = { status: number; body: string };
type Asked = { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string };
const ANSWER_CHARACTERS = 10_000;

/** Not carried out, says whoever answers so: later it may be. Documented so by Twilio (error 20429); taken as that of the others too. */
const NOT_NOW = new Set([429, 503]);
/** Nor was it where the login, the account or the address is wrong: that is the operator's to mend, not the receiver's fault. */
const TO_MEND = new Set([401, 402, 403, 404, 405]);
/** Surely not taken, and worth another try: by the second gateway, and later. */
export const isNotTaken = (status: number): boolean => NOT_NOW.has(status) || TO_MEND.has(status) || (status >= 300 && status < 400);

/** One call of a gateway. Answers what it said with a 2xx, or how the sending ended when it said anything else. Never throws for what the other side does. */
export const ask = async (outside: Outside, name: string, url: string, to: string, asked: Asked): Promise<Answer | Sent> => {
  try {
    const { status, body: bytes } = await outside.fetch(url, { ...asked, headers: { accept: 'application/json', ...asked.headers } });
    const body = bytes.toString('utf8').slice(0, ANSWER_CHARACTERS);
    if (status >= 200 && status < 300) return { status, body };
    const error = `${name}: ${status} ${plainError(wordsOf(body), to)}`.trim();
    if (isNotTaken(status)) return { state: 'again', error };
    return { state: status >= 500 || status === 408 ? 'unknown' : 'failed', error };
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    if (error.sent) return { state: 'unknown', error: `${name} did not answer` };
    return { state: 'again', error: `${name} cannot be reached${error.reason === 'address' ? `: ${error.message}` : ''}` };
  }
};

/** Of an error in JSON its words alone; anything else as it came. */
const wordsOf = (body: string): string => {
  const said = jsonOf(body);
  if (typeof said !== 'object' || said === null) return body;
  const { message, description, code, resultCode } = said as Record<string, unknown>;
  const words = [code ?? resultCode, message ?? description].filter((word) => typeof word === 'string' || typeof word === 'number');
  return words.length > 0 ? words.join(' · ') : body;
};

/** A 2xx that cannot be read: it may have been taken. */
export const unread = (name: string): Sent => ({ state: 'unknown', error: `${name} answered what cannot be read` });
export const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
export const isSent = (said: Answer | Sent): said is Sent => 'state' in said;
