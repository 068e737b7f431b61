import { normalText } from '@hatchway/domain/text.ts';
import { z } from 'zod';
import { id, moment, plain, typedEmail } from './common.ts';
import { nearest } from './issues.ts';

type FieldKind = 'uuid' | 'text' | 'code' | 'email' | 'int' | 'sum' | 'time' | 'bool' | 'uuids' | 'texts';
export type ListFields = Record<string, FieldKind>;
const OPERATORS = ['$in', '$ne', '$gt', '$gte', '$lt', '$lte'] as const;
export type Operator = (typeof OPERATORS)[number];
export const IN_AT_MOST = 200;
export const LIMIT_DEFAULT = 50;
export const LIMIT_MOST = 500;
/** The longest text that a list sorts by: a name. */
const SORTED_MOST = 200;
/** A cursor holds the value that a page ends at: each letter in three bytes at most, then an id and the sort, all of it in base64. */
const CURSOR_MOST = Math.ceil(((SORTED_MOST * 3 + 100) * 4) / 3);
const CURSOR_PATTERN = /^[A-Za-z0-9_-]+$/;

const scalar = {
  uuid: id,
  text: z.string().max(200),
  code: plain(200),
  email: typedEmail,
  int: z.int32(),
  /** In minor units: of many pieces it is more than an `int`. */
  sum: z.int(),
  time: moment,
  bool: z.boolean(),
  uuids: id,
  texts: z.string().max(200),
} as const;

/** The schema of `q` for the fields that a call declares: value, null, or operators; `$text` where it searches words. */
const qSchema = (fields: ListFields, searchable: boolean) =>
  z.strictObject({
    ...Object.fromEntries(
      Object.entries(fields).map(([name, kind]) => {
        const value = scalar[kind].nullable();
        const operators = z
          .strictObject({
            $in: z.array(scalar[kind]).max(IN_AT_MOST),
            $ne: value,
            $gt: scalar[kind],
            $gte: scalar[kind],
            $lt: scalar[kind],
            $lte: scalar[kind],
          })
          .partial();
        return [name, z.union([value, operators]).optional()];
      }),
    ),
    ...(searchable ? { $text: z.string().max(200).optional() } : {}),
  });

/** Of the 32 kB that a request's head may have. A letter may take nine characters there. */
const Q_MOST = 20_000;
/** For who reads the document: an object, in JSON. */
const Q_PATTERN = String.raw`^[ \t\n\r]*\{[\s\S]*\}[ \t\n\r]*$`;
const inAddress = (q: string): number => new URLSearchParams({ q }).toString().length;

export type Q = Record<string, unknown>;

/** A list's query: what can be asked of it. The fields of `q` stand beside its schema (`x-fields`), for the reader of the API and for tests. */
export const listQuery = <const F extends ListFields, const S extends readonly string[]>(spec: {
  fields: F;
  sorts: S;
  searchable?: boolean;
}) => {
  const q = qSchema({ tenantId: 'uuid', ...spec.fields }, spec.searchable ?? false);
  return z.strictObject({
    q: z
      .string()
      .max(Q_MOST)
      .refine(
        (raw) => raw.length * 9 <= Q_MOST || inAddress(raw) <= Q_MOST,
        `q may have ${Q_MOST} characters at most, as it stands in the address`,
      )
      .transform((raw, ctx): Q => {
        let value: unknown;
        try {
          value = JSON.parse(raw, (_name, inner: unknown) => (typeof inner === 'string' ? normalText(inner) : inner));
        } catch {
          ctx.addIssue({ code: 'custom', message: 'q is not JSON' });
          return z.NEVER;
        }
        const parsed = q.safeParse(value);
        if (!parsed.success) {
          for (const issue of parsed.error.issues.flatMap(nearest))
            ctx.addIssue({
              code: 'custom',
              path: issue.path,
              message: issue.code === 'unrecognized_keys' ? `unknown field or operator ${issue.keys.join(', ')}` : issue.message,
            });
          return z.NEVER;
        }
        return parsed.data;
      })
      .optional()
      .meta({ pattern: Q_PATTERN, 'x-fields': { tenantId: 'uuid', ...spec.fields, ...(spec.searchable ? { $text: 'words' } : {}) } }),
    limit: z.coerce.number().int().min(1).max(LIMIT_MOST).default(LIMIT_DEFAULT),
    cursor: z.string().max(CURSOR_MOST).regex(CURSOR_PATTERN, 'not a cursor of this list').optional(),
    sort: z.enum(spec.sorts.flatMap((s) => [s, `-${s}`]) as [string, ...string[]]).default('-createdAt'),
    count: z.enum(['true', 'false']).optional(),
  });
};
export type ListQuery = {
  q?: Q | undefined;
  limit: number;
  cursor?: string | undefined;
  sort: string;
  count?: 'true' | 'false' | undefined;
};
