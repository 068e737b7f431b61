import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback, isPublic } from './addresses.ts';

/**
 * Why nothing, or nothing whole, came back. `address`: not https, not public, or with a login in it; nothing was sent.
 * `unreachable`: no connection, so nothing was sent. `cut`: the line broke after that. `timeout`: 10 s passed. `too-large`: over 1 MB.
 */
type OutsideReason = 'address' | 'unreachable' | 'cut' | 'timeout' | 'too-large';

/** Thrown by `fetch` alone, for what is the address's or the other side's doing; never for an answer of whatever status. */
export class OutsideError extends Error {
  readonly reason: OutsideReason;
  /** Something may have reached the other side: whether it acted on it nobody knows. */
  readonly sent: boolean;
  constructor(reason: OutsideReason, sent: boolean, message: string) {
    super(message);
    this.name = 'OutsideError';
    this.reason = reason;
    this.sent = sent;
  }
}

type OutsideRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Shorter than the 10 s that hold for all. */
  timeoutMs?: number;
  /** Its status is the whole answer: the body is read up to here and then cut, and counts as whole whatever becomes of it. */
  cutAfter?: number;
};
/** A redirect is an answer like any other (3xx): it is never followed. */
type OutsideAnswer = { status: number; headers: Readonly<Record<string, string>>; body: Buffer };

export type Outside = {
  /** The one way to an address that a customer named. Throws OutsideError. */
  fetch(url: string, request?: OutsideRequest): Promise<OutsideAnswer>;
  /** What is wrong with an address before anything is sent, in plain words; null: nothing that can be seen without asking its name. */
  fault(url: string): string | null;
};

const TIMEOUT_MS = 10_000;
export const MOST_BYTES = 1024 * 1024;

type Resolve = (hostname: string) => Promise<readonly { address: string; family: number }[]>;
const resolveAll: Resolve = (hostname) => lookup(hostname, { all: true });

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

/**
 * Guards what the server fetches for customers: https alone, public addresses alone, checked at connect (the name is asked once, and
 * the connection goes to the very addresses that were checked), no redirects, 10 s, 1 MB. `sandboxPorts`: on these the loopback is
 * allowed too, by its own names and without TLS; empty in production.
 */
export const createOutside = (sandboxPorts: readonly number[], resolve: Resolve = resolveAll): Outside => {
  const isSandbox = (url: URL): boolean =>
    (url.hostname === 'localhost' || isLoopback(bare(url.hostname))) && sandboxPorts.includes(portOf(url));

  const faultOf = (url: URL): string | null => {
    if (url.username !== '' || url.password !== '') return 'The address must not hold a login';
    if (isSandbox(url)) return url.protocol === 'http:' || url.protocol === 'https:' ? null : 'The address must begin with https://';
    if (url.protocol !== 'https:') return 'The address must begin with https://';
    const host = bare(url.hostname);
    if (isIP(host) !== 0 && !isPublic(host)) return 'The address must be a public one';
    if (host === 'localhost' || host.endsWith('.localhost')) return 'The address must be a public one';
    return null;
  };

  return {
    fault: (url) => (URL.canParse(url) ? faultOf(new URL(url)) : 'This is not an address'),
    fetch: async (address, request = {}) => {
      const url = URL.canParse(address) ? new URL(address) : null;
      const fault = url === null ? 'This is not an address' : faultOf(url);
      if (url === null || fault !== null) throw new OutsideError('address', false, fault ?? '');
      const allowed = isSandbox(url) ? isLoopback : isPublic;
      const guarded: LookupFunction = (hostname, options, done) => {
        resolve(hostname).then(
          (found) => {
            // One private address among public ones is reason enough: nobody's public name has one by chance.
            if (found.length === 0 || !found.every((one) => allowed(one.address)))
              return done(new OutsideError('address', false, 'The name leads to no public address'), []);
            const [first] = found;
            return options.all || first === undefined ? done(null, [...found]) : done(null, first.address, first.family);
          },
          (error: NodeJS.ErrnoException) => done(error, []),
        );
      };
      return exchange(url, request, guarded);
    },
  };
};

const exchange = (url: URL, request: OutsideRequest, guarded: LookupFunction): Promise<OutsideAnswer> =>
  new Promise((resolve, reject) => {
    let sent = false;
    const end = AbortSignal.timeout(Math.min(request.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS));
    const options: RequestOptions = {
      method: request.method ?? 'GET',
      agent: false,
      lookup: guarded,
      signal: end,
      headers: {
        'accept-encoding': 'identity', // 1 MB on the line is 1 MB in memory
        'user-agent': 'Hatchway',
        ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
        ...request.headers,
      },
    };
    const asked = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    const fail = (error: Error) => {
      asked.destroy();
      if (error instanceof OutsideError) return reject(error);
      if (end.aborted) return reject(new OutsideError('timeout', sent, 'No whole answer came in time'));
      return reject(new OutsideError(sent ? 'cut' : 'unreachable', sent, sent ? 'The connection broke' : 'The address cannot be reached'));
    };
    asked.on('error', fail);
    asked.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (sent = true)));
    asked.on('response', (answer) => {
      // Its status is said: what becomes of the line from here on is no failure.
      if (request.cutAfter !== undefined) asked.off('error', fail).on('error', () => {});
      (request.cutAfter === undefined ? read(answer) : head(answer, request.cutAfter)).then(
        (body) => resolve(answered(answer, body)),
        fail,
      );
    });
    asked.end(request.body);
  });

const answered = (answer: IncomingMessage, body: Buffer): OutsideAnswer => {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers[name] = [value].flat().join(', ');
  return { status: answer.statusCode ?? 0, headers, body };
};

/** What came of the body, up to so many bytes. The status was said: a body that is too long, too slow or broken takes nothing of it. */
const head = async (answer: IncomingMessage, most: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
  } catch {
    // cut off: what came is kept
  }
  return Buffer.concat(chunks).subarray(0, most);
};

const read = async (answer: IncomingMessage): Promise<Buffer> => {
  const tooLarge = () => new OutsideError('too-large', true, 'The answer is larger than 1 MB');
  if (Number(answer.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
