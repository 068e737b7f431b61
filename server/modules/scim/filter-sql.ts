import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { invalid } from './errors.ts';
import type { AttributePath, Filter, Operator, Value } from './filter.ts';
import { named, type Attribute } from './schemas.ts';

export type Text = RawBuilder<string | null>;
export type Condition = RawBuilder<SqlBool>;
/** Where attributes are found: those that have columns or rows of their own first, everything else in the resource as it was said. */
export type Places = {
  attributes: readonly Attribute[];
  columns: Readonly<Record<string, Text>>;
  /** Values that are rows of another table: a condition on each by its `value`. */
  rows: Readonly<Record<string, (of: (value: Text) => Condition) => Condition>>;
  resource: RawBuilder<unknown>;
};

const ORDER = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;
const NEVER = sql<SqlBool>`false`;

const comparison = (held: Text, operator: Operator, value: Value, attribute: Attribute): Condition => {
  if (value === null) return operator === 'ne' ? sql<SqlBool>`${held} is not null` : sql<SqlBool>`${held} is null`;
  const wanted = attribute.caseExact ? String(value) : String(value).toLowerCase();
  const one = attribute.caseExact ? held : sql<string | null>`lower(${held})`;
  if (operator === 'eq') return sql<SqlBool>`coalesce(${one} = ${wanted}, false)`;
  if (operator === 'ne') return sql<SqlBool>`${one} is distinct from ${wanted}`;
  if (operator === 'co') return sql<SqlBool>`coalesce(strpos(${one}, ${wanted}) > 0, false)`;
  if (operator === 'sw') return sql<SqlBool>`coalesce(starts_with(${one}, ${wanted}), false)`;
  if (operator === 'ew') return sql<SqlBool>`coalesce(right(${one}, ${wanted.length}) = ${wanted}, false)`;
  if (attribute.type === 'boolean') throw invalid('invalidFilter', `${attribute.name} has no order`);
  if (attribute.type === 'dateTime') {
    const at = Date.parse(String(value));
    if (Number.isNaN(at)) throw invalid('invalidFilter', `${attribute.name} is a time`);
    return sql<SqlBool>`coalesce(${held}::timestamptz ${ORDER[operator]} ${new Date(at).toISOString()}::timestamptz, false)`;
  }
  return sql<SqlBool>`coalesce(${one} collate "C" ${ORDER[operator]} ${wanted}, false)`;
};

const test = (held: Text, filter: Filter & { kind: 'compare' | 'present' }, attribute: Attribute): Condition =>
  filter.kind === 'present' ? sql<SqlBool>`coalesce(${held} <> '', false)` : comparison(held, filter.operator, filter.value, attribute);

/** Of one value of a list: its parts are keys of `one`. */
const ofOne = (filter: Filter, one: RawBuilder<unknown>, parts: readonly Attribute[]): Condition => {
  switch (filter.kind) {
    case 'and':
      return sql<SqlBool>`(${ofOne(filter.left, one, parts)} and ${ofOne(filter.right, one, parts)})`;
    case 'or':
      return sql<SqlBool>`(${ofOne(filter.left, one, parts)} or ${ofOne(filter.right, one, parts)})`;
    case 'not':
      return sql<SqlBool>`not ${ofOne(filter.of, one, parts)}`;
    case 'has':
      throw invalid('invalidFilter', 'A value of a list has no list of its own');
    default: {
      const part = named(parts, filter.path.attr);
      return part ? test(sql<string | null>`${one} ->> ${sql.lit(part.name)}`, filter, part) : NEVER;
    }
  }
};

const someValue = (attribute: Attribute, places: Places, of: (one: RawBuilder<unknown>) => Condition): Condition =>
  sql<SqlBool>`exists (select from jsonb_array_elements(
    case jsonb_typeof(${places.resource} -> ${sql.lit(attribute.name)}) when 'array' then ${places.resource} -> ${sql.lit(attribute.name)} else '[]' end) as one
    where ${of(sql`one`)})`;

const VALUE: AttributePath = { schema: null, attr: 'value', sub: null };

const ofAttribute = (filter: Filter & { kind: 'compare' | 'present' }, places: Places): Condition => {
  const { attr, sub } = filter.path;
  const attribute = named(places.attributes, attr);
  if (!attribute) return NEVER;
  const rows = places.rows[attribute.name];
  const part = sub === null ? undefined : named(attribute.subAttributes, sub);
  if (sub !== null && !part) return NEVER;
  const path = `${attribute.name}${part ? `.${part.name}` : ''}`;
  if (rows) {
    if (filter.kind === 'compare' && part?.name !== undefined && part.name !== 'value')
      throw invalid('invalidFilter', `${attribute.name} is found by its value`);
    return rows((value) => (filter.kind === 'present' ? sql<SqlBool>`true` : comparison(value, filter.operator, filter.value, attribute)));
  }
  const column = places.columns[path];
  if (column) return test(column, filter, part ?? attribute);
  if (attribute.multiValued) {
    const inner: Filter = { ...filter, path: { ...VALUE, attr: sub ?? 'value' } };
    return someValue(attribute, places, (one) => ofOne(inner, one, attribute.subAttributes ?? []));
  }
  if (part) return test(sql<string | null>`${places.resource} -> ${sql.lit(attribute.name)} ->> ${sql.lit(part.name)}`, filter, part);
  return test(sql<string | null>`${places.resource} ->> ${sql.lit(attribute.name)}`, filter, attribute);
};

/** The filter as a condition on a row. An attribute that no resource has fits nothing. */
export const conditionOf = (filter: Filter, places: Places): Condition => {
  switch (filter.kind) {
    case 'and':
      return sql<SqlBool>`(${conditionOf(filter.left, places)} and ${conditionOf(filter.right, places)})`;
    case 'or':
      return sql<SqlBool>`(${conditionOf(filter.left, places)} or ${conditionOf(filter.right, places)})`;
    case 'not':
      return sql<SqlBool>`not ${conditionOf(filter.of, places)}`;
    case 'has': {
      const attribute = named(places.attributes, filter.path.attr);
      if (!attribute?.multiValued) return NEVER;
      const rows = places.rows[attribute.name];
      // Of rows the value alone is known.
      if (rows) return conditionOf(withinRows(filter.of, attribute), places);
      return someValue(attribute, places, (one) => ofOne(filter.of, one, attribute.subAttributes ?? []));
    }
    default:
      return ofAttribute(filter, places);
  }
};

const withinRows = (filter: Filter, attribute: Attribute): Filter => {
  if (filter.kind !== 'compare' || filter.path.attr.toLowerCase() !== 'value')
    throw invalid('invalidFilter', `${attribute.name} is found by its value`);
  return { ...filter, path: { schema: null, attr: attribute.name, sub: 'value' } };
};
