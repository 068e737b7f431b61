import { Agent, request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { PROBLEMS, type ProblemDocument } from '@hatchway/contract/problems.ts';
import type { Answer } from './test-world.ts';

/** What no answer may hold: a trace, a file, a statement, or the words of a database or library. */
const INSIDES =
  /\n\s+at |node_modules|\.ts[:"]|\b(select|insert into|update|delete from) \w+|relation "|column "|syntax error|invalid input syntax|FST_|ZodError|TypeError|undefined/i;

/** Everything that holds for every refusal. Answers what is left to look at. */
export const refusalIn = (answer: Answer): { status: number; code: string; detail: string } => {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const problem = JSON.parse(answer.text) as { status: number; code: keyof typeof PROBLEMS; detail: string; title: string; type: string };
  expect(Object.keys(PROBLEMS)).toContain(problem.code);
  expect(problem).toMatchObject({ status: answer.status, title: PROBLEMS[problem.code].title, type: `/v1/docs#problem-${problem.code}` });
  expect(PROBLEMS[problem.code].status).toBe(answer.status);
  expect(answer.text).not.toMatch(INSIDES);
  return { status: problem.status, code: problem.code, detail: problem.detail };
};

/** Where the problem says that the request is wrong. */
export const pointersIn = (answer: Answer): string[] => {
  const { errors = [] } = JSON.parse(answer.text) as Partial<ProblemDocument>;
  return errors.map(({ pointer }) => pointer);
};

type Raw = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  token: string | null;
};

// What has no body leaves its line as it was, and the next one takes it.
const lines = new Agent({ keepAlive: true });
/** A request as any client may send it, byte for byte. */
export const sendRaw = (origin: string, { method, path, headers, body, token }: Raw): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${origin}/v1${path}`, {
      agent: body === null ? lines : false,
      method,
      headers: {
        ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    });
    let answered = false;
    sent.on('response', (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          headers: new Headers(response.headers as Record<string, string>),
        });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', done);
      response.on('error', done);
    });
    // A body that is refused half way cuts the line behind its answer.
    sent.on('error', (error) => void (answered || setTimeout(() => (answered ? undefined : reject(error)), 500)));
    sent.end(body);
  });
