import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Text } from '../identity/options.ts';
import { plainError, type Sent } from './sent.ts';

/** `ref` is ours and comes back in reports; a gateway that looks at it drops doubles. `reportUrl`: where its fate may be told, {state, error?}. */
type Sms = { to: string; text: string; ref: string; senderId: string; reportUrl?: string };

const ANSWER_MS = 15_000;
const ANSWER_CHARACTERS = 10_000;
/** Nothing was sent yet when it failed so. */
const BEFORE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
const UNSURE = new Set([500, 502, 504]);

const judge = async (answer: Response, to: string): Promise<Sent> => {
  const text = (await answer.text().catch(() => '')).slice(0, ANSWER_CHARACTERS);
  const said = `${answer.status} ${plainError(text, to)}`.trim();
  if (answer.ok) {
    try {
      const { id } = JSON.parse(text) as { id?: unknown };
      return { state: 'accepted', providerRef: typeof id === 'string' ? id.slice(0, 200) : null };
    } catch {
      return { state: 'accepted', providerRef: null };
    }
  }
  if (answer.status === 503 || answer.status === 429) return { state: 'again', error: said };
  return UNSURE.has(answer.status) ? { state: 'unknown', error: said } : { state: 'failed', error: said };
};

/** One SMS to the operator's gateway. Never throws for what the other side does. */
export const sendSms = async (smsUrl: string, sms: Sms): Promise<Sent> => {
  const url = new URL(smsUrl);
  const login = url.username
    ? Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')
    : null;
  url.username = '';
  url.password = '';
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(login ? { authorization: `Basic ${login}` } : {}) },
      body: JSON.stringify(sms),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return await judge(answer, sms.to);
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
    const code = cause?.code ?? cause?.errors?.[0]?.code ?? '';
    return BEFORE.has(code)
      ? { state: 'again', error: 'the SMS gateway cannot be reached' }
      : { state: 'unknown', error: 'the SMS gateway did not answer' };
  }
};

/** SMS of the identity pages: sent at once, by no company, and nobody waits for its fate; a failure is thrown. */
export const createTexter =
  (config: Config, log: Logger): ((text: Text) => Promise<void>) =>
  async (text) => {
    if (!config.smsUrl) {
      log.warn('an SMS could not be sent: SMS_URL is not set');
      throw new Error('SMS is not set up');
    }
    const sent = await sendSms(config.smsUrl, { ...text, ref: randomUUID(), senderId: 'Hatchway' });
    if (sent.state !== 'accepted') throw new Error(`the SMS was not taken: ${sent.error}`);
  };
