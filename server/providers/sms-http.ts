import { plainError, type Sent } from './sent.ts';
import { isNotTaken, type Sms } from './sms-wire.ts';

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
      const { id, segments } = JSON.parse(text) as { id?: unknown; segments?: unknown };
      const parts = typeof segments === 'number' && Number.isInteger(segments) && segments > 0 && segments < 1000 ? { segments } : {};
      return { state: 'accepted', providerRef: typeof id === 'string' ? id.slice(0, 200) : null, ...parts };
    } catch {
      return { state: 'accepted', providerRef: null };
    }
  }
  if (isNotTaken(answer.status)) return { state: 'again', error: said };
  return UNSURE.has(answer.status) ? { state: 'unknown', error: said } : { state: 'failed', error: said };
};

/** One SMS to a gateway of the operator's own, which may stand in their own network. */
export const sendByHttp = async (at: URL, sms: Sms): Promise<Sent> => {
  const url = new URL(at);
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
