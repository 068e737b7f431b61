import { z } from 'zod';
import type { RouteSpec } from '@hatchway/contract/route.ts';

/** JSON Schema as far as our contract goes. A keyword that is missing here makes `sample` throw, so that it is added. */
export type Schema = {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
};

const made = new WeakMap<z.ZodType, Schema>();
/** Each is asked for by many calls, and takes longer than most of them. */
export const schemaOf = (schema: z.ZodType): Schema => {
  const known = made.get(schema) ?? readSchema(schema);
  made.set(schema, known);
  return known;
};

const readSchema = (schema: z.ZodType): Schema => {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const ref = (value as Schema).$ref;
    if (ref !== undefined) return resolve($defs[ref.replace('#/$defs/', '')]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return resolve(root) as Schema;
};

/** What a field is called decides which id or word it gets: `lockerId` a locker's. */
export type Known = Readonly<Record<string, unknown>>;

const WORDS = ['Some words', 'some-words', 'NOK', 'NO', '91234567', 'a'];

const text = (schema: Schema, name: string): string => {
  if (schema.format === 'uuid') throw new Error(`no row is known for the id ${name}: add it to test-world.ts`);
  if (schema.format === 'email') return 'somebody@example.test';
  if (schema.format === 'date-time') return '2031-01-01T00:00:00Z';
  const found = WORDS.find(
    (word) =>
      word.length >= (schema.minLength ?? 0) &&
      word.length <= (schema.maxLength ?? Infinity) &&
      (schema.pattern === undefined || new RegExp(schema.pattern).test(word)),
  );
  if (found === undefined) throw new Error(`no word fits ${name}: ${JSON.stringify(schema)}`);
  return found;
};

/** A value that the schema takes: what is required, and `also` where it names optional fields. */
const sample = (schema: Schema, known: Known, name = '', also: ReadonlySet<string> = new Set()): unknown => {
  const fits = schema.properties === undefined && schema.const === undefined && (schema.enum?.includes(known[name]) ?? true);
  if (Object.hasOwn(known, name) && fits) {
    const value = known[name];
    return schema.type === 'array' && !Array.isArray(value) ? [value] : value;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const variant = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (variant) return sample(variant, known, name, also);
  switch (schema.type) {
    case 'object': {
      const wanted = Object.entries(schema.properties ?? {}).filter(([field]) => schema.required?.includes(field) || also.has(field));
      return Object.fromEntries(wanted.map(([field, inner]) => [field, sample(inner, known, field, also)]));
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, known, name, also));
    case 'string':
      return text(schema, name);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'null':
    case undefined:
      return null;
  }
};

/** Rules that a schema does not tell: these optional fields are needed too. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'POST /companies/{tenant}/invitations': ['email'],
  'POST /open/door': ['doorTag'],
  'POST /orders': ['customer'],
};

/** The shapes that a body may have. */
export const variantsOf = (route: RouteSpec): Schema[] => {
  if (!route.body) return [];
  const schema = schemaOf(route.body);
  return schema.oneOf ?? [schema];
};

/** The bodies that a call takes, one for each variant, with what is required. */
export const bodiesOf = (route: RouteSpec, known: Known): { schema: Schema; body: Record<string, unknown> }[] => {
  const also = new Set(ALSO[`${route.method} ${route.path}`]);
  return variantsOf(route).map((schema) => ({ schema, body: sample(schema, known, '', also) as Record<string, unknown> }));
};

/** The query that a call needs, as it stands behind the path. */
export const queryOf = (route: RouteSpec, known: Known): string => {
  const needed = route.query ? (sample(schemaOf(route.query), known) as Record<string, string>) : {};
  const search = new URLSearchParams(needed).toString();
  return search ? `?${search}` : '';
};

/** Every place in a body that holds an id, as a path of names; a list's ids are its first. */
export const idsIn = (schema: Schema, path: readonly string[] = []): string[][] => {
  if (schema.format === 'uuid') return [[...path]];
  if (schema.items) return idsIn(schema.items, [...path, '0']);
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => idsIn(inner, [...path, name])),
    ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((variant) => idsIn(variant, path)),
  ];
};

/** A copy with `value` at the path; what lies on the way is made, by the schema where one is given. */
export const put = (
  target: unknown,
  [step, ...rest]: readonly string[],
  value: unknown,
  made?: { schema: Schema; known: Known },
): unknown => {
  if (step === undefined) return value;
  const inner = made && (step === '0' ? made.schema.items : made.schema.properties?.[step]);
  const next = inner && { schema: inner, known: made.known };
  const begun = (there: unknown) => there ?? (inner?.type === 'object' ? sample(inner, made?.known ?? {}) : undefined);
  if (step === '0') return [put(begun(undefined), rest, value, next)];
  return { ...(target as object), [step]: put(begun((target as Record<string, unknown> | undefined)?.[step]), rest, value, next) };
};

type Mistake = { what: string; body: unknown };
const LONG = 'x'.repeat(30_000);
const DEEP: unknown = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);
/** What no body may hold, wherever it stands and whatever its schema says: one field of each body shows it. */
const UNSOUND: readonly { what: string; value: unknown }[] = [
  { what: 'a NUL', value: 'a\u0000b' },
  { what: 'half a character', value: '\ud800' },
  { what: 'nesting', value: DEEP },
];

const wrongValues = (schema: Schema): { what: string; value: unknown }[] => {
  const takes = (type: string) => [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((one) => one.type === type);
  if (schema.type === undefined && !schema.anyOf && !schema.oneOf) return [];
  const wrong: { what: string; value: unknown }[] = [];
  if (takes('integer') || takes('number'))
    wrong.push({ what: 'a huge number', value: 1e300 }, { what: 'a number beyond every column', value: 2 ** 53 + 2 });
  if (!takes('null')) wrong.push({ what: 'null', value: null });
  // One of another type: how the schema tells of any of them is the library's.
  if (!takes('object')) wrong.push({ what: 'an object', value: { $ne: null } });
  else wrong.push({ what: 'a number', value: 7 });
  if (takes('string') && !(schema.maxLength !== undefined && schema.maxLength < LONG.length))
    wrong.push({ what: 'far too long', value: LONG });
  if (schema.maxLength !== undefined && schema.maxLength < LONG.length)
    wrong.push({ what: 'one character too long', value: 'x'.repeat(schema.maxLength + 1) });
  if (schema.maxItems !== undefined) wrong.push({ what: 'too many', value: Array.from({ length: schema.maxItems + 1 }, () => 'x') });
  if (schema.minimum !== undefined) wrong.push({ what: 'below the least', value: schema.minimum - 1 });
  if (schema.maximum !== undefined) wrong.push({ what: 'above the most', value: schema.maximum + 1 });
  if (schema.type === 'integer') wrong.push({ what: 'half a number', value: 1.5 });
  if (schema.format !== undefined) wrong.push({ what: `no ${schema.format}`, value: 'not one' });
  if (schema.enum) wrong.push({ what: 'another word', value: 'no such word' });
  return wrong;
};

/** Bodies with exactly one mistake each, as the schema lets them be made. */
export const mistakesIn = (schema: Schema, body: Record<string, unknown>): Mistake[] => {
  const fields = Object.entries(schema.properties ?? {});
  return [
    ...[null, 'text', []].map((value) => ({ what: `${JSON.stringify(value)} as body`, body: value })),
    ...(schema.additionalProperties === false
      ? [
          { what: 'an unknown field', body: { ...body, nosuch: 1 } },
          {
            what: 'a __proto__',
            body: JSON.parse(`{"__proto__":{"admin":true},${JSON.stringify(body).slice(1)}`.replace(',}', '}')) as unknown,
          },
        ]
      : []),
    ...(schema.required ?? [])
      .filter((name) => name in body)
      .map((name) => ({ what: `${name} missing`, body: Object.fromEntries(Object.entries(body).filter(([one]) => one !== name)) })),
    ...fields
      .slice(0, 1)
      .flatMap(([name]) => UNSOUND.map(({ what, value }) => ({ what: `${name}: ${what}`, body: { ...body, [name]: value } }))),
    ...fields.flatMap(([name, inner]) =>
      wrongValues(inner).map(({ what, value }) => ({ what: `${name}: ${what}`, body: { ...body, [name]: value } })),
    ),
  ];
};
