import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { PROBLEMS } from '@hatchway/contract/problems.ts';
import { escape, meaning, shape } from './reader-shape.ts';
import { contentPolicy, newNonce } from './security.ts';

type Parameter = { name: string; in: string; required: boolean; schema: Record<string, unknown> };
type Operation = {
  summary: string;
  'x-access': string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: unknown }> }>;
};

const block = (title: string, schema: unknown): string => `<h4>${title}</h4><pre tabindex="0">${shape(schema)}</pre>`;
const problemLinks = (codes: string): string =>
  codes
    .split(', ')
    .map((code) => (code in PROBLEMS ? `<a href="#problem-${code}">${code}</a>` : escape(code)))
    .join(', ');

const parameter = ({ name, in: where, required, schema }: Parameter): string => {
  const fields = schema['x-fields'] as Record<string, string> | undefined;
  const kind = fields
    ? `JSON over ${Object.entries(fields)
        .map(([field, type]) => `<code>${escape(field)}</code> ${escape(type)}`)
        .join(', ')}`
    : shape(schema);
  return `<tr><td><code>${escape(name)}</code></td><td>${where}${required ? ', required' : ''}</td><td>${kind}${meaning(schema)}</td></tr>`;
};

const operation = (method: string, path: string, op: Operation): string => {
  const body = op.requestBody?.content['application/json']?.schema;
  const form = op.requestBody && 'multipart/form-data' in op.requestBody.content;
  const answer = op.responses['200']?.content?.['application/json']?.schema;
  const rows = Object.entries(op.responses)
    .map(([status, r]) => `<tr><td>${status}</td><td>${problemLinks(r.description)}</td></tr>`)
    .join('');
  const id = escape(`${method}-${path}`.replaceAll(/[^\w]+/g, '-'));
  return `<details id="${id}"><summary><b class="method ${method}">${method.toUpperCase()}</b> <code>${escape(path)}</code> <span>${escape(op.summary)}</span></summary>
<p>Access: <code>${escape(op['x-access'])}</code></p>${op.parameters.length > 0 ? `<h4>Parameters</h4><table>${op.parameters.map(parameter).join('')}</table>` : ''}${body ? block(form ? 'Body: JSON, or form data with <code>data</code> (this) and a file' : 'Body', body) : ''}${answer ? block('Answer', answer) : ''}<h4>Status</h4><table>${rows}</table></details>`;
};

const problems = (): string =>
  Object.entries(PROBLEMS)
    .map(
      ([code, { status, title }]) =>
        `<tr id="problem-${code}"><td><code>${code}</code></td><td>${status}</td><td>${escape(title)}</td></tr>`,
    )
    .join('');

/** The first call, whole, to be pasted: what one reads of, what one writes, and how a failed answer looks. */
const firstCall = (base: string): string => `<section><h2 id="first-call">First call</h2>
<p>Make a key under <a href="/portal/admin/api">Admin › API keys</a>; it is shown once. It may do what its scopes say.</p>
<pre tabindex="0">curl -H 'Authorization: Bearer YOUR_KEY' '${base}/v1/lockers?limit=2'</pre>
<p>A delivery with a receiver, filled and told in one call. Sent twice with the same <code>Idempotency-Key</code> it happens once.</p>
<pre tabindex="0">curl -X POST '${base}/v1/occupations/delivery' \\
  -H 'Authorization: Bearer YOUR_KEY' -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1001' \\
  -d '{"size": "M", "assetText": "Order 1001", "receiver": {"name": "Kari Nordmann", "email": "kari@example.com"}, "fill": true, "send": true}'</pre></section>`;

/** Calls of who runs the service come last: nobody else can make them. */
const OPERATOR = 'operator';

const page = (document: Record<string, unknown>, base: string): string => {
  const paths = document['paths'] as Record<string, Record<string, Operation>>;
  const byTag = Map.groupBy(
    Object.entries(paths).flatMap(([path, ops]) => Object.entries(ops).map(([method, op]) => ({ path, method, op }))),
    ({ op }) => (op['x-access'] === OPERATOR ? OPERATOR : (op.tags[0] ?? '')),
  );
  const tags = [...byTag].toSorted(([a], [b]) => Number(a === OPERATOR) - Number(b === OPERATOR));
  const sections = tags
    .map(
      ([tag, list]) =>
        `<section><h2 id="${escape(tag)}">${escape(tag)}</h2>${list.map(({ path, method, op }) => operation(method, path, op)).join('')}</section>`,
    )
    .join('');
  const links = ['first-call', ...tags.map(([tag]) => tag), 'schemas', 'problems']
    .map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`)
    .join(' ');
  const schemas = Object.entries((document['components'] as { schemas: Record<string, unknown> }).schemas)
    .map(
      ([name, schema]) =>
        `<details><summary><code>${escape(name)}</code></summary><pre id="schema-${escape(name)}" tabindex="0">${shape(schema)}</pre></details>`,
    )
    .join('');
  return `<header><svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true"><rect x="2" y="2" width="24" height="24" rx="3"/><path d="M14 2v24M14 9l12-7M14 16l12-7M14 23l12-7"/></svg><h1>Hatchway API</h1></header>
<p>Base <code>/v1</code>. Send an access token or an API key as <code>Authorization: Bearer …</code>. Lists answer an array; the next page's address is in the <code>Link</code> header. The document itself: <a href="/v1/openapi.json">openapi.json</a>.</p>
<label hidden>Search <input type="search" placeholder="occupations, POST, webhook …" aria-keyshortcuts="/"></label>
<nav aria-label="Nouns">${links}</nav><p id="nothing-found" role="status" hidden>No call says that.</p>${firstCall(base)}${sections}<section><h2 id="schemas">schemas</h2>${schemas}</section>
<section><h2 id="problems">problems</h2><p>Every answer that is not 2xx is a problem document (RFC 9457): <code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>code</code>, and <code>errors</code> with a JSON pointer each.</p><table>${problems()}</table></section>`;
};

/** /v1/docs: the OpenAPI document as a page that reads without a script, and is searched with one. `base`: the address of this server. */
export const apiReader = (app: FastifyInstance, document: () => Record<string, unknown>, base: string): void => {
  const style = readFileSync(new URL('reader.css', import.meta.url), 'utf8');
  const search = readFileSync(new URL('reader-search.js', import.meta.url), 'utf8');
  let content: string | undefined;
  app.get('/v1/docs', (_request, reply) => {
    const nonce = newNonce();
    content ??= page(document(), escape(base));
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy(nonce, ''))
      .send(
        `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hatchway API</title><style nonce="${nonce}">${style}</style><main>${content}</main><script src="/v1/docs.js"></script></html>`,
      );
  });
  app.get('/v1/docs.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(search));
};
