import type { z } from 'zod';

type Looks = (value: unknown) => boolean;
/** What zod says of a schema; only the kinds that are looked at here. */
type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: unknown;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: readonly z.ZodType[];
  entries?: Record<string, unknown>;
  values?: readonly unknown[];
  valueType?: z.ZodType;
};
const defOf = (schema: z.ZodType): Def => schema._zod.def;
const never: Looks = () => false;
const inner = ({ innerType }: Def): Looks => (innerType ? looksOf(innerType) : never);

const objectOf = ({ shape = {}, catchall }: Def): Looks => {
  if (catchall !== undefined && defOf(catchall as z.ZodType).type !== 'never') return never;
  const fields = new Map(Object.entries(shape).map(([name, field]) => [name, looksOf(field)]));
  const needed = Object.values(shape).filter((field) => defOf(field).type !== 'optional').length;
  const optional = new Set(Object.keys(shape).filter((name) => shape[name] && defOf(shape[name]).type === 'optional'));
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    let left = needed;
    for (const name in value) {
      const field = fields.get(name);
      if (field === undefined || !field((value as Record<string, unknown>)[name])) return false;
      if (!optional.has(name)) left--;
    }
    return left === 0;
  };
};

const LOOKS: Record<string, (def: Def) => Looks> = {
  object: objectOf,
  array: ({ element }) => {
    const each = element ? looksOf(element) : never;
    return (value) => Array.isArray(value) && value.every(each);
  },
  nullable: (def) => {
    const rest = inner(def);
    return (value) => value === null || rest(value);
  },
  optional: (def) => {
    const rest = inner(def);
    return (value) => value === undefined || rest(value);
  },
  union: ({ options = [] }) => {
    const each = options.map(looksOf);
    return (value) => each.some((one) => one(value));
  },
  record: ({ valueType }) =>
    valueType && defOf(valueType).type === 'unknown'
      ? (value) => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      : never,
  string: () => (value) => typeof value === 'string',
  number: () => Number.isSafeInteger,
  boolean: () => (value) => typeof value === 'boolean',
  enum: ({ entries = {} }) => {
    const known = new Set(Object.values(entries));
    return (value) => known.has(value);
  },
  literal: ({ values = [] }) => {
    const known = new Set(values);
    return (value) => known.has(value);
  },
};
const looksOf = (schema: z.ZodType): Looks => {
  const def = defOf(schema);
  return LOOKS[def.type]?.(def) ?? never;
};

/**
 * What leaves has the schema's fields and no other. A value that has exactly those already goes as it is: looking costs a third of
 * parsing, and nearly every answer is such a one. Anything else is zod's, which drops what nobody declared and throws where something is
 * missing or of another kind. Looking does not match the patterns of ids and times: they come from columns that hold nothing else.
 */
export const outgoing = (schema: z.ZodType): ((value: unknown) => unknown) => {
  const looks = looksOf(schema);
  return (value) => (looks(value) ? value : schema.parse(value));
};
