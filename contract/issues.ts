import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const isOther = (issues: readonly Issue[]): boolean => issues.some((issue) => issue.code === 'invalid_type' && issue.path.length === 0);

/** Of several forms, none of which fits, zod tells no more than that: what is wrong then is what the one that came nearest lacks. */
export const nearest = (issue: Issue): Issue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  const [best] = issue.errors.toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)) || a.length - b.length);
  return best ? best.flatMap(nearest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) : [issue];
};
