import { tenantOfKey } from './api-key.ts';
import { checkInput } from './checks.ts';
import type { InputOf, ResultOf, RouteKey, RouteSpec } from './route.ts';
import type { ProblemDocument } from './problems.ts';
import type { Routes } from './routes.ts';

type Route<K extends string> = Extract<
  Routes,
  { method: K extends `${infer M} ${string}` ? M : never; path: K extends `${string} ${infer P}` ? P : never }
>;
export type Call = RouteKey<Routes>;

type Part<Name extends string, S> = undefined extends S
  ? unknown
  : Record<string, never> extends S
    ? { [N in Name]?: S }
    : { [N in Name]: S };
type Q<S> = S extends object
  ? { [K in keyof S]: K extends 'q' ? Record<string, unknown> | string | undefined : K extends 'limit' ? number | undefined : S[K] }
  : S;
/** Where a call names the company, leaving it out means the token's own (specification, section 5). */
type Named<S> = S extends { tenant: string } ? Omit<S, 'tenant'> & { tenant?: string } : S;
type Input<R extends RouteSpec> = Part<'params', Named<InputOf<R['params']>>> &
  Part<'query', Q<InputOf<R['query']>>> &
  Part<'body', InputOf<R['body']>> & { image?: Blob; file?: Blob; idempotencyKey?: string; signal?: AbortSignal };
export type CallInput<K extends Call> = Input<Route<K>>;
export type CallResult<K extends Call> = ResultOf<Route<K>>;

/**
 * Thrown for every answer that is not 2xx. `message` is `API Error: {response text}` (specification, section 8);
 * `problem` is the parsed problem document, or null where the answer was none (a proxy's page, say).
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly problem: ProblemDocument | null;
  readonly retryAfter: number | null;
  constructor(status: number, text: string, retryAfter: number | null) {
    super(`API Error: ${text}`);
    this.status = status;
    this.retryAfter = retryAfter;
    this.problem = problemOf(text);
  }
}

/** Thrown when an answer came but cannot be read: `Error processing response: {message}`. */
export class ResponseError extends Error {
  override name = 'ResponseError';
}

const problemOf = (text: string): ProblemDocument | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'code' in value ? (value as ProblemDocument) : null;
  } catch {
    return null;
  }
};

/** One page of a list: its rows, the cursor of the next page, and the whole count where `count: 'true'` asked for it. */
export type Page<T> = { rows: T; next: string | null; total: number | null };

export type Client = {
  /** Calls by `METHOD /path`. Throws ApiError, ResponseError, Error (`Missing / Format issue of X`, before anything is sent) or what fetch throws. */
  <K extends Call>(
    call: K,
    ...input: Record<string, never> extends CallInput<K> ? [CallInput<K>?] : [CallInput<K>]
  ): Promise<CallResult<K>>;
  page<K extends Call>(
    call: K,
    ...input: Record<string, never> extends CallInput<K> ? [CallInput<K>?] : [CallInput<K>]
  ): Promise<Page<CallResult<K>>>;
};

export type ClientOptions = {
  /** Up to and including the version: `https://lockers.example/v1`. */
  base: string;
  token?: () => string | null | undefined | Promise<string | null | undefined>;
  fetch?: typeof fetch;
  /** How long (ms) a call waits for a word before it is given up with a TimeoutError; a page sets it, since somebody stands before it. */
  patience?: number;
  /** Hears of every call that failed, save one that was given up; the caller has the error too. */
  onFailure?: (call: string, error: Error) => void;
};

type LooseInput = {
  params?: Record<string, string | number | undefined>;
  query?: Record<string, string | number | boolean | object | null | undefined>;
  body?: unknown;
  image?: Blob;
  /** What a call that reads a file takes in place of an image. */
  file?: Blob;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const address = (base: string, path: string, input: LooseInput): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name] ?? '')));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined || value === null) continue;
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  const search = query.toString();
  return `${base}${filled}${search ? `?${search}` : ''}`;
};

/** What is not JSON by its own word: a picture, or a file. */
const BINARY = /^(image\/|text\/csv|application\/(octet-stream|x-ndjson|pdf))/;

/** The company of an access token or API key, read without checking it: the server does that. */
const tenantOf = (token: string | null | undefined): string | undefined => {
  const ofKey = tenantOfKey(token ?? '');
  if (ofKey !== null) return ofKey;
  try {
    const [, payload = ''] = (token ?? '').split('.');
    const claims: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))),
    );
    return (claims as { tenant?: { tenant_id?: string } }).tenant?.tenant_id;
  } catch {
    return undefined;
  }
};
const withTenant = (path: string, input: LooseInput, token: string | null | undefined): LooseInput =>
  path.includes('{tenant}') && (typeof input.params?.['tenant'] !== 'string' || input.params['tenant'] === '')
    ? { ...input, params: { ...input.params, tenant: tenantOf(token) } }
    : input;

const bodyOf = (input: LooseInput): { body: string | FormData; type: string | null } => {
  const { image, file } = input;
  if (!image && !file) return { body: JSON.stringify(input.body ?? {}), type: 'application/json' };
  const form = new FormData();
  form.set('data', JSON.stringify(input.body ?? {}));
  if (image) form.set('image', image);
  if (file) form.set('file', file);
  return { body: form, type: null };
};

/** What one call hangs on: `heard` begins the wait for the next word anew. */
type Line = { signal?: AbortSignal; heard: () => void };
/** What a slow line carries, in bytes a millisecond: of an upload no word comes before all of it has gone. */
const SLOW_LINE = 20;

/** Ends whatever it waits for, a token or an answer or the rest of one, where no word comes in time. */
export const patiently = async <T>(wait: number, given: AbortSignal | undefined, run: (line: Line) => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => ending.abort(new DOMException(`No word within ${wait} ms`, 'TimeoutError')), wait);
  };
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error));
  });
  const giveUp = (): void => ending.abort(given?.reason);
  given?.addEventListener('abort', giveUp);
  if (given?.aborted) giveUp();
  heard();
  try {
    return await Promise.race([run({ signal: ending.signal, heard }), ended]);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', giveUp);
  }
};

/** A file of any length is a word as long as something of it comes. */
const blobOf = async (response: Response, { heard }: Line): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    heard();
    parts.push(part.value);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
};

const read = async (response: Response, line: Line): Promise<unknown> => {
  if (response.status === 204) return undefined;
  try {
    // Whatever else comes was meant to be JSON: a proxy's page is an answer that cannot be processed, not a result.
    return BINARY.test(response.headers.get('content-type') ?? '') ? await blobOf(response, line) : await response.json();
  } catch (error) {
    throw new ResponseError(`Error processing response: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** The only way to call the API, typed from the route literals. Holds no state and no schema: zod never reaches a front end through it. */
export const createClient = (options: ClientOptions): Client => {
  const send = options.fetch ?? fetch;
  const request = async (call: string, input: LooseInput, line: Line): Promise<Response> => {
    const [method = 'GET', path = '/'] = call.split(' ');
    checkInput(call, input);
    const headers = new Headers({ accept: 'application/json' });
    const token = await options.token?.();
    if (token) headers.set('authorization', `Bearer ${token}`);
    if (input.idempotencyKey) headers.set('idempotency-key', input.idempotencyKey);
    const init: RequestInit = { method, headers };
    if (BODY_METHODS.has(method)) {
      const { body, type } = bodyOf(input);
      init.body = body;
      if (type) headers.set('content-type', type);
    }
    if (line.signal) init.signal = line.signal;
    const response = await send(address(options.base, path, withTenant(path, input, token)), init);
    line.heard();
    if (response.ok) return response;
    const after = Number(response.headers.get('retry-after'));
    throw new ApiError(response.status, await response.text(), Number.isFinite(after) && after > 0 ? after : null);
  };
  const ask = async <T>(call: string, input: LooseInput, answer: (response: Response, line: Line) => Promise<T>): Promise<T> => {
    const run = async (line: Line) => answer(await request(call, input, line), line);
    const { patience } = options;
    try {
      if (patience === undefined) return await run({ ...(input.signal ? { signal: input.signal } : {}), heard: () => undefined });
      return await patiently(patience + (input.image ?? input.file ?? { size: 0 }).size / SLOW_LINE, input.signal, run);
    } catch (error) {
      if (error instanceof Error && error.name !== 'AbortError') options.onFailure?.(call, error);
      throw error;
    }
  };
  const pageOf = async (response: Response, line: Line) => {
    const next = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(response.headers.get('link') ?? '');
    const total = response.headers.get('x-total-count');
    return {
      rows: await read(response, line),
      next: next?.[1] ? decodeURIComponent(next[1]) : null,
      total: total === null ? null : Number(total),
    };
  };
  const client = (call: string, input: LooseInput = {}) => ask(call, input, read);
  const page = (call: string, input: LooseInput = {}) => ask(call, input, pageOf);
  return Object.assign(client, { page }) as Client;
};
