import type { Outside } from '../outside/fetch.ts';
import type { ToolPage, ToolSaid } from './asset-tool.ts';
import { jsonOf, reach } from './said.ts';
import { plainError } from './sent.ts';

/** What both clients of asset tools do alike. */

type Fault = Exclude<ToolSaid<never>, { kind: 'ok' }>;
export type Answer = { status: number; headers: Readonly<Record<string, string>>; body: unknown };
type Ask = { method: 'GET' | 'POST'; url: string; bearer: string; headers?: Record<string, string>; body?: unknown };

const LONGEST_WAIT = 3600;
/** Seconds; a date would be by the tool's clock, which nobody knows. */
const retryAfter = (headers: Answer['headers']): number | null => {
  const told = headers['retry-after'] ?? '';
  return /^\d{1,9}$/.test(told) ? Math.min(Number(told), LONGEST_WAIT) : null;
};

export const fault = (kind: Fault['kind'], error: string, status: number | null, wait: number | null = null): Fault => ({
  kind,
  error: plainError(error, ''),
  status,
  retryAfter: wait,
});
export const isFault = (said: Answer | Fault): said is Fault => 'kind' in said;

/** Asks a tool; what its answer means is its client's to say, save where no answer came, or the same is meant everywhere. */
export const ask = async (outside: Outside, { method, url, bearer, headers, body }: Ask): Promise<Answer | Fault> => {
  // What no header can carry is no key of anybody's.
  if (!/^[!-~]+$/.test(bearer)) return fault('keys', 'keys-refused', null);
  const answer = await reach(outside, url, {
    method,
    headers: { accept: 'application/json', authorization: `Bearer ${bearer}`, ...headers },
    body,
  });
  if ('kind' in answer) return fault(answer.kind, answer.error, null);
  const { status } = answer;
  if (status >= 300 && status < 400)
    return fault('refused', `${status} · the tool is at ${answer.headers['location'] ?? 'another address'}`, status);
  if (status === 401) return fault('keys', 'keys-refused', status);
  if (status === 403) return fault('keys', 'key-too-narrow', status);
  if (status === 408 || status === 429 || status === 503) return fault('away', `${status}`, status, retryAfter(answer.headers));
  return { status, headers: answer.headers, body: jsonOf(answer.body) };
};

/** A line of text that can be kept and sent on: no control characters, no halves of characters. */
export const plainLine = (told: string): string =>
  told
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();

/** By all that came, so that what cannot be read is counted and not lost from sight; of one that is told twice, what was told last. */
export const pageOf = <T extends { id: string }>(
  rows: readonly unknown[],
  read: (row: unknown) => T | null,
  next: string | null,
): ToolPage<T> => {
  const known = rows.flatMap((row) => read(row) ?? []);
  const once = new Map(known.map((row) => [row.id, row]));
  return { rows: [...once.values()], next, unread: rows.length - known.length };
};
