import { invalid } from './errors.ts';
import type { Filter, Operator, Value } from './filter.ts';
import { named, type Attribute } from './schemas.ts';

const ORDERED: ReadonlySet<Operator> = new Set(['gt', 'ge', 'lt', 'le']);
const compare = (held: unknown, operator: Operator, value: Value, attribute: Attribute): boolean => {
  if (held === undefined || held === null) return operator === 'ne' ? value !== null : operator === 'eq' && value === null;
  if (ORDERED.has(operator) && attribute.type === 'boolean') throw invalid('invalidFilter', `${attribute.name} has no order`);
  const same = (text: unknown) => (attribute.caseExact ? String(text) : String(text).toLowerCase());
  const [a, b] = [same(held), same(value)];
  if (operator === 'eq') return a === b;
  if (operator === 'ne') return a !== b;
  if (operator === 'co') return a.includes(b);
  if (operator === 'sw') return a.startsWith(b);
  if (operator === 'ew') return a.endsWith(b);
  if (operator === 'gt') return a > b;
  if (operator === 'ge') return a >= b;
  return operator === 'lt' ? a < b : a <= b;
};

/** Whether one value of a list fits, by its parts. */
export const fits = (filter: Filter, value: Readonly<Record<string, unknown>>, parts: readonly Attribute[] | undefined): boolean => {
  switch (filter.kind) {
    case 'and':
      return fits(filter.left, value, parts) && fits(filter.right, value, parts);
    case 'or':
      return fits(filter.left, value, parts) || fits(filter.right, value, parts);
    case 'not':
      return !fits(filter.of, value, parts);
    case 'has':
      throw invalid('invalidFilter', 'A value of a list has no list of its own');
    default: {
      const part = named(parts, filter.path.attr);
      if (!part) throw invalid('invalidFilter', `There is no ${filter.path.attr}`);
      const held = value[part.name];
      if (filter.kind === 'present') return held !== undefined && held !== null && held !== '';
      return compare(held, filter.operator, filter.value, part);
    }
  }
};

/** What a value must be made of so that `eq` and `and` find it; null where a filter asks for anything else. */
export const impliedBy = (filter: Filter, parts: readonly Attribute[] | undefined): Record<string, unknown> | null => {
  if (filter.kind === 'and') {
    const [left, right] = [impliedBy(filter.left, parts), impliedBy(filter.right, parts)];
    return left && right ? { ...left, ...right } : null;
  }
  const part = filter.kind === 'compare' && filter.operator === 'eq' ? named(parts, filter.path.attr) : undefined;
  return part && filter.kind === 'compare' ? { [part.name]: filter.value } : null;
};
