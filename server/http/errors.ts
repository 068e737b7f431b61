import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf as problemOfDatabase } from '../db/errors.ts';
import { newId } from '../ids.ts';
import { documentOf, Problem, statusOf } from './problem.ts';

const BY_FASTIFY: Record<string, () => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('too-large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem('unsupported-media'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem('malformed', 'The content length is not that of the body'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Problem('malformed', 'The body is empty'),
};

/** Values that fit their schema and no column (class 22): a number or time out of range, a character; and nesting that PostgreSQL gives up at. */
const UNSTORABLE = /^(22[0-9A-Z]{3}|5400[01])$/;

/** What a thrown thing answers. Whatever nobody foresaw is a defect: logged whole, answered without a trace. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  const broken = problemOfDatabase(error);
  if (broken) return new Problem(broken, undefined, broken === 'unavailable' ? { retryAfter: 2 } : {});
  const { code = '', message = '', statusCode = 0 } = error as Partial<FastifyError>;
  const known = BY_FASTIFY[code];
  if (known) return known();
  if (UNSTORABLE.test(code)) return new Problem('malformed', 'The request holds a value that cannot be stored');
  if (statusCode >= 400 && statusCode < 500)
    return new Problem('malformed', error instanceof SyntaxError || code.startsWith('FST_ERR') ? 'The body is not JSON' : message);
  return new Problem('defect');
};

/** As bytes: Fastify would add a charset to text, and the media type has none (RFC 9457). */
const refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply => {
  if (problem.retryAfter !== undefined) void reply.header('retry-after', String(Math.max(1, Math.ceil(problem.retryAfter))));
  if (problem.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer');
  return reply
    .code(statusOf(problem.code))
    .header('x-request-id', request.id)
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(JSON.stringify(documentOf(problem))));
};

/** For addresses that no route was looked up for. */
export const refuseAddress = (request: FastifyRequest, reply: FastifyReply): void => {
  // Whoever stands before a browser reads a page, not a document: the portal's own, as of any address that is none.
  if (request.url.startsWith('/portal/') && request.headers.accept?.includes('text/html')) return void reply.redirect('/portal/404');
  refuse(request, reply, new Problem('malformed', 'The address cannot be read'));
};

/** What is no HTTP at all: answered on the bare socket, which is closed behind it. */
export const refuseBytes =
  (headers: Readonly<Record<string, string>>) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const problem = new Problem(error.code === 'HPE_HEADER_OVERFLOW' ? 'too-large' : 'malformed', 'The request cannot be read');
    const body = JSON.stringify(documentOf(problem));
    const status = statusOf(problem.code);
    const head = {
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': newId(),
      connection: 'close',
      ...headers,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  };

/** The methods that an address has, of those that are added from now on. What lies behind a wildcard has its own answers. */
const watchMethods = (app: FastifyInstance): ((path: string) => string[]) => {
  const served: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const pattern = new RegExp(`^${url.replaceAll(/[.+?^$()[\]{}|\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`);
    served.push({ pattern, methods: [method].flat() });
  });
  return (path) => [...new Set(served.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
};

export const answerErrors = (app: FastifyInstance): void => {
  const methodsAt = watchMethods(app);
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === 'defect') request.log.error({ err: error }, 'a request met a defect');
    return refuse(request, reply, problem);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const methods = methodsAt(path);
    if (methods.length > 0 && !methods.includes(request.method))
      return refuse(request, reply.header('allow', methods.join(', ')), new Problem('method-not-allowed'));
    return refuse(request, reply, new Problem('not-found', `No such address: ${request.method} ${path.slice(0, 200)}`));
  });
};
