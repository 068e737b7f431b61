import { normalText } from '@hatchway/domain/text.ts';
import { malformedAt, stepTo } from './problem.ts';

/** Deeper than anything that a call takes; PostgreSQL and JSON.stringify give up much later, with an error that is nobody's fault. */
const DEEPEST = 40;

/** JSON has it as a name like any other. What reads it into an object sets that one's prototype, or leaves it out. */
const NO_NAME = '__proto__';

const badText = (value: string): boolean => value.includes('\u0000') || !value.isWellFormed();

/**
 * A value as it is taken in, with every text and name in it in its normal form. Throws Problem `malformed` for what cannot be kept: NUL,
 * half of a surrogate pair, `__proto__`, a number without end, endless nesting, two names that are one. `at`: `value`'s pointer.
 */
export const taken = (value: unknown, at: string, depth = 0): unknown => {
  if (typeof value === 'string') {
    if (badText(value)) throw malformedAt(at, 'holds a character that cannot be stored');
    return normalText(value);
  }
  // 1e999: JSON has it, and writes null for what was read
  if (value === Infinity || value === -Infinity) throw malformedAt(at, 'is a number that cannot be stored');
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) throw malformedAt(at, 'is nested too deeply');
  if (Array.isArray(value)) return value.map((inner, index) => taken(inner, `${at}${stepTo(index)}`, depth + 1));
  const names = new Set<string>();
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (badText(key) || key === NO_NAME) throw malformedAt(at, 'has a name that cannot be stored');
      const name = normalText(key);
      if (name === NO_NAME || names.has(name)) throw malformedAt(at, 'has a name that cannot be stored');
      names.add(name);
      return [name, taken(inner, `${at}${stepTo(key.slice(0, 100))}`, depth + 1)];
    }),
  );
};
