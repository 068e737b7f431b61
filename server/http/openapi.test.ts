import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '@hatchway/contract/problems.ts';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { openapi } from './openapi.ts';

type Json = Record<string, unknown>;
type Parameter = { name: string; in: string; required: boolean; schema: Json };
type Operation = {
  operationId: string;
  summary: string;
  security: Json[];
  parameters: Parameter[];
  responses: Record<string, Json>;
  requestBody?: Json;
};
const all: readonly RouteSpec[] = routes;
const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

let document: Json;
let paths: Record<string, Record<string, Operation>>;
beforeAll(() => {
  // As it leaves the server: what JSON cannot hold is gone.
  document = JSON.parse(JSON.stringify(openapi(routes, 'https://lockers.example'))) as Json;
  paths = document['paths'] as typeof paths;
});
const operations = () =>
  Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })));

/** Every object of the document with the pointer to it. */
const walk = function* (value: unknown, at = '#'): Generator<{ at: string; node: Json }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { at, node: value as Json };
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
};
const resolve = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, step) => (node as Json | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);

const MEDIA = {
  problem: /^application\/problem\+json$/,
  answer: /^(application\/json|image\/webp|image\/svg\+xml|text\/csv|application\/x-ndjson)$/,
  nothing: /^$/,
};
const TYPES = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']);
const schemas = function* (): Generator<{ at: string; node: Json }> {
  const roots = [
    ...Object.entries((document['components'] as { schemas: Json }).schemas),
    ...operations().flatMap(({ path, method, operation }) => [
      ...operation.parameters.map((one): [string, unknown] => [`${method} ${path} ${one.name}`, one.schema]),
      ...Object.entries((operation.requestBody?.['content'] ?? {}) as Record<string, Json>).map(([type, media]): [string, unknown] => [
        `${method} ${path} ${type}`,
        media['schema'],
      ]),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        Object.values((response['content'] ?? {}) as Record<string, Json>).map((media): [string, unknown] => [
          `${method} ${path} ${status}`,
          media['schema'],
        ]),
      ),
    ]),
  ];
  for (const [at, root] of roots) yield* subschemas(root, at);
};
const subschemas = function* (value: unknown, at: string): Generator<{ at: string; node: Json }> {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Json;
  yield { at, node };
  for (const [name, inner] of Object.entries((node['properties'] ?? {}) as Json)) yield* subschemas(inner, `${at}/${name}`);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    for (const [index, inner] of ((node[key] ?? []) as unknown[]).entries()) yield* subschemas(inner, `${at}/${key}/${index}`);
  for (const key of ['items', 'additionalProperties', 'propertyNames']) yield* subschemas(node[key], `${at}/${key}`);
};

describe('the OpenAPI document', () => {
  it('says what it is and how to come in', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Hatchway API', version: '1' },
      servers: [{ url: 'https://lockers.example/v1' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });

  it('holds every call, once, and no other', () => {
    const there = operations().map(({ path, method }) => `${method.toUpperCase()} ${bare(path)}`);
    expect(there.toSorted()).toEqual(all.map((route) => `${route.method} ${bare(route.path)}`).toSorted());
    expect(new Set(Object.keys(paths).map(bare)).size).toBe(Object.keys(paths).length);
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('declares the parameters that stand in each path, and no others there', () => {
    for (const { path, operation } of operations()) {
      const inPath = operation.parameters.filter((one) => one.in === 'path');
      expect(inPath.map((one) => one.name).toSorted()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').toSorted());
      expect(inPath.every((one) => one.required)).toBe(true);
      const named = operation.parameters.map((one) => `${one.in} ${one.name}`);
      expect(new Set(named).size).toBe(named.length);
      expect(operation.parameters.filter((one) => Object.keys(one.schema).length === 0)).toEqual([]);
    }
  });

  it('leaves nothing undefined, and every reference leads somewhere', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('$defs');
    for (const { at, node } of walk(document)) {
      const ref = node['$ref'];
      if (typeof ref !== 'string') continue;
      expect([at, ref.startsWith('#/'), typeof resolve(ref)]).toEqual([at, true, 'object']);
    }
  });

  it('describes every answer, a problem by a problem document', () => {
    for (const { path, method, operation } of operations()) {
      const statuses = Object.keys(operation.responses);
      expect([method, path, statuses.filter((status) => status.startsWith('2')).length > 0]).toEqual([method, path, true]);
      for (const [status, response] of Object.entries(operation.responses)) {
        expect([method, path, status, response['description']]).toEqual([method, path, status, expect.stringMatching(/./)]);
        const kind = Number(status) >= 400 ? 'problem' : status === '200' ? 'answer' : 'nothing';
        const types = Object.keys(response['content'] ?? {}).join();
        expect([method, path, status, types]).toEqual([method, path, status, expect.stringMatching(MEDIA[kind])]);
      }
      expect(operation.security.length === 0).toBe(
        all.find((one) => one.method.toLowerCase() === method && bare(one.path) === bare(path))?.access === 'public',
      );
    }
    const codes = (document['components'] as { schemas: { Problem: { properties: { code: { enum: string[] } } } } }).schemas.Problem
      .properties.code.enum;
    expect(codes).toEqual(Object.keys(PROBLEMS));
  });

  it('holds schemas that are schemas', () => {
    let seen = 0;
    for (const { at, node } of schemas()) {
      seen += 1;
      const types = [node['type'] ?? []].flat();
      expect([at, types.filter((type) => !TYPES.has(type as string))]).toEqual([at, []]);
      const properties = Object.keys(node['properties'] ?? {});
      expect([at, ((node['required'] ?? []) as string[]).filter((name) => !properties.includes(name))]).toEqual([at, []]);
      expect([
        at,
        node['$ref'] === undefined || Object.keys(node).every((key) => ['$ref', 'description', 'default'].includes(key)),
      ]).toEqual([at, true]);
      expect(() => new RegExp((node['pattern'] as string | undefined) ?? '', 'u')).not.toThrow();
    }
    expect(seen).toBeGreaterThan(500);
  });
});
