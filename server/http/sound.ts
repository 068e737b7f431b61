import { malformedAt, stepTo } from './problem.ts';

/** Deeper than anything that a call takes; PostgreSQL and JSON.stringify give up much later, with an error that is nobody's fault. */
const DEEPEST = 40;

/** JSON has it as a name like any other. What reads it into an object sets that one's prototype, or leaves it out. */
export const NO_NAME = '__proto__';

const badText = (value: string): boolean => value.includes('\u0000') || !value.isWellFormed();

/** Throws Problem `malformed` for what cannot be kept: NUL, half of a surrogate pair, `__proto__`, a number without end, endless nesting. `at`: `value`'s pointer. */
export const sound = (value: unknown, at: string): void => {
  const open: { value: unknown; at: string; depth: number }[] = [{ value, at, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, at: here, depth } = next;
    if (typeof inner === 'string' && badText(inner)) throw malformedAt(here, 'holds a character that cannot be stored');
    // 1e999: JSON has it, and writes null for what was read
    if (inner === Infinity || inner === -Infinity) throw malformedAt(here, 'is a number that cannot be stored');
    if (typeof inner !== 'object' || inner === null) continue;
    if (depth === DEEPEST) throw malformedAt(here, 'is nested too deeply');
    for (const [key, child] of Object.entries(inner)) {
      if (badText(key) || key === NO_NAME) throw malformedAt(here, 'has a name that cannot be stored');
      open.push({ value: child, at: `${here}${stepTo(key.slice(0, 100))}`, depth: depth + 1 });
    }
  }
};
