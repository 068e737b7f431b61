import type { z } from 'zod';
import { nearest } from '@hatchway/contract/issues.ts';
import { malformed, stepTo } from './problem.ts';

/** zod speaks of JavaScript's values; whoever reads the answer knows JSON's. */
const wordsOf = (message: string): string =>
  message.endsWith('received undefined') ? 'is missing' : message.replace(/^Invalid input: /, '');

/** What the schema makes of a value. Throws `malformed` with a pointer for each wrong place; `at`: the pointer of the value. */
export const check = (schema: z.ZodType | undefined, value: unknown, at: string): unknown => {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap(nearest).flatMap((issue) => {
    const pointer = `${at}${issue.path.map((step) => stepTo(String(step))).join('')}`;
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ pointer: `${pointer}${stepTo(key)}`, detail: 'unknown field' }))
      : [{ pointer, detail: wordsOf(issue.message) }];
  });
  throw malformed(errors);
};
