import type { Outside } from '../outside/fetch.ts';
import { OutsideError } from '../outside/fetch.ts';

/**
 * refused: the neighbour said no, and will say so again. away: surely not carried out, to be tried again. unknown: sent, and no answer that
 * says whether it was carried out. keys: it does not take our keys; nothing was carried out.
 */
export type Said<T> = { kind: 'ok'; value: T } | { kind: 'refused' | 'away' | 'unknown' | 'keys'; error: string; status: number | null };

/** No answer came. */
type Lost = { kind: 'away' | 'unknown'; error: string; status: null };
type Asked = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; headers: Record<string, string>; body?: unknown };

/** One call, with its body in JSON. */
export const reach = async (
  outside: Outside,
  url: string,
  { method, headers, body }: Asked,
): Promise<Awaited<ReturnType<Outside['fetch']>> | Lost> => {
  try {
    return await outside.fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { kind: error.sent ? 'unknown' : 'away', error: error.message, status: null };
  }
};

/** Undefined: no JSON. */
export const jsonOf = (body: Buffer | string): unknown => {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
};
