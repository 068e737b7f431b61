import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { contentPolicy, newNonce } from './security.ts';

type Operation = {
  summary: string;
  'x-access': string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: unknown }> }>;
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const code = (value: unknown): string => `<pre tabindex="0">${escape(JSON.stringify(value, null, 2))}</pre>`;

const operation = (method: string, path: string, op: Operation): string => {
  const body = op.requestBody?.content['application/json']?.schema;
  const parameters = op.parameters
    .map((p) => `<tr><td><code>${escape(p.name)}</code></td><td>${p.in}</td><td>${p.required ? 'required' : ''}</td></tr>`)
    .join('');
  const responses = Object.entries(op.responses)
    .map(([status, r]) => `<tr><td>${status}</td><td>${escape(r.description)}</td></tr>`)
    .join('');
  const answer = op.responses['200']?.content?.['application/json']?.schema;
  return `<details id="${escape(`${method}-${path}`.replaceAll(/[^\w]+/g, '-'))}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escape(path)}</code> <span>${escape(op.summary)}</span></summary>
<p>Access: <code>${escape(op['x-access'])}</code></p>${parameters ? `<table><caption>Parameters</caption>${parameters}</table>` : ''}${body ? `<h4>Body</h4>${code(body)}` : ''}${answer ? `<h4>Answer</h4>${code(answer)}` : ''}<table><caption>Status</caption>${responses}</table></details>`;
};

/** /v1/docs: the OpenAPI document as a page that reads without a script. */
export const apiReader = (app: FastifyInstance, document: Record<string, unknown>): void => {
  const paths = document['paths'] as Record<string, Record<string, Operation>>;
  const byTag = Map.groupBy(
    Object.entries(paths).flatMap(([path, ops]) => Object.entries(ops).map(([method, op]) => ({ path, method, op }))),
    ({ op }) => op.tags[0] ?? '',
  );
  const sections = [...byTag]
    .map(
      ([tag, list]) =>
        `<section><h2 id="${escape(tag)}">${escape(tag)}</h2>${list.map(({ path, method, op }) => operation(method, path, op)).join('')}</section>`,
    )
    .join('');
  const schemas = (document['components'] as { schemas: Record<string, unknown> }).schemas;
  const components = Object.entries(schemas)
    .map(
      ([name, schema]) => `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary>${code(schema)}</details>`,
    )
    .join('');
  const style = readFileSync(new URL('reader.css', import.meta.url), 'utf8');
  app.get('/v1/docs', (_request, reply) => {
    const nonce = newNonce();
    return reply.type('text/html; charset=utf-8').header('content-security-policy', contentPolicy(nonce, ''))
      .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hatchway API</title><style nonce="${nonce}">${style}</style>
<main><h1>Hatchway API</h1><p>Base <code>/v1</code>. Send an access token or an API key as <code>Authorization: Bearer …</code>. The document itself: <a href="/v1/openapi.json">openapi.json</a>.</p>${sections}<section><h2 id="schemas">schemas</h2>${components}</section></main></html>`);
  });
};
