import { z } from 'zod';
import { PROBLEMS, type ProblemCode } from '@hatchway/contract/problems.ts';
import { needsBody, type RouteSpec } from '@hatchway/contract/route.ts';
import { KEY_PATTERN } from './idempotency.ts';

type Json = Record<string, unknown>;

/** zod's JSON Schema, with every schema that has an id as a component of the document. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', components: Json): Json => {
  const {
    $defs,
    $schema: _,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json & { $defs?: Record<string, Json> };
  for (const [id, definition] of Object.entries($defs ?? {})) components[id] = toComponents(definition);
  return toComponents(rest) as Json;
};
const toComponents = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' || typeof (value as Json)['id'] !== 'string')
      .map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', '#/components/schemas/') : toComponents(inner),
      ]),
  );
};

const parameters = (schema: z.ZodType | undefined, where: 'path' | 'query', components: Json): Json[] => {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: inner,
  }));
};

/** `too-large`: a body, or the head alone. */
const ALWAYS = ['malformed', 'too-large', 'too-many-requests', 'unavailable'] as const;
/** Idempotency-Key is kept per company and caller. */
const repeatable = (route: RouteSpec): boolean => route.method === 'POST' && route.access !== 'public';

const PAGED = {
  Link: { description: 'The next page: <address>; rel="next"', schema: { type: 'string' } },
  'X-Total-Count': { description: 'How many there are in all, where ?count=true asks for it', schema: { type: 'integer' } },
};

const answersOf = (route: RouteSpec, components: Json): Json => {
  const { response } = route;
  if (response === 'nothing') return { '204': { description: 'Done' } };
  if ('binary' in response)
    return {
      '200': {
        description: 'The bytes',
        headers: { ETag: { schema: { type: 'string' } } },
        content: { [response.binary]: { schema: { type: 'string', format: 'binary' } } },
      },
      '304': { description: 'Unchanged since the ETag that If-None-Match names' },
    };
  const paged = route.query !== undefined && 'cursor' in ((route.query as z.ZodObject).shape ?? {});
  return {
    '200': {
      description: 'OK',
      ...(paged ? { headers: PAGED } : {}),
      content: { 'application/json': { schema: schemaOf(response, 'output', components) } },
    },
    ...(response.safeParse(undefined).success ? { '204': { description: 'Nothing new' } } : {}),
  };
};

/** Every code that a call may answer: what each call may, and its own. A test holds answers against it (test-server.ts). */
export const problemsOf = (route: RouteSpec): ReadonlySet<ProblemCode> =>
  new Set<ProblemCode>([
    ...ALWAYS,
    ...(route.access === 'public' ? [] : (['unauthenticated', 'forbidden', 'company-gone', 'suspended'] as const)),
    ...(route.params ? (['not-found'] as const) : []),
    ...(route.method === 'GET' ? [] : (['unsupported-media'] as const)),
    ...(repeatable(route)
      ? (['key-reused', 'still-running', 'done-already', ...(route.secret ? (['already-created'] as const) : [])] as const)
      : []),
    ...(route.errors ?? []),
  ]);

const operationOf = (route: RouteSpec, components: Json): Json => {
  const byStatus = Map.groupBy(problemsOf(route), (code) => PROBLEMS[code].status);
  const responses = answersOf(route, components);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[String(status)] = {
      description: codes.join(', '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  const body = route.body ? schemaOf(route.body, 'input', components) : null;
  const content = body && {
    'application/json': { schema: body },
    ...(route.form
      ? {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: { data: body, [route.form === 'csv' ? 'file' : 'image']: { type: 'string', format: 'binary' } },
            },
            encoding: { data: { contentType: 'application/json' } },
          },
        }
      : {}),
  };
  return {
    operationId: `${route.method.toLowerCase()}${route.path
      .replaceAll(/[{}]/g, '')
      .split(/[/_-]/)
      .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
      .join('')}`,
    summary: route.summary,
    tags: [route.path.split('/')[1] ?? ''],
    'x-access': route.access,
    security: route.access === 'public' ? [] : [{ bearer: [] }, ...(route.secretIn === undefined ? [] : [{}])],
    parameters: [
      ...parameters(route.params, 'path', components),
      ...parameters(route.query, 'query', components),
      ...(repeatable(route)
        ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', pattern: KEY_PATTERN.source } }]
        : []),
    ],
    ...(content ? { requestBody: { required: needsBody(route), content } } : {}),
    responses,
  };
};

/** Two templates that differ in their parameters' names alone are one path there (`/assets/{id}`, `/assets/{_id}`): the first name stands. */
const sameTemplate = (route: RouteSpec, paths: readonly string[]): RouteSpec => {
  const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
  const path = paths.find((one) => bare(one) === bare(route.path));
  if (path === undefined || path === route.path || !(route.params instanceof z.ZodObject)) return route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const own = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const { shape } = route.params as z.ZodObject<Record<string, z.ZodType>>;
  return {
    ...route,
    path,
    params: z.strictObject(Object.fromEntries(own.map((name, at) => [names[at] ?? name, shape[name] ?? z.string()]))),
  };
};

/** The OpenAPI 3.1 document of the whole contract; nothing of it is written by hand. */
export const openapi = (routes: readonly RouteSpec[], origin: string): Json => {
  const components: Json = {
    Problem: {
      type: 'object',
      required: ['type', 'title', 'status', 'detail', 'code'],
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        code: { enum: Object.keys(PROBLEMS) },
        errors: { type: 'array', items: { type: 'object', properties: { pointer: { type: 'string' }, detail: { type: 'string' } } } },
        data: { type: 'object' },
      },
    },
  };
  const paths: Record<string, Json> = {};
  for (const declared of routes) {
    const route = sameTemplate(declared, Object.keys(paths));
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hatchway API',
      version: '1',
      description: 'Every call of Hatchway. Lists page by `limit` and `cursor` (Link header); problems are RFC 9457 documents.',
    },
    servers: [{ url: `${origin}/v1` }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key (hw_…)' } },
    },
  };
};
