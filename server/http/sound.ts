import { malformedAt, stepTo } from './problem.ts';

/** Deeper than anything that a call takes; PostgreSQL and JSON.stringify give up much later, with an error that is nobody's fault. */
const DEEPEST = 40;

const badText = (value: string): boolean => value.includes('\u0000') || !value.isWellFormed();

/** Throws Problem `malformed` for what no column holds: NUL, half of a surrogate pair, endless nesting. `at`: the pointer of `value`. */
export const sound = (value: unknown, at: string): void => {
  const open: { value: unknown; at: string; depth: number }[] = [{ value, at, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, at: here, depth } = next;
    if (typeof inner === 'string' && badText(inner)) throw malformedAt(here, 'holds a character that cannot be stored');
    if (typeof inner !== 'object' || inner === null) continue;
    if (depth === DEEPEST) throw malformedAt(here, 'is nested too deeply');
    for (const [key, child] of Object.entries(inner)) {
      if (badText(key)) throw malformedAt(here, 'has a name that cannot be stored');
      open.push({ value: child, at: `${here}${stepTo(key.slice(0, 100))}`, depth: depth + 1 });
    }
  }
};
