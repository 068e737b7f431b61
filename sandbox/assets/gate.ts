import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { befallen, cutLine } from '../befall.ts';
import type { Asset } from './store.ts';
import type { Tool } from './tool.ts';

/** What both wires of the tool do alike: bad days, the key, and bodies. */

export type Body = Record<string, unknown>;
export type Answer = { status: number; body: unknown; headers?: Record<string, string> };
export type Call = { query: URLSearchParams; body: Body; asset: Asset | null; headers: FastifyRequest['headers']; url: string };
/** How a wire says what every wire has to say. */
type Words = Record<'noKey' | 'throttled' | 'error' | 'refused' | 'outage' | 'malformed', Answer>;

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

export const sendAnswer = (reply: FastifyReply, { status, body, headers }: Answer): FastifyReply =>
  reply
    .code(status)
    .type('application/json')
    .headers(headers ?? {})
    .send(JSON.stringify(body));

export function createGate({ store, faults }: Tool, words: Words) {
  /** Answers every call of a wire; `run` is what it does on a good day. */
  return (run: (call: Call) => Answer) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { id } = request.params as { id?: string };
      const asset = /^\d{1,10}$/.test(id ?? '') ? store.asset(Number(id)) : null;
      const tag = asset?.tag ?? null;
      const isBadDay = await befallen(faults, tag, request, reply, {
        outage: () => sendAnswer(reply, words.outage),
        throttled: () => sendAnswer(reply, words.throttled),
        garbage: () => reply.code(200).type('text/html').send('<h1>Whoops</h1>{'),
        redirect: () => reply.redirect('/sandbox/assets'),
      });
      if (isBadDay) return reply;
      if (request.headers.authorization !== `Bearer ${store.apiKey()}`) return sendAnswer(reply, words.noKey);
      const isChange = request.method !== 'GET';
      if (isChange && !isObject(request.body)) return sendAnswer(reply, words.malformed);
      if (isChange && faults.take(['error'], tag)) return sendAnswer(reply, words.error);
      if (isChange && faults.take(['refused'], tag)) return sendAnswer(reply, words.refused);
      const query = new URL(request.url, 'http://tool').searchParams;
      const body = isObject(request.body) ? request.body : {};
      const answer = run({ query, body, asset, headers: request.headers, url: request.url });
      return isChange && faults.take(['answer-lost'], tag) ? cutLine(request, reply) : sendAnswer(reply, answer);
    };
}

/** A list with a bad day of its own: every row told twice. */
export const listedBy =
  ({ faults }: Tool) =>
  <T>(rows: T[]): T[] =>
    rows.length > 0 && faults.take(['doubled'], null) ? rows.flatMap((row) => [row, row]) : rows;

/** Bodies are JSON whatever they are called; what is none is left undefined. */
export function readBodies(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) => {
    try {
      parsed(null, JSON.parse(String(text)));
    } catch {
      parsed(null, undefined);
    }
  });
}
